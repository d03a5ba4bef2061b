package page_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/schedgen/schedgen/server/page/pagetest"
)

const notices = `document.getElementById("notices").textContent`

func TestBrowserServiceGone(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	s.service.SetFaults(pagetest.Faults{Down: true})
	s.wait(notices + `.includes("cannot be reached")`)
	if got := s.text("#title"); got != "Epoch 900" {
		t.Errorf("title %q: what was known is gone", got)
	}
	s.shot("unreachable")
	// It comes back by itself.
	s.service.SetFaults(pagetest.Faults{})
	s.wait(notices + ` === ""`)
	s.expectConsole("net::ERR_EMPTY_RESPONSE")
}

func TestBrowserUnknownEpoch(t *testing.T) {
	s := browse(t, pagetest.Options{Without: []int{1}}, setup{hash: "#epoch=123"})
	s.wait(notices + `.includes("Epoch 123 is not held")`)
	s.wait(`document.getElementById("plot-state").textContent.includes("Epoch 123 is not held")`)
	if !eval[bool](s, `document.getElementById("tab-next").disabled`) {
		t.Error("the next epoch is not held, and can be chosen")
	}
	s.shot("unknown-epoch")
	s.do(chromedp.Click("#tab-current"))
	s.wait(notices + ` === ""`)
	s.drawn()
}

func TestBrowserNoClock(t *testing.T) {
	a, _ := topLeader(t, 40)
	s := browse(t, pagetest.Options{}, setup{})
	s.service.SetFaults(pagetest.Faults{NoClock: true, NotReady: true, Differs: true})
	s.do(chromedp.Navigate(s.url + "?again#leaders=" + a))
	s.drawn()
	s.wait(notices + `.includes("does not know which slot it is")`)
	said := s.text("#notices")
	for _, want := range []string{"not ready", "another schedule for epoch 900"} {
		if !strings.Contains(said, want) {
			t.Errorf("notices %q, want %q in them", said, want)
		}
	}
	s.wait(`document.querySelector("#leader .answers").textContent.includes("no clock")`)
	if got := eval[bool](s, `document.getElementById("live").getClientRects().length === 0`); !got {
		t.Error("a slot is shown without a clock")
	}
	s.shot("no-clock")
	// The clock comes, and with it times.
	s.service.SetFaults(pagetest.Faults{})
	s.wait(`/^\d\d:\d\d:\d\d$/.test(document.querySelector("#leader .countdown")?.textContent)`)
}

func TestBrowserNoStakes(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	s.service.SetFaults(pagetest.Faults{NoLeaders: true})
	s.do(chromedp.Navigate(s.url + "?again"))
	s.drawn()
	s.wait(notices + `.includes("Vote accounts are not shown")`)
	// What follows from the schedule alone is still there.
	if got := s.text("#leaders tbody tr"); !strings.Contains(got, "10,354,923") || !strings.Contains(got, "σ") {
		t.Errorf("the first leader: %q", got)
	}
	s.expectConsole("/leaders")
}

func TestBrowserClockOff(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.service.SetFaults(pagetest.Faults{BehindHand: 45 * time.Second, Stale: true})
	s.do(chromedp.Navigate(s.url + "?again"))
	s.wait(notices + `.includes("says nothing new")`)
	s.service.SetFaults(pagetest.Faults{BehindHand: 45 * time.Second})
	s.wait(`/This computer’s clock is 4[4-6] s ahead/.test(` + notices + `)`)
}

// A slow service is waited for, and the page says so meanwhile.
func TestBrowserSlowService(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	s.service.SetFaults(pagetest.Faults{Delay: 700 * time.Millisecond})
	s.do(chromedp.Navigate(s.url + "?again"))
	s.wait(`document.getElementById("plot-state").textContent === "Fetching the schedule…"`)
	s.drawn()
}

// Text of the service is text, whatever is in it.
func TestBrowserHostileText(t *testing.T) {
	const evil = `<img src=x onerror="window.evil=1"><script>window.evil=1</script>"'><b>bold</b>`
	s := browse(t, pagetest.Options{Source: evil, Reason: evil + " javascript:evil"}, setup{})
	s.drawn()
	if got := s.text("#source"); !strings.Contains(got, evil) {
		t.Errorf("the source reads %q, want the very text", got)
	}
	if got := eval[int](s, `document.querySelectorAll("#source img, #source script, #source b, #notices img").length`); got > 0 {
		t.Errorf("%d elements were made of text", got)
	}
	s.do(chromedp.Navigate(s.url + `?<script>window.evil=1</script>#epoch=<img src=x onerror=window.evil=1>&leaders=<b>x</b>&view="><b>`))
	s.drawn()
	s.do(chromedp.Focus("#find"))
	s.press(`<img src=x onerror=alert(1)>,`)
	if eval[bool](s, `"evil" in window`) {
		t.Error("text was run")
	}
}
