package server

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

// Neither tokens nor queries, nor paths that lead nowhere, get into the log at any
// level.
func TestLogHasNoSecrets(t *testing.T) {
	s := smallService(t)
	for _, ask := range []func(){
		func() { s.get("/v1/status?secret-a=1") },
		func() { s.get("/v1/slots/1050?x=secret-b") },
		func() { s.get("/secret-c/key") },
		func() { s.get("/?token=secret-d") },
		func() { s.post(made(7, 0, 10)) },
		func() { s.do("POST", "/v1/stakes", "x", "Authorization", "Bearer secret-e") },
		func() { s.do("POST", "/v1/stakes?token=secret-f", "x", "Authorization", "Basic c2VjcmV0") },
		func() {
			s.do("POST", "/?api-key=secret-g", `{"jsonrpc":"2.0"}`, "Content-Type", "application/json", "Cookie", "secret-h")
		},
		func() { s.get("/v1/status", "Authorization", "Bearer "+token, "X-Api-Key", "secret-i") },
	} {
		ask()
	}
	log := s.log.String()
	for _, secret := range []string{token, "secret-", "c2VjcmV0"} {
		if i := strings.Index(log, secret); i >= 0 {
			t.Errorf("the log has %q: %.300s", secret, log[max(0, i-150):])
		}
	}
	if n := strings.Count(log, "msg=request"); n < 9 {
		t.Errorf("%d requests are logged", n)
	}
}

// What worked is logged for those who look for it, what did not for those who look.
func TestLogLevels(t *testing.T) {
	s := smallService(t)
	for path, c := range map[string]struct{ level, route string }{
		"/v1/status":     {"DEBUG", `"GET /v1/status"`},
		"/v1/slots/1050": {"DEBUG", `"GET /v1/slots/{slot}"`},
		"/v1/slots/x":    {"INFO", `"GET /v1/slots/{slot}"`},
		"/v1/nothing":    {"INFO", "/v1"},
		"/":              {"DEBUG", "page"},
	} {
		r := s.get(path)
		id := "id=" + r.header.Get("X-Request-Id") + " "
		eventually(t, "it is logged", func() bool { return strings.Contains(s.log.String(), id) })
		for line := range strings.SplitSeq(s.log.String(), "\n") {
			if strings.Contains(line, id) && !(strings.Contains(line, "level="+c.level) && strings.Contains(line, " route="+c.route+" ") &&
				strings.Contains(line, " path="+path+" ") && strings.Contains(line, "client=127.0.0.1") && strings.Contains(line, "took=")) {
				t.Errorf("%s: %s", path, line)
			}
		}
	}
}

// Requests are not logged where nobody wants to know.
func TestLogLevel(t *testing.T) {
	log := new(journal)
	s := smallService(t, func(c *Config) { c.Log = slog.New(slog.NewJSONHandler(log, nil)) })
	for range 10 {
		s.get("/v1/status")
	}
	s.get("/nothing")
	if got := log.String(); strings.Contains(got, `"status":200`) || !strings.Contains(got, `"status":404`) || !strings.Contains(got, `"path":"(unknown)"`) {
		t.Errorf("got %s", got)
	}
}

// Pages of other origins may ask when that is switched on, for everything a client
// sends.
func TestCORS(t *testing.T) {
	s := smallService(t, func(c *Config) { c.CORS = true })
	r := s.do(http.MethodOptions, "/", "", "Origin", "https://elsewhere.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type,solana-client")
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS", "Access-Control-Allow-Headers": "*", "Access-Control-Max-Age": "86400",
	} {
		if got := r.header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if r.status != http.StatusNoContent || r.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("got %+v", r)
	}
	for _, path := range []string{"/v1/status", "/v1/nothing", "/nothing"} {
		if r := s.get(path, "Origin", "https://elsewhere.example"); r.header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(r.header.Get("Access-Control-Expose-Headers"), "ETag") {
			t.Errorf("%s: %v", path, r.header)
		}
	}
}
