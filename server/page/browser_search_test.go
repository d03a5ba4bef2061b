package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/schedgen/schedgen/server/page/pagetest"
)

const chips = `document.querySelectorAll("#chips li:not(.clear)").length`

func TestBrowserSearch(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	a, _ := s.service.TopLeader(12)
	b, vote := s.service.TopLeader(77)
	c, _ := s.service.TopLeader(5)

	// By the beginning of an identity: the first suggestion is the one.
	s.do(chromedp.Focus("#find"))
	s.press(a[:7])
	s.wait(`document.querySelectorAll("#found li").length === 1`)
	if got := eval[string](s, `document.getElementById("find").getAttribute("aria-activedescendant")`); got != "found-0" {
		t.Errorf("active suggestion %q", got)
	}
	s.press(kb.Enter)
	s.wait(chips + ` === 1`)
	s.wait(fmt.Sprintf(`document.querySelector("#leader h2").textContent === %q`, a))

	// By vote account.
	s.press(vote[:8], kb.Enter)
	s.wait(chips + ` === 2`)
	s.wait(fmt.Sprintf(`document.querySelector("#leader h2").textContent === %q`, b))

	// Several at once; one of them twice, and one that nothing begins with.
	s.press(c[:9]+", "+a+" l0l,", kb.Enter)
	s.wait(chips + ` === 3`)
	if said := s.text("#find-said"); !strings.Contains(said, "l0l (none)") {
		t.Errorf("said %q of a word that is no key", said)
	}
	s.press(kb.Escape, kb.Escape)

	// A click on a suggestion.
	d, _ := s.service.TopLeader(200)
	s.press(d[:8])
	s.wait(`document.querySelectorAll("#found li").length === 1`)
	s.shotOfView("search")
	s.do(chromedp.Click("#found li"))
	s.wait(chips + ` === 4`)

	// Selected leaders stand out, all others are grey: fewer colours than before.
	s.wait(`document.querySelectorAll("#legend .key").length === 4`)
	s.shot("selected-light")
	s.do(chromedp.Click("#chips .drop"))
	s.wait(chips + ` === 3`)
	s.do(chromedp.Click("#chips .clear button"))
	s.wait(chips + ` === 0 && document.getElementById("leader").hidden`)
}

func TestBrowserSearchSlot(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	s.do(chromedp.Focus("#find"))
	s.press("389000123", kb.Enter)
	s.wait(`document.getElementById("tip").textContent.includes("389,000,123")`)
	s.wait(`location.hash.includes("view=")`)
	// Of the epoch before.
	s.do(chromedp.Focus("#find"))
	s.press("388,400,000", kb.Escape, kb.Escape) // commas make several words of it
	s.press("388400000", kb.Enter)
	s.wait(`document.getElementById("title").textContent === "Epoch 899"`)
	s.drawn()
	s.wait(`document.getElementById("tip").textContent.includes("388,400,000")`)
	s.do(chromedp.Focus("#find"))
	s.press("999999999", kb.Enter)
	s.wait(`document.getElementById("find-said").textContent.includes("not in an epoch that is held")`)
}

// Everything with the keyboard alone, from the top of the page on.
func TestBrowserKeyboard(t *testing.T) {
	s := browse(t, pagetest.Options{}, setup{})
	s.drawn()
	a, _ := s.service.TopLeader(12)
	focused := func() string {
		return eval[string](s, `document.activeElement.id || document.activeElement.className`)
	}
	reach := func(id string) {
		t.Helper()
		for range 60 {
			s.press(kb.Tab)
			if focused() == id {
				outline := eval[string](s, `getComputedStyle(document.activeElement).outlineStyle`)
				if outline == "none" {
					t.Errorf("%s has the focus, and nothing shows it", id)
				}
				return
			}
		}
		t.Fatalf("no way to %s with the Tab key: at %s", id, focused())
	}
	reach("skip")
	reach("theme")
	reach("tab-current")
	reach("find")
	s.press(a[:6], kb.ArrowDown, kb.ArrowUp, kb.Enter)
	s.wait(chips + ` === 1`)
	s.wait(`!document.getElementById("leader").hidden`)

	reach("zoom-in")
	s.press(kb.Enter)
	s.wait(`location.hash.includes("view=")`)
	reach("plot")
	s.press("0")
	s.wait(`!location.hash.includes("view=")`)
	s.press("+", "+", "+", "n")
	s.wait(`document.querySelector("#tip:not([hidden])") !== null`)
	before := s.text("#tip")
	s.press(kb.ArrowRight)
	s.wait(fmt.Sprintf(`document.getElementById("tip").textContent !== %q`, before))
	s.wait(`document.getElementById("plot-said").textContent.startsWith("Slot ")`)
	view := s.hash()
	eval[any](s, `document.getElementById("plot").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", shiftKey: true, bubbles: true }))`)
	s.wait(fmt.Sprintf(`location.hash !== %q`, view))
	s.press(kb.ArrowDown, kb.Enter) // selects the leader there, or drops the one selected
	s.wait(chips + ` !== 1`)

	reach("windows-epoch")
	s.press(" ")
	s.wait(`document.getElementById("windows-title").textContent === "Windows of epoch 900"`)
	reach("quiet-time")
	s.press(kb.ArrowDown)
	s.wait(`location.hash.includes("quiet=15m")`)
	reach("sort-luck")
	s.press(kb.Enter)
	s.wait(`document.querySelector("#leaders th[aria-sort]").textContent === "Luck"`)
	if got := focused(); got != "sort-luck" {
		t.Errorf("after sorting the focus is at %s", got)
	}
}
