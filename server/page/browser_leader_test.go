package page_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/schedgen/schedgen/server/page/pagetest"
)

func TestBrowserCountdown(t *testing.T) {
	a, _ := topLeader(t, 40)
	s := browse(t, pagetest.Options{}, setup{hash: "#leaders=" + a})
	s.drawn()
	s.wait(`/^\d\d:\d\d:\d\d$/.test(document.querySelector("#leader .countdown")?.textContent)`)
	seconds := `document.querySelector("#leader .countdown").textContent.split(":").reduce((sum, part) => sum * 60 + Number(part), 0)`
	first := eval[int](s, seconds)
	s.wait(fmt.Sprintf(`%s <= %d`, seconds, first-2))
	if left := eval[int](s, seconds); left > first-2 || left < first-30 {
		t.Errorf("%d s left after %d s were", left, first)
	}
	// In UTC and in the zone of the browser, with the error.
	said := s.text("#leader .answers")
	for _, want := range []string{"UTC", "local (UTC+1)", "± "} {
		if !strings.Contains(said, want) {
			t.Errorf("the answer %q does not say %q", said, want)
		}
	}
	// The slot in the head goes on.
	slot := s.text("#live strong")
	s.wait(fmt.Sprintf(`document.querySelector("#live strong").textContent !== %q`, slot))
}

// With slots of a few milliseconds windows come and go while one looks.
func TestBrowserWindowPasses(t *testing.T) {
	a, _ := topLeader(t, 0)
	s := browse(t, pagetest.Options{PerSlot: 8 * time.Millisecond}, setup{hash: "#leaders=" + a})
	s.drawn()
	s.wait(`document.querySelector("#windows tbody tr") !== null`)
	first := s.text("#windows tbody tr button")
	// Sooner than the page would ask anew anyway.
	s.waitFor(fmt.Sprintf(`document.querySelector("#windows tbody tr button").textContent !== %q`, first), 30*time.Second)
}

func TestBrowserWindows(t *testing.T) {
	a, _ := topLeader(t, 40)
	s := browse(t, pagetest.Options{}, setup{hash: "#leaders=" + a})
	s.drawn()
	s.wait(`document.querySelectorAll("#windows tbody tr").length === 10`)
	if said := s.text("#windows .note"); !strings.Contains(said, "397.0 ms") || !strings.Contains(said, "measured") {
		t.Errorf("times are said to rest on %q", said)
	}
	// The band does not get smaller with the distance.
	bands := eval[[]string](s, `[...document.querySelectorAll("#windows tbody td:last-child")].map((cell) => cell.textContent)`)
	number := regexp.MustCompile(`± ([0-9.]+) s`)
	last := 0.0
	for _, band := range bands {
		found := number.FindStringSubmatch(band)
		if found == nil {
			t.Fatalf("band %q", band)
		}
		value, err := strconv.ParseFloat(found[1], 64)
		if err != nil || value < last {
			t.Errorf("band %q after %g s", band, last)
		}
		last = value
	}
	s.do(chromedp.Click("#windows-on"))
	s.wait(`document.querySelector("#windows .pager span").textContent === "11–20 of 30"`)
	s.do(chromedp.Click("#windows-epoch"))
	s.wait(`document.getElementById("windows-title").textContent === "Windows of epoch 900"`)
	// A window is shown in the picture.
	s.do(chromedp.Click("#windows tbody tr button"))
	s.wait(`location.hash.includes("view=")`)
}

func TestBrowserQuiet(t *testing.T) {
	a, _ := topLeader(t, 2)
	s := browse(t, pagetest.Options{}, setup{hash: "#leaders=" + a})
	s.drawn()
	s.wait(`document.querySelectorAll("#quiet .big").length === 2`)
	choose := func(value string) {
		eval[any](s, fmt.Sprintf(`(() => {
			const select = document.getElementById("quiet-time");
			select.value = %q;
			select.dispatchEvent(new Event("change"));
		})()`, value))
	}
	choose("1m")
	s.wait(`document.querySelector("#quiet .note").textContent.includes("surely so from 1")`)
	s.wait(`document.querySelectorAll("#quiet tbody tr").length > 0`)
	choose("4h")
	s.wait(`document.querySelector("#quiet").textContent.includes("None is long enough")`)
}

// A key without stake is told so, and that any time is quiet.
func TestBrowserUnstaked(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{hash: "#leaders=4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS"})
	s.drawn()
	s.wait(`document.querySelector("#quiet").textContent.includes("Any time")`)
	if said := s.text("#leader .votes"); !strings.Contains(said, "no stake") {
		t.Errorf("said %q", said)
	}
	s.wait(`document.querySelector("#leader .answers").textContent.includes("None in the epochs that are known")`)
}

func TestBrowserTable(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	column := func(n int) []string {
		return eval[[]string](s, fmt.Sprintf(`[...document.querySelectorAll("#leaders tbody tr > :nth-child(%d)")].map((cell) => cell.textContent)`, n))
	}
	if first := column(1); len(first) != 25 || first[0] != "1" || first[24] != "25" {
		t.Errorf("places %v", first)
	}
	s.do(chromedp.Click("#sort-luck"))
	s.wait(`document.querySelector("#leaders th[aria-sort=descending]")?.textContent === "Luck"`)
	last := 1e9
	for _, z := range column(7) {
		value, err := strconv.ParseFloat(strings.NewReplacer("−", "-", " σ", "", "+", "").Replace(z), 64)
		if err != nil || value > last {
			t.Errorf("luck %q after %g", z, last)
		}
		last = value
	}
	s.do(chromedp.Click("#sort-luck"), chromedp.Click("#leaders-last"))
	s.wait(`document.querySelector("#leaders .pager span").textContent.endsWith("–1,394 of 1,394 leaders")`)
	// Those of whom luck says little are at the end in both directions.
	s.wait(`document.querySelectorAll("#leaders tbody .few").length === document.querySelectorAll("#leaders tbody tr").length`)
	s.do(chromedp.Click("#leaders-first"), chromedp.Click("#leaders .pick"))
	s.wait(chips + ` === 1`)
	s.wait(`document.querySelector("#leaders tr.selected .pick").getAttribute("aria-pressed") === "true"`)
}

// What the page says about downloads is where the service has them.
func TestBrowserDownloads(t *testing.T) {
	a, _ := topLeader(t, 7)
	s := browse(t, pagetest.Options{}, setup{hash: "#leaders=" + a})
	s.drawn()
	links := eval[[]string](s, `[...document.querySelectorAll("#downloads a")].map((a) => a.href)`)
	if len(links) != 8 {
		t.Errorf("%d downloads: %v", len(links), links)
	}
	for _, link := range links {
		if !strings.HasPrefix(link, s.url+"v1/epochs/900/schedule?format=") {
			t.Errorf("a download from %s", link)
		}
	}
	s.do(chromedp.Click("#limit"))
	s.wait(`document.querySelectorAll("#downloads a[href*='&identity=']").length === 5`)
}
