package page_test

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/schedgen/schedgen/server/page/pagetest"
)

// axeVariable names the file axe.min.js of the npm package axe-core.
const axeVariable = "SCHEDGEN_AXE"

type axeViolation struct {
	ID    string   `json:"id"`
	Help  string   `json:"help"`
	Nodes []string `json:"nodes"`
}

// The rules of axe-core find nothing, in each state that the page can be in.
func TestBrowserAccessible(t *testing.T) {
	findBrowser(t)
	file := os.Getenv(axeVariable)
	if file == "" {
		t.Skipf("%s does not name axe-core's axe.min.js: accessibility is not checked", axeVariable)
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := topLeader(t, 40)
	b, _ := topLeader(t, 7)
	states := map[string]struct {
		with   setup
		faults pagetest.Faults
		then   func(s *session)
	}{
		"light":    {},
		"dark":     {with: setup{dark: true}},
		"selected": {with: setup{hash: "#leaders=" + a + "," + b}, then: answered},
		"selected in the dark, on a phone": {
			with: setup{dark: true, width: 360, height: 740, phone: true, hash: "#leaders=" + a + "," + b}, then: answered,
		},
		"suggestions": {then: func(s *session) {
			s.do(chromedp.Focus("#find"))
			s.press("6")
			s.wait(`!document.getElementById("found").hidden`)
		}},
		"zoomed in, with a card": {with: setup{hash: "#view=190000-50"}, then: func(s *session) {
			s.do(chromedp.Focus("#plot"))
			s.press("n")
			s.wait(`!document.getElementById("tip").hidden`)
		}},
		"next epoch":    {with: setup{hash: "#epoch=next"}},
		"unknown epoch": {with: setup{hash: "#epoch=12"}},
		"all is wrong":  {with: setup{dark: true}, faults: pagetest.Faults{NoClock: true, NotReady: true, Differs: true, NoLeaders: true}},
	}
	for name, state := range states {
		t.Run(name, func(t *testing.T) {
			s := browse(t, pagetest.Options{}, setup{width: 1280, height: 900})
			s.service.SetFaults(state.faults)
			s.prepare(state.with)
			s.do(chromedp.Navigate(s.url + "?state" + state.with.hash))
			s.wait(`document.getElementById("tabs").children.length === 3 && document.querySelector("#tab-current b").textContent === "900"`)
			if state.with.hash != "#epoch=12" {
				s.drawn()
			}
			if state.then != nil {
				state.then(s)
			}
			s.expectConsole("/leaders")
			eval[any](s, string(axe)+"; undefined")
			const run = `axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations.map(({ id, help, nodes }) =>
				({ id, help, nodes: nodes.slice(0, 4).map((node) => node.html.slice(0, 160) + " " + (node.any[0]?.message ?? "")) })))`
			for _, v := range eval[[]axeViolation](s, run) {
				t.Errorf("%s: %s", v.ID, v.Help)
				for _, node := range v.Nodes {
					t.Errorf("\t%s", node)
				}
			}
		})
	}
}

func answered(s *session) {
	s.wait(`document.querySelector("#leader .countdown") !== null && document.querySelector("#quiet .big") !== null`)
}
