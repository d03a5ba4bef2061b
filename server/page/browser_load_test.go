package page_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/page/pagetest"
)

func TestBrowserLoads(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	for selector, want := range map[string]string{
		"#title":                      "Epoch 900",
		"#cluster":                    "mainnet-beta",
		"#facts":                      "1,394",
		"#facts .badge":               "Exact",
		"#digest":                     s.service.Digest(900),
		"#range":                      "432,000 slots",
		"#tab-current":                "900",
		"#tab-next":                   "approximate",
		"#leaders tbody tr":           "10,354,923",
		"#span":                       "388,800,000",
		"#source":                     "made up",
		"#downloads a[href*=parquet]": "parquet",
	} {
		if got := s.text(selector); !strings.Contains(got, want) {
			t.Errorf("%s says %q, want %q in it", selector, got, want)
		}
	}
	if got := s.hash(); got != "" {
		t.Errorf("the address ends in %q with nothing chosen", got)
	}
	// The picture has many colours, not one.
	colours := eval[int](s, `(() => {
		const canvas = document.getElementById("pixels");
		const data = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
		return new Set(data).size;
	})()`)
	if colours < 500 {
		t.Errorf("the picture has %d colours", colours)
	}
	s.shot("desktop-light")
}

// The pixels of slots have the colours of their leaders, in the whole and in parts,
// with and without selected ones.
func TestBrowserPixels(t *testing.T) {
	a, _ := topLeader(t, 2)
	for _, with := range []struct {
		hash     string
		selected string
		least    int
	}{
		{"#epoch=next", "", 2000},
		{"#epoch=next&view=190000-50", "", 600},
		{"#epoch=next&view=190001-333", "", 2000},
		{"#epoch=next&view=7-1001&leaders=" + a, a, 2000},
		{"#view=200000-777", "", 2000}, // to come
		{"#view=100000-777", "", 2000}, // over
	} {
		s := browse(t, pagetest.Options{}, setup{hash: with.hash})
		s.drawn()
		failed := s.module("picture/view.js", `
			const load = (name) => import(document.querySelector("script[type=module]").src.replace("js/main.js", "js/" + name));
			const [{ readSchedule, countLeaders }, { Epoch }, colour] = await Promise.all(["worker/tables.js", "data/epoch.js", "data/colour.js"].map(load));
			const number = document.getElementById("title").textContent.replace("Epoch ", "");
			const tables = readSchedule(await (await fetch("v1/epochs/" + number + "/schedule?format=epoch-new")).json());
			countLeaders(tables, {});
			const epoch = new Epoch(tables);
			const palette = colour.palette(epoch, "light");
			const canvas = document.getElementById("pixels");
			const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
			copy.drawImage(canvas, 0, 0);
			const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
			const view = new m.View(epoch.slots, canvas.width, canvas.height);
			const [start, row] = (new URLSearchParams(location.hash.slice(1)).get("view") ?? "").split("-").map(Number);
			if (row) view.set(start, row);
			const selected = epoch.leaderOfKey("`+with.selected+`");
			const current = number === "900";
			const mark = selected >= 0 ? colour.pack(colour.strongRGB(colour.hueOf(epoch.identities[selected]), "light")) : 0;
			let checked = 0;
			const step = Math.floor((view.end - view.start) / 12000) | 1;
			for (let index = Math.ceil(view.start); index < view.end; index += step) {
				const place = view.placeOf(index);
				// The middle of its rotation, where no line is.
				const middle = place.x + (1.5 - index % 4 + 0.5) * view.slotWidth;
				const x = Math.floor(middle) + (view.slotWidth >= 6 ? 4 : 0);
				if (view.slotWidth < 1 && index % 4 !== 1) continue;
				if (middle < 3 || middle > canvas.width - 3 || x >= canvas.width) continue;
				const leader = epoch.leaderAt(view.slotWidth < 1 ? Math.floor(view.start + place.row * view.perRow + (x + 0.5) / view.slotWidth) : index);
				const over = current && index < 170_000;
				const want = leader === selected ? mark : selected >= 0 ? palette.rest[leader] : over ? palette.pastColours[leader] : palette.colours[leader];
				const got = pixels[Math.floor(place.y + view.rowHeight * 0.4) * canvas.width + x];
				// A selected rotation is at least two pixels wide, over what is beside it.
				if (selected >= 0 && got === mark) { checked++; continue; }
				expect(got === want, "index", index, "at", x, "got", got.toString(16), "want", want.toString(16));
				checked++;
			}
			expect(checked >= `+strconv.Itoa(with.least)+`, "only", checked, "slots were looked at");
		`)
		for _, line := range failed {
			t.Errorf("%s: %s", with.hash, line)
		}
	}
}

