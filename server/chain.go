package server

import (
	"net/http"
	"time"
)

// chain returns what every request passes through, from the outside in.
func (s *Server) chain() handler {
	h := handler(func(x *exchange) { x.mount.serve(s, x) })
	h = s.bounded(h)
	h = s.gated(h)
	h = s.paced(h)
	h = s.shared(h)
	h = protected(h)
	return s.observed(h)
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.handle(&exchange{ResponseWriter: w, r: r, mount: mountOf(r)})
}

// Headers of answers, never changed. What is no JSON gets a policy, and the page has
// one of its own.
var (
	noSniff   = []string{"nosniff"}
	noContent = []string{"default-src 'none'; frame-ancestors 'none'"}
	noReferer = []string{"no-referrer"}
)

func protected(next handler) handler {
	return func(x *exchange) {
		header := x.Header()
		header["X-Content-Type-Options"] = noSniff
		if x.mount.form != jsonRPC {
			header["Content-Security-Policy"] = noContent
			header["Referrer-Policy"] = noReferer
		}
		next(x)
	}
}

// What pages of other origins may do when they may ask: no cookie or password is
// sent with it.
var (
	anyOrigin    = []string{"*"}
	crossMethods = []string{"GET, HEAD, POST, OPTIONS"}
	crossHeaders = []string{"*"}
	crossAge     = []string{"86400"}
	crossExposed = []string{"Content-Location, ETag, Retry-After, X-Request-Id"}
)

// shared lets pages of other origins ask.
func (s *Server) shared(next handler) handler {
	if !s.c.CORS {
		return next
	}
	return func(x *exchange) {
		header := x.Header()
		header["Access-Control-Allow-Origin"] = anyOrigin
		if x.r.Method == http.MethodOptions && x.r.Header["Access-Control-Request-Method"] != nil {
			header["Access-Control-Allow-Methods"] = crossMethods
			header["Access-Control-Allow-Headers"] = crossHeaders
			header["Access-Control-Max-Age"] = crossAge
			x.WriteHeader(http.StatusNoContent)
			return
		}
		header["Access-Control-Expose-Headers"] = crossExposed
		next(x)
	}
}

// paced turns addresses away that ask too often.
func (s *Server) paced(next handler) handler {
	if s.rates == nil {
		return next
	}
	retryAfter := s.rates.retryAfter()
	return func(x *exchange) {
		client := clientOf(x.r, s.c.TrustedProxies)
		if x.mount.always || s.rates.allow(client, time.Now()) {
			next(x)
			return
		}
		x.turned = true
		s.metrics.turned.WithLabelValues("rate").Inc()
		s.loud.rate.Do(func() {
			s.log.Warn("an address asks too often and is turned away", "client", client, "limit", s.c.Limits.Rate)
		})
		x.refuse(http.StatusTooManyRequests, "too many requests from one address", retryAfter)
	}
}

// gated bounds the requests that are answered at a time.
func (s *Server) gated(next handler) handler {
	return func(x *exchange) {
		if x.mount.ops {
			next(x)
			return
		}
		if s.gate.enter(x.r.Context()) {
			defer s.gate.leave()
			next(x)
			return
		}
		x.turned = true
		s.metrics.turned.WithLabelValues("busy").Inc()
		s.loud.busy.Do(func() {
			s.log.Warn("more requests than can be answered: some are turned away", "limit", s.c.Limits.MaxConcurrent)
		})
		x.refuse(http.StatusServiceUnavailable, "too many requests at a time", 1)
	}
}

// bounded bounds bodies that nobody else does.
func (s *Server) bounded(next handler) handler {
	return func(x *exchange) {
		switch {
		case x.mount.ownLimit || x.r.ContentLength == 0:
		case x.r.ContentLength > s.c.Limits.MaxBody:
			x.Header().Set("Connection", "close") // rather than read it
			x.refuse(http.StatusRequestEntityTooLarge, "the body is too large", 0)
			return
		default:
			x.r.Body = http.MaxBytesReader(x.ResponseWriter, x.r.Body, s.c.Limits.MaxBody)
		}
		next(x)
	}
}

// serveStakes gives who is allowed to post stakes the time that this takes.
func (s *Server) serveStakes(x *exchange) {
	now := time.Now()
	x.r.Body = &patient{
		ReadCloser: x.r.Body, control: http.NewResponseController(x.ResponseWriter),
		pause: s.c.Limits.ReadTimeout, write: s.c.Limits.WriteTimeout, end: now.Add(s.c.Limits.StakesTimeout),
	}
	s.rest.ServeHTTP(x, x.r)
}
