package page_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/schedgen/schedgen/server/page/pagetest"
)

// view returns the first slot index that is seen and the slots a row, as the address
// has them.
func (s *session) view() (start, row int) {
	s.t.Helper()
	hash := eval[string](s, `new URLSearchParams(location.hash.slice(1)).get("view") ?? ""`)
	if hash == "" {
		return 0, 0
	}
	if _, err := fmt.Sscanf(hash, "%d-%d", &start, &row); err != nil {
		s.t.Fatalf("view %q: %v", hash, err)
	}
	return start, row
}

// settled waits until the address has followed.
func (s *session) settled() {
	s.t.Helper()
	eval[any](s, `new Promise((resolve) => setTimeout(resolve, 350))`)
}

func (s *session) middleOfPlot() (x, y float64) {
	s.t.Helper()
	box := eval[[]float64](s, `(() => {
		document.getElementById("plot").scrollIntoView({ block: "center" });
		const b = document.getElementById("plot").getBoundingClientRect();
		return [b.left + b.width / 2, b.top + b.height / 2];
	})()`)
	return box[0], box[1]
}

func (s *session) wheel(x, y, delta float64) {
	s.t.Helper()
	call(s, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: 0.001, DeltaY: delta, // a DeltaX of 0 would not be sent
	})
}

func TestBrowserZoomAndPan(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	x, y := s.middleOfPlot()
	s.do(chromedp.MouseEvent("mouseMoved", x, y))
	s.settled()

	// The slot under the pointer stays there.
	under := `(() => { const said = document.getElementById("tip").textContent; return said.slice(said.indexOf("Slot") + 4, said.indexOf(" (")); })()`
	for range 12 {
		s.wheel(x, y, -240)
	}
	s.wait(`location.hash.includes("view=")`)
	s.settled()
	if _, row := s.view(); row == 0 || row > 400 {
		t.Fatalf("twelve turns of the wheel left %d slots a row", row)
	}
	s.do(chromedp.MouseEvent("mouseMoved", x+1, y))
	s.wait(`!document.getElementById("tip").hidden`)
	first := eval[string](s, under)
	s.wheel(x+1, y, -120)
	s.settled()
	s.do(chromedp.MouseEvent("mouseMoved", x+2, y), chromedp.MouseEvent("mouseMoved", x+1, y))
	s.wait(`!document.getElementById("tip").hidden`)
	if second := eval[string](s, under); second != first {
		t.Errorf("zooming in on slot %s ended at slot %s", first, second)
	}
	s.shotOfView("zoomed-light")

	// Drag: paper moves with the hand.
	start, row := s.view()
	s.do(chromedp.DragAndDropXY(x, y, x-200, y, 5))
	s.settled()
	moved, same := s.view()
	if same != row || moved <= start || moved > start+row {
		t.Errorf("a drag to the left took the view from %d to %d, %d slots a row", start, moved, row)
	}
	s.do(chromedp.DragAndDropXY(x, y, x, y+150, 5))
	s.settled()
	if up, _ := s.view(); up >= moved-row {
		t.Errorf("a drag down took the view from %d to %d", moved, up)
	}
	if got := eval[int](s, chips); got != 0 {
		t.Errorf("dragging selected %d leaders", got)
	}
	// A click selects, and the picture stays where it is although the answer appears
	// above it.
	const top = `document.getElementById("plot").getBoundingClientRect().top`
	before := eval[float64](s, top)
	s.do(chromedp.MouseClickXY(x, y))
	s.wait(chips + ` === 1`)
	s.wait(`document.querySelector("#leader .countdown") !== null`)
	s.settled()
	if after := eval[float64](s, top); math.Abs(after-before) > 2 {
		t.Errorf("a click moved the picture from %.0f to %.0f", before, after)
	}

	// Out again, as far as it goes.
	for range 30 {
		s.wheel(x, y, 240)
	}
	s.wait(`!location.hash.includes("view=")`)
}

// A wheel that scrolls the page does not get stuck in the picture.
func TestBrowserScrollsPast(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	x, y := s.middleOfPlot()
	s.do(chromedp.MouseEvent("mouseMoved", x, y))
	before := eval[float64](s, `scrollY`)
	s.wheel(x, y, 300) // out of the whole epoch: nothing to zoom
	s.wait(fmt.Sprintf(`scrollY > %f`, before))
	if start, row := s.view(); row != 0 {
		t.Errorf("scrolling down zoomed to %d, %d", start, row)
	}
}

func TestBrowserPinch(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{width: 360, height: 740, scale: 2, phone: true})
	s.drawn()
	x, y := s.middleOfPlot()
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		t.Helper()
		call(s, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
	}
	one, two := 1.0, 2.0
	at := func(dx float64) []*input.TouchPoint {
		return []*input.TouchPoint{{X: x - dx, Y: y, ID: &one}, {X: x + dx, Y: y, ID: &two}}
	}
	touch(input.DispatchTouchEventTypeTouchStart, at(20)...)
	for dx := 25.0; dx <= 100; dx += 5 {
		touch(input.DispatchTouchEventTypeTouchMove, at(dx)...)
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
	s.wait(`location.hash.includes("view=")`)
	s.settled()
	_, row := s.view()
	if row == 0 || row > 3000 {
		t.Errorf("spreading two fingers to five times left %d slots a row", row)
	}
	// One finger asks, and selects when it comes again.
	s.do(chromedp.TapXY(x, y))
	s.wait(`!document.getElementById("tip").hidden`)
	if got := eval[int](s, chips); got != 0 {
		t.Errorf("the first tap selected %d leaders", got)
	}
	s.do(chromedp.TapXY(x, y))
	s.wait(chips + ` === 1`)
}
