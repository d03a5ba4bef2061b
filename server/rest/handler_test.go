package rest

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func newLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

func TestNoEpochs(t *testing.T) {
	if _, err := New(Config{}); !errors.Is(err, ErrNoEpochs) {
		t.Error(err)
	}
}

func TestNothingThere(t *testing.T) {
	s := newService(t)
	for _, target := range []string{"/", "/v1", "/v1/", "/v1/epochs/", "/v1/epochs/5/", "/v1/nothing", "/v2/status", "/v1/slots"} {
		s.refused(target, http.StatusNotFound, "route-unknown")
	}
	if p := s.refused("/v1/%3Cscript%3E", http.StatusNotFound, "route-unknown"); p.Instance != "/v1/%3Cscript%3E" {
		t.Errorf("instance %q", p.Instance)
	}
	if body := s.get("/v1/<script>").Body.String(); strings.Contains(body, "<") {
		t.Errorf("reflected: %s", body)
	}
}

func TestMethods(t *testing.T) {
	s := newService(t)
	for target, allow := range map[string]string{"/v1/status": "GET, HEAD, OPTIONS", "/v1/stakes": "OPTIONS, POST", "/v1/epochs/5/schedule": "GET, HEAD, OPTIONS"} {
		for _, method := range []string{"PUT", "DELETE", "PATCH", "BREW"} {
			w := s.do(method, target, "")
			mustRefuse(t, method+target, w, http.StatusMethodNotAllowed, "method-not-allowed")
			if got := w.Header().Get("Allow"); got != allow {
				t.Errorf("%s %s: Allow %q, want %q", method, target, got, allow)
			}
		}
		if w := s.do("OPTIONS", target, ""); w.Code != http.StatusNoContent || w.Header().Get("Allow") != allow || w.Body.Len() > 0 {
			t.Errorf("OPTIONS %s: %d %v %s", target, w.Code, w.Header(), w.Body)
		}
	}
	mustRefuse(t, "GET", s.get("/v1/stakes"), http.StatusMethodNotAllowed, "method-not-allowed")
	mustRefuse(t, "POST", s.do("POST", "/v1/status", ""), http.StatusMethodNotAllowed, "method-not-allowed")
}

func TestUnknownParameters(t *testing.T) {
	s := newService(t)
	for target, parameter := range map[string]string{
		"/v1/status?x=1":                                                       "x",
		"/v1/epochs/5/schedule?identiy=x":                                      "identiy",
		"/v1/epochs/5/schedule?from=1&from=2":                                  "from",
		"/v1/epochs/5?format=csv":                                              "format",
		"/v1/epochs/5/schedule?format=a;b":                                     "",
		"/v1/epochs/5/schedule?format=%zz":                                     "",
		"/v1/epochs/5/leaders?limit=0":                                         "limit",
		"/v1/epochs/5/leaders?limit=-1":                                        "limit",
		"/v1/epochs/5/leaders?limit=%2B1":                                      "limit",
		"/v1/epochs/5/leaders?limit=":                                          "limit",
		"/v1/epochs/5/leaders?limit=1e3":                                       "limit",
		"/v1/leaders/" + absent.String() + "/next?n=1001":                      "n",
		"/v1/leaders/" + absent.String() + "/next?from=18446744073709551616":   "from",
		"/v1/leaders/" + absent.String() + "?firstEpoch=5&lastEpoch=4":         "lastEpoch",
		"/v1/leaders/" + absent.String() + "?firstEpoch=5&lastEpoch=69":        "lastEpoch",
		"/v1/leaders/" + absent.String() + "/windows?min=-5m":                  "min",
		"/v1/leaders/" + absent.String() + "/windows?min=10":                   "ok",
		"/v1/leaders/" + absent.String() + "/windows?min=10x":                  "min",
		"/v1/leaders/" + absent.String() + "/windows?min=18446744073709551616": "min",
		"/v1/leaders/" + absent.String() + "/windows?min=3000000h":             "min",
		"/v1/leaders/" + absent.String()[1:] + "0/next":                        "key",
		"/v1/leaders/x%2Fy":                                                    "key",
		"/v1/slots/18446744073709551616":                                       "slot",
		"/v1/slots/-1":                                                         "slot",
		"/v1/slots/current":                                                    "slot",
		"/v1/epochs/-5":                                                        "epoch",
		"/v1/epochs/last/schedule":                                             "epoch",
		"/v1/epochs/18446744073709551616/leaders":                              "epoch",
		"/v1/epochs/" + strings.Repeat("9", 5000) + "/leaders":                 "epoch",
	} {
		if parameter == "ok" {
			if w := s.get(target); w.Code != http.StatusOK {
				t.Errorf("%s: %d", target, w.Code)
			}
			continue
		}
		p := s.refused(target, http.StatusBadRequest, "bad-parameter")
		if p.Parameter != parameter || len(p.Detail) > 400 {
			t.Errorf("%s: parameter %q: %s", target, p.Parameter, p.Detail)
		}
	}
}

