package server

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// Whatever is asked, the service answers, and no mistake of its own.
func FuzzServeHTTP(f *testing.F) {
	for _, seed := range []struct{ method, path, query, body, name, value string }{
		{"POST", "/", "", `{"jsonrpc":"2.0","id":1,"method":"getLeaderSchedule","params":[null,{"identity":"x"}]}`, "Content-Type", "application/json"},
		{"POST", "/", "", `[`, "Content-Type", "application/json"},
		{"GET", "/", "", "", "Upgrade", "websocket"},
		{"GET", "/v1/epochs/5/schedule", "format=csv&from=1000&to=1100", "", "Accept-Encoding", "gzip"},
		{"POST", "/v1/stakes", "epoch=5", "pubkey,stake\n", "Authorization", "Bearer x"},
		{"GET", "/assets/../index.html", "", "", "If-None-Match", "*"},
		{"OPTIONS", "*", "", "", "Access-Control-Request-Method", "POST"},
		{"GET", "/metrics", "", "", "Accept", "application/openmetrics-text"},
		{"GET", "//v1//status", "x=%zz", "", "X-Forwarded-For", "1, 2"},
	} {
		f.Add(seed.method, seed.path, seed.query, seed.body, seed.name, seed.value)
	}
	c := small(f)
	c.Listen, c.CORS = "127.0.0.1:0", true
	s, err := New(c)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	for epoch := uint64(5); epoch <= 6; epoch++ {
		if _, err := s.epochs.Put(made(epoch, 0, 10)); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, method, path, query, body, name, value string) {
		if strings.EqualFold(method, http.MethodConnect) || !token68(method) || !token68(name) || strings.ContainsAny(value, "\r\n\x00") {
			t.Skip("net/http lets no such request in")
		}
		r := &http.Request{
			Method: method, URL: &url.URL{Path: path, RawQuery: query}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Host: "localhost", RemoteAddr: "192.0.2.1:1", ContentLength: int64(len(body)),
			Body: http.NoBody,
		}
		if body != "" {
			r.Body = struct {
				*strings.Reader
				nopCloser
			}{strings.NewReader(body), nopCloser{}}
		}
		r.Header.Set(name, value)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code < 200 || w.Code >= 500 && w.Code != http.StatusServiceUnavailable && w.Code != http.StatusNotImplemented {
			t.Errorf("%s %q?%q: %d %s", method, path, query, w.Code, w.Body)
		}
		if w.Header().Get("X-Request-Id") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %q: headers %v", method, path, w.Header())
		}
	})
}

type nopCloser struct{}

func (nopCloser) Close() error { return nil }

// token68 reports whether text is what HTTP calls a token, about.
func token68(text string) bool {
	return text != "" && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// A client is an address that a trusted proxy names, or that of the connection.
func FuzzClientOf(f *testing.F) {
	for _, seed := range []string{"", "9.9.9.9", "1.1.1.1, 9.9.9.9", "[2001:db8::1]:5", "fe80::1%eth0", ",,,", "10.0.0.1,10.0.0.2", "1.1.1.1:99999"} {
		f.Add("10.0.0.1:5", seed)
		f.Add("192.0.2.1:5", seed)
	}
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	f.Fuzz(func(t *testing.T, remote, forwarded string) {
		r := &http.Request{RemoteAddr: remote, Header: http.Header{"X-Forwarded-For": {forwarded}}}
		got := clientOf(r, trusted)
		at, err := netip.ParseAddrPort(remote)
		switch {
		case err != nil:
			if got.IsValid() {
				t.Errorf("%q: got %v", remote, got)
			}
		case !among(trusted, at.Addr().Unmap()):
			if got != at.Addr().Unmap() {
				t.Errorf("%q for %q: got %v", remote, forwarded, got)
			}
		case got != at.Addr().Unmap() && !strings.Contains(strings.ToLower(forwarded), strings.ToLower(firstOf(got))):
			t.Errorf("%q for %q: got %v", remote, forwarded, got)
		}
		network(got)
	})
}

// firstOf returns how the text of an address begins, whichever way it was written.
func firstOf(a netip.Addr) string {
	if a.Is4() {
		return ""
	}
	return a.String()[:1]
}
