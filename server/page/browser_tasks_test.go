package page_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/schedgen/schedgen/server/page/pagetest"
)

// watchTasks notes every task that kept the page from answering for more than 50 ms.
const watchTasks = `
	window.longTasks = [];
	new PerformanceObserver((list) => {
		for (const entry of list.getEntries()) longTasks.push(Math.round(entry.duration));
	}).observe({ type: "longtask", buffered: true });
`

// With 5,000 validators all works as with fewer. How long tasks took is logged, and
// compared with nothing: machines differ.
func TestBrowserManyValidators(t *testing.T) {
	s := browse(t, pagetest.Options{Validators: 5000}, setup{script: watchTasks})
	s.drawn()
	report := func(what string) {
		t.Helper()
		t.Logf("%s: tasks of more than 50 ms: %v", what, eval[[]int](s, `longTasks.splice(0)`))
	}
	paints := eval[map[string]float64](s, `Object.fromEntries(performance.getEntriesByType("paint").map((entry) => [entry.name, Math.round(entry.startTime)]))`)
	t.Logf("first paint after %.0f ms, first contentful paint after %.0f ms; all drawn after less than %.0f ms",
		paints["first-paint"], paints["first-contentful-paint"], eval[float64](s, `performance.now()`))
	report("load")

	x, y := s.middleOfPlot()
	for range 25 {
		s.wheel(x, y, -120)
	}
	s.wait(`location.hash.includes("view=")`)
	report("zoom")
	s.do(chromedp.DragAndDropXY(x, y, x-150, y-90, 20))
	s.settled()
	report("drag")
	for i := range 60 {
		s.do(chromedp.MouseEvent("mouseMoved", x-300+float64(10*i), y))
	}
	report("hover")
	s.do(chromedp.Focus("#plot"))
	s.press("0")
	s.settled()
	report("whole epoch")

	a, _ := s.service.TopLeader(0)
	s.do(chromedp.Focus("#find"))
	for _, letter := range a[:6] {
		s.press(string(letter))
	}
	s.wait(`document.querySelectorAll("#found li").length > 0`)
	report("search")
	s.do(chromedp.Click("#found li"))
	s.wait(`document.querySelector("#leader .countdown") !== null`)
	report("select")
	s.do(chromedp.Click("#sort-luck"), chromedp.Click("#leaders-last"))
	s.wait(`document.querySelector("#leaders .pager span").textContent.endsWith(" of 4,875 leaders")`)
	report("table")
	s.do(chromedp.Click("#theme"), chromedp.Click("#theme"))
	s.settled()
	report("colours")
	s.do(chromedp.Click("#tab-next"))
	s.wait(fmt.Sprintf(`document.getElementById("digest")?.textContent === %q`, s.service.Digest(901)))
	s.drawn()
	report("next epoch")
	s.do(chromedp.Click("#tab-current"))
	s.drawn()
	report("back")
}
