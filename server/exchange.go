package server

import (
	"net/http"
	"strings"
)

// An exchange is a request and its answer.
type exchange struct {
	http.ResponseWriter
	r     *http.Request
	mount *mount

	status int   // of the answer; 0 before it begins
	bytes  int64 // of its body
	turned bool  // away, by a limit
}

// A handler answers an exchange.
type handler func(*exchange)

func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && status >= 200 || status == http.StatusSwitchingProtocols {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(p []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	n, err := x.ResponseWriter.Write(p)
	x.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// A mount is a part of the service as a path and a method lead to it.
type mount struct {
	name  string // of its requests in logs and metrics, unless they have a pattern
	form  form   // of its errors
	serve func(*Server, *exchange)

	ops      bool // answers though there are too many requests
	always   bool // answers though one address asks too often
	ownLimit bool // bounds bodies itself
}

// A form is how an error is told.
type form uint8

const (
	plainText form = iota
	jsonRPC
	problemJSON
)

var (
	mountRPC     = &mount{name: "POST /", form: jsonRPC, ownLimit: true, serve: func(s *Server, x *exchange) { s.rpc.ServeHTTP(x, x.r) }}
	mountSocket  = &mount{name: "websocket", ops: true, serve: func(s *Server, x *exchange) { s.rpc.ServeHTTP(x, x.r) }}
	mountPage    = &mount{name: "page", serve: func(s *Server, x *exchange) { s.page.ServeHTTP(x, x.r) }}
	mountREST    = &mount{name: "/v1", form: problemJSON, serve: func(s *Server, x *exchange) { s.rest.ServeHTTP(x, x.r) }}
	mountStakes  = &mount{name: "/v1/stakes", form: problemJSON, ownLimit: true, serve: (*Server).serveStakes}
	mountHealth  = &mount{name: "/health", ops: true, serve: (*Server).serveHealth}
	mountHealthz = &mount{name: "/healthz", ops: true, always: true, serve: (*Server).serveHealthz}
	mountReadyz  = &mount{name: "/readyz", ops: true, always: true, serve: (*Server).serveReadyz}
	mountMetrics = &mount{name: "/metrics", ops: true, serve: (*Server).serveMetrics}
	mountNone    = &mount{name: "none", serve: (*Server).serveNone}
)

// mountOf returns where a request goes.
func mountOf(r *http.Request) *mount {
	switch path := r.URL.Path; {
	case path == "/" && r.Method == http.MethodGet && r.Header["Upgrade"] != nil:
		return mountSocket
	case path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead), strings.HasPrefix(path, "/assets/"):
		return mountPage
	case path == "/":
		return mountRPC
	case path == "/v1/stakes":
		return mountStakes
	case path == "/v1" || strings.HasPrefix(path, "/v1/"):
		return mountREST
	case path == "/health":
		return mountHealth
	case path == "/healthz":
		return mountHealthz
	case path == "/readyz":
		return mountReadyz
	case path == "/metrics":
		return mountMetrics
	}
	return mountNone
}

// route names the request in logs and metrics: few names, whatever clients ask for.
func (x *exchange) route() string {
	if x.mount.form == problemJSON && strings.Contains(x.r.Pattern, " ") {
		return x.r.Pattern // as package rest found it
	}
	return x.mount.name
}

func (s *Server) serveNone(x *exchange) {
	x.refuse(http.StatusNotFound, "nothing is here: JSON-RPC is at POST /, the page at /, the rest at /v1", 0)
}

func (s *Server) serveHealth(x *exchange) {
	if x.readOnly() {
		s.rpc.ServeHealth(x, x.r)
	}
}

// readOnly reports whether the method is GET or HEAD, and refuses others.
func (x *exchange) readOnly() bool {
	if x.r.Method == http.MethodGet || x.r.Method == http.MethodHead {
		return true
	}
	x.Header().Set("Allow", "GET, HEAD")
	x.refuse(http.StatusMethodNotAllowed, "want GET or HEAD", 0)
	return false
}