// The card of a slot says what the service says of it.
func TestBrowserShowsTheSchedule(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{hash: "#view=190000-50"})
	s.drawn()
	box := eval[[]float64](s, `(() => { const b = document.getElementById("plot").getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()`)
	for _, part := range []struct{ x, y float64 }{{0.2, 0.1}, {0.5, 0.3}, {0.9, 0.3}} {
		s.do(chromedp.MouseEvent("mouseMoved", box[0]+box[2]*part.x, box[1]+box[3]*part.y))
		s.wait(`!document.getElementById("tip").hidden`)
		said := s.text("#tip")
		var slot uint64
		digits := strings.ReplaceAll(said[strings.Index(said, "Slot")+len("Slot"):], ",", "")
		if _, err := fmt.Sscanf(digits, "%d", &slot); err != nil {
			t.Fatalf("the card says %q", said)
		}
		leader, vote := s.service.Leader(schedule.Slot(slot))
		if !strings.Contains(said, leader[:6]+"…"+leader[len(leader)-4:]) {
			t.Errorf("slot %d: the card says %q, want leader %s", slot, said, leader)
		}
		s.wait(fmt.Sprintf(`document.getElementById("tip").textContent.includes(%q)`, vote[:6]))
		for _, want := range []string{"UTC", "Local", "± "} {
			if !strings.Contains(said, want) {
				t.Errorf("the card says %q, want %q in it", said, want)
			}
		}
	}
	s.shotOfView("slot-card")
}

func TestBrowserEpochs(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	s.do(chromedp.Click("#tab-next"))
	s.wait(`document.getElementById("title").textContent === "Epoch 901"`)
	s.drawn()
	if got := s.text("#facts .badge"); got != "Approximate" {
		t.Errorf("the next epoch is %s", got)
	}
	if got := s.text("#digest"); got != s.service.Digest(901) {
		t.Errorf("digest %s, want %s", got, s.service.Digest(901))
	}
	s.wait(`location.hash === "#epoch=next"`)
	// With arrow keys from tab to tab.
	s.do(chromedp.Focus("#tab-next"))
	s.press(kb.ArrowLeft, kb.ArrowLeft)
	s.wait(`document.getElementById("title").textContent === "Epoch 899"`)
	// One that is none of the three.
	s.do(chromedp.SetValue("#other", "892"))
	eval[any](s, `document.getElementById("other").dispatchEvent(new Event("change"))`)
	s.wait(`document.getElementById("title").textContent === "Epoch 892"`)
	s.drawn()
	s.wait(`location.hash === "#epoch=892"`)
}

// What is in the address is what is shown, at once and when it changes.
func TestBrowserAddress(t *testing.T) {
	a, _ := topLeader(t, 3)
	b, vote := topLeader(t, 30)
	s := browse(t, pagetest.Options{}, setup{hash: "#epoch=899&leaders=" + a + "," + vote + "&shown=" + vote + "&view=200000-400&quiet=30m"})
	s.drawn()
	if got := s.text("#title"); got != "Epoch 899" {
		t.Errorf("title %q", got)
	}
	if got := s.text("#leader h2"); got != b {
		t.Errorf("shows %q, want the identity %s of the vote account", got, b)
	}
	if got := s.text("#range"); !strings.Contains(got, "of 432,000 slots") {
		t.Errorf("range %q, want a part", got)
	}
	s.wait(`document.getElementById("quiet-time")?.value === "30m"`)
	if got := s.hash(); !strings.Contains(got, "view=200000-400") {
		t.Errorf("address %q, want the view kept", got)
	}
	eval[any](s, fmt.Sprintf(`location.hash = "#leaders=%s"`, a))
	s.wait(`document.getElementById("title").textContent === "Epoch 900"`)
	s.wait(fmt.Sprintf(`document.querySelector("#leader h2").textContent === %q`, a))
	s.drawn()
	if got := s.text("#range"); !strings.HasPrefix(got, "432,000 slots") {
		t.Errorf("range %q, want the whole epoch", got)
	}
	// Nonsense is left out, and is no error.
	eval[any](s, `location.hash = "#epoch=x&leaders=<img>,0OIl&view=9-9-9&quiet=1y&%%%"`)
	s.wait(`document.getElementById("leader").hidden`)
	s.drawn()
}
