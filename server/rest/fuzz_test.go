package rest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/example"
)

// Whatever is asked, the answer is one that is described: JSON where it says so, and
// a problem where it is an error.
func FuzzRequest(f *testing.F) {
	s := newService(f)
	identity, votes := subjects(s)
	for _, seed := range [][4]string{
		{"/v1/status", "", "", ""},
		{"/v1/epochs", "x=1", "gzip", `W/"a", *`},
		{"/v1/epochs/current/schedule", "format=csv&columns=all", "zstd;q=0.5, gzip", `"a"`},
		{"/v1/epochs/5/schedule", "format=text&from=1010&to=1020&identity=" + identity.String(), "*", `"`},
		{"/v1/epochs/5/schedule", "format=parquet&download=1", "identity", `,,W/`},
		{"/v1/epochs/next/leaders", "limit=2", "gzip", "*"},
		{"/v1/slots/1060", "", "", ""},
		{"/v1/leaders/" + votes[0].String(), "firstEpoch=0&lastEpoch=63", "", ""},
		{"/v1/leaders/" + identity.String() + "/next", "n=1000&from=808", "", ""},
		{"/v1/leaders/" + absent.String() + "/windows", "min=1h30m&limit=1", "", ""},
		{"/v1//epochs/../stakes", "a;b", "", ""},
		{"/v1/leaders/%2f/next", "%", "", ""},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, path, query, coding, match string) {
		u, err := url.ParseRequestURI("/" + strings.TrimLeft(path, "/"))
		if err != nil {
			t.Skip("no path of a request")
		}
		u.RawQuery = query
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL = u
		r.Header.Set("Accept-Encoding", coding)
		r.Header.Set("If-None-Match", match)
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		checkAnswer(t, w)
	})
}

func checkAnswer(t *testing.T, w *httptest.ResponseRecorder) {
	mediaType := bare(w.Header().Get("Content-Type"))
	switch {
	case w.Code == http.StatusNotModified:
		if w.Body.Len() > 0 {
			t.Errorf("a body with 304: %s", w.Body)
		}
	case w.Code >= 300 && w.Code < 400: // of the mux, to a path without empty parts
	case w.Code >= 400:
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || mediaType != "application/problem+json" || p.Status != w.Code || p.Type == "" {
			t.Errorf("%d %s: %v", w.Code, w.Body, err)
		}
		if w.Code >= 500 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if len(p.Detail) > 1000 {
			t.Errorf("%d bytes of detail", len(p.Detail))
		}
	default:
		body := plainBody(t, w)
		if mediaType == jsonType && !json.Valid([]byte(body)) {
			t.Errorf("no JSON: %s", body)
		}
	}
}

// Whatever is posted, it is taken as a whole or not at all.
func FuzzPost(f *testing.F) {
	s := newService(f)
	f.Add("", []byte(ownForm(f, made(7, 1, 3))))
	f.Add("epoch=7", []byte(asCSV(f, made(7, 1, 3))))
	f.Add("epoch=7", example.CSV()[:1000])
	f.Add("epoch=99", []byte(`[{"pubkey":"x","stake":1}]`))
	f.Fuzz(func(t *testing.T, query string, body []byte) {
		registry := newRegistry(t, "vote")
		s.handler.c.Epochs = registry
		r := httptest.NewRequest(http.MethodPost, "/v1/stakes", strings.NewReader(string(body)))
		r.URL.RawQuery = query
		r.Header.Set("Authorization", bearer)
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		if taken := w.Code < 300; taken != (len(registry.Held()) > 0) {
			t.Errorf("%d %s, and %d epochs are held", w.Code, w.Body, len(registry.Held()))
		}
		for _, held := range registry.Held() {
			if _, err := registry.Epoch(held.Epoch); err != nil {
				t.Errorf("epoch %d: %v", held.Epoch, err)
			}
		}
		if _, err := csv.ReadList(strings.NewReader(string(body)), "body"); err == nil && query == "epoch=7" && w.Code == http.StatusInternalServerError {
			t.Errorf("a list fails: %s", w.Body)
		}
	})
}
