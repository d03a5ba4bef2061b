package server

import (
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/schedgen/schedgen/server/feed"
)

// metrics are what is counted as it happens; a collector adds what is looked up when
// somebody asks.
type metrics struct {
	registry *prometheus.Registry
	handler  http.Handler

	requests, calls, turned, ingests, comparisons *prometheus.CounterVec
	panics                                        prometheus.Counter
	requestTime, callTime                         *prometheus.HistogramVec
	deriveTime                                    prometheus.Histogram

	ofRequests, ofCalls series
}

// From a lookup in memory to what nobody waits for.
var buckets = []float64{.00001, .00003, .0001, .0003, .001, .003, .01, .03, .1, .3, 1, 3, 10}

func newMetrics(s *Server) *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "schedgen_" + name, Help: help}, labels)
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "schedgen_" + name, Help: help, Buckets: buckets}, labels)
	}
	m.requests = counter("http_requests_total", "Requests over HTTP that were answered.", "route", "code")
	m.requestTime = histogram("http_request_duration_seconds", "Time to answer a request over HTTP, until it is sent.", "route")
	m.calls = counter("rpc_requests_total", "JSON-RPC requests by method and code of the error, 0 for none; each of a batch counts.", "method", "code")
	m.callTime = histogram("rpc_request_duration_seconds", "Time to make the answer to a JSON-RPC request.", "method")
	m.ofRequests.count, m.ofRequests.time = m.requests, m.requestTime
	m.ofCalls.count, m.ofCalls.time = m.calls, m.callTime
	m.turned = counter("http_requests_turned_away_total", "Requests turned away: rate, from one address; busy, altogether.", "reason")
	m.ingests = counter("stake_lists_total", "Stake lists by where they came from and what became of them.", "origin", "result")
	m.comparisons = counter("upstream_comparisons_total", "Comparisons of a schedule with the node's.", "result")
	m.panics = prometheus.NewCounter(prometheus.CounterOpts{Name: "schedgen_http_panics_total", Help: "Requests that failed for a mistake in the program."})
	m.deriveTime = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "schedgen_derive_duration_seconds", Help: "Time to derive the schedule of an epoch from its stakes.", Buckets: buckets,
	})
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "schedgen_build_info", Help: "The program; always 1.",
		ConstLabels: prometheus.Labels{"version": s.c.Version, "go_version": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH},
	})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.requestTime, m.calls, m.callTime, m.turned, m.ingests, m.comparisons, m.panics, m.deriveTime, build,
		newCollector(s), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, reason := range []string{"rate", "busy"} {
		m.turned.WithLabelValues(reason)
	}
	m.handler = promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		MaxRequestsInFlight: 4, Timeout: 10 * time.Second, ErrorLog: s.httpLog(), ErrorHandling: promhttp.ContinueOnError,
	})
	return m
}

// answered counts a request. How long a WebSocket was open is no latency.
func (m *metrics) answered(x *exchange, took time.Duration) {
	p := m.ofRequests.get(x.route(), x.status)
	p.count.Inc()
	if x.mount != mountSocket {
		p.time.Observe(took.Seconds())
	}
}

// called counts a JSON-RPC request.
func (m *metrics) called(method string, code int, took time.Duration) {
	if method == "" {
		method = "none"
	}
	p := m.ofCalls.get(method, code)
	p.count.Inc()
	p.time.Observe(took.Seconds())
}

func (m *metrics) derived(_ uint64, took time.Duration) { m.deriveTime.Observe(took.Seconds()) }

func (m *metrics) ingested(in feed.Ingested) {
	if in.Err != nil {
		m.ingests.WithLabelValues(string(in.Origin), "unreadable").Inc()
	}
	for _, l := range in.Lists {
		m.ingests.WithLabelValues(string(in.Origin), string(l.Result)).Inc()
	}
}

func (m *metrics) compared(u feed.Upstream) { m.comparisons.WithLabelValues(resultOf(&u)).Inc() }

func (s *Server) serveMetrics(x *exchange) {
	if x.readOnly() {
		s.metrics.handler.ServeHTTP(x, x.r)
	}
}