func TestRequestsAreTold(t *testing.T) {
	type told struct {
		route string
		code  int
	}
	var got []told
	s := newService(t, func(c *Config) {
		c.OnRequest = func(route string, code int, took time.Duration) {
			if took < 0 {
				t.Errorf("took %v", took)
			}
			got = append(got, told{route, code})
		}
	})
	s.get("/v1/status")
	s.do("HEAD", "/v1/epochs/5", "")
	s.get("/v1/epochs/9")
	s.get("/v1/epochs/5/schedule", "If-None-Match", "*")
	s.get("/secret")
	s.do("PUT", "/v1/status", "")
	s.do("POST", "/v1/stakes", "")
	want := []told{
		{"GET /v1/status", 200}, {"GET /v1/epochs/{epoch}", 200}, {"GET /v1/epochs/{epoch}", 404},
		{"GET /v1/epochs/{epoch}/schedule", 304}, {"other", 404}, {"other", 405}, {"POST /v1/stakes", 401},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, told := range got {
		if told.route != "other" && !slices.Contains(Routes(), told.route) {
			t.Errorf("%s is none of %v", told.route, Routes())
		}
	}
}

func TestEveryAnswer(t *testing.T) {
	s := newService(t)
	for _, target := range []string{
		"/v1/status", "/v1/epochs", "/v1/epochs/5", "/v1/epochs/5/schedule", "/v1/epochs/5/leaders", "/v1/slots/1011",
		"/v1/epochs/5/schedule?format=text&from=1010&to=1020", "/v1/openapi.json",
		"/v1/leaders/" + absent.String(), "/v1/leaders/" + absent.String() + "/next", "/v1/leaders/" + absent.String() + "/windows",
	} {
		w := s.get(target)
		if w.Code != http.StatusOK || w.Header().Get("X-Content-Type-Options") != "nosniff" || !strings.HasSuffix(w.Body.String(), "\n") {
			t.Errorf("%s: %d %v %s", target, w.Code, w.Header(), w.Body)
		}
		if vary := w.Header().Get("Vary"); !strings.Contains(vary, "Accept-Encoding") {
			t.Errorf("%s: Vary %q", target, vary)
		}
		head := s.do("HEAD", target, "")
		if head.Body.Len() > 0 || head.Code != w.Code || head.Header().Get("ETag") != w.Header().Get("ETag") ||
			head.Header().Get("Content-Length") != w.Header().Get("Content-Length") {
			t.Errorf("HEAD %s: %d %v, want as %v", target, head.Code, head.Header(), w.Header())
		}
		s.refused(target, http.StatusNotAcceptable, "not-acceptable", "Accept", "text/html, image/*;q=0.5")
		again(s, target, w.Header().Get("ETag"))
	}
}

// again asks again with the entity tag that came with an answer.
func again(s *service, target, etag string) {
	s.t.Helper()
	if etag == "" {
		if target != "/v1/status" {
			s.t.Errorf("%s: no entity tag", target)
		}
		return
	}
	if !strings.HasPrefix(etag, `"`) || !strings.HasSuffix(etag, `"`) {
		s.t.Errorf("%s: %s is not a strong entity tag", target, etag)
	}
	for _, same := range []string{etag, "W/" + etag, `"other", ` + etag, "*", `W/"a,b" ,` + etag} {
		w := s.get(target, "If-None-Match", same)
		if w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("ETag") != etag || w.Header().Get("Cache-Control") != "no-cache" {
			s.t.Errorf("%s, If-None-Match %s: %d %v", target, same, w.Code, w.Header())
		}
	}
	for _, other := range []string{`"other"`, etag[1 : len(etag)-1], strings.ToUpper(etag), etag[:len(etag)-1], `x "y" ` + etag} {
		if w := s.get(target, "If-None-Match", other); w.Code != http.StatusOK {
			s.t.Errorf("%s, If-None-Match %s: %d", target, other, w.Code)
		}
	}
}
