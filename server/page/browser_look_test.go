package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/schedgen/schedgen/server/page/pagetest"
)

const ground = `getComputedStyle(document.body).backgroundColor`

func TestBrowserDark(t *testing.T) {
	a, _ := topLeader(t, 40)
	b, _ := topLeader(t, 2)
	s := browse(t, pagetest.Options{}, setup{dark: true})
	s.drawn()
	s.shot("desktop-dark")
	dark := eval[string](s, ground)
	pixel := `(() => {
		const copy = new OffscreenCanvas(1, 1).getContext("2d");
		copy.drawImage(document.getElementById("pixels"), -9, -3);
		return copy.getImageData(0, 0, 1, 1).data.join();
	})()`
	darkPixel := eval[string](s, pixel)
	if got := s.text("#theme"); got != "Auto" {
		t.Errorf("the switch says %q", got)
	}
	// The switch goes before the system, and the picture follows.
	s.do(chromedp.Click("#theme"))
	s.wait(ground + ` !== "` + dark + `"`)
	s.wait(pixel + ` !== "` + darkPixel + `"`)
	light := eval[string](s, ground)
	// It is remembered.
	s.do(chromedp.Reload())
	s.drawn()
	if got := eval[string](s, ground); got != light {
		t.Errorf("after loading again the ground is %s, want %s", got, light)
	}
	s.do(chromedp.Click("#theme"))
	s.wait(ground + ` === "` + dark + `"`)
	s.do(chromedp.Navigate(s.url + "?again#leaders=" + a + "," + b))
	s.drawn()
	s.wait(`document.querySelector("#leader .countdown") !== null`)
	s.shot("selected-dark")
	// Back to the system's, which changes meanwhile.
	s.do(chromedp.Click("#theme"))
	call(s, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}},
	})
	s.wait(ground + ` === "` + light + `"`)
}

// At the width of a small phone nothing goes over the edge.
func TestBrowserPhone(t *testing.T) {
	a, _ := topLeader(t, 40)
	b, _ := topLeader(t, 7) // with two vote accounts
	for name, with := range map[string]setup{
		"phone-light": {width: 360, height: 740, scale: 3, phone: true},
		"phone-dark":  {width: 360, height: 740, scale: 3, phone: true, dark: true, hash: "#leaders=" + a + "," + b + "&shown=" + b},
		"phone-tiny":  {width: 320, height: 560, scale: 2, phone: true, hash: "#leaders=" + a},
	} {
		t.Run(name, func(t *testing.T) {
			s := browse(t, pagetest.Options{}, with)
			s.drawn()
			if strings.Contains(with.hash, "leaders") {
				s.wait(`document.querySelector("#leader .countdown") !== null && document.querySelector("#quiet .big") !== null`)
			}
			if width := eval[int64](s, `document.documentElement.scrollWidth`); width > with.width {
				over := eval[[]string](s, `[...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > innerWidth + 1).map((node) => node.tagName + "." + node.className).slice(0, 8)`)
				t.Errorf("the page is %d wide, the window %d: %v", width, with.width, over)
			}
			// Tables do not need to be moved sideways either.
			if with.width >= 360 {
				over := eval[[]string](s, `[...document.querySelectorAll(".scroll")].filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.getAttribute("aria-labelledby") + " " + node.scrollWidth + " > " + node.clientWidth)`)
				if len(over) > 0 {
					t.Errorf("tables go over the edge: %v", over)
				}
			}
			// What a finger is to hit is large enough for one.
			small := eval[[]string](s, `[...document.querySelectorAll("button, select, a")].filter((node) => node.getClientRects().length && node.className !== "skip" && node.getBoundingClientRect().height < 24 && !node.closest("td, th, p")).map((node) => node.id || node.textContent).slice(0, 8)`)
			if len(small) > 0 {
				t.Errorf("lower than 24 pixels: %v", small)
			}
			s.shot(name)
		})
	}
}

func TestBrowserReducedMotion(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{reducedMotion: true})
	s.drawn()
	moving := eval[[]string](s, `[...document.querySelectorAll("*")].filter((node) => {
		const style = getComputedStyle(node);
		return style.transitionDuration !== "0s" || style.animationName !== "none";
	}).map((node) => node.tagName + "." + node.className).slice(0, 8)`)
	if len(moving) > 0 {
		t.Errorf("moves although the reader asked for none: %v", moving)
	}
}

// Short epochs, such as those of warm-up, are pictures too.
func TestBrowserShortEpochs(t *testing.T) {
	for _, slots := range []uint64{32, 200, 432, 8192} {
		s := browse(t, pagetest.Options{Schedule: normal(slots), Epoch: 40}, setup{})
		s.drawn()
		if got := s.text("#title"); got != "Epoch 40" {
			t.Errorf("%d slots: title %q", slots, got)
		}
		x, y := s.middleOfPlot()
		top := eval[float64](s, `document.getElementById("plot").getBoundingClientRect().top`)
		if slots < 500 && y-top > 250 {
			t.Errorf("%d slots are in a plot of %.0f pixels", slots, 2*(y-top))
		}
		s.do(chromedp.MouseEvent("mouseMoved", x-400, top+10))
		s.wait(`!document.getElementById("tip").hidden`)
		s.do(chromedp.Focus("#plot"))
		s.press("+", "+", "-", "0")
	}
}
