package server

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/feed"
	"github.com/schedgen/schedgen/server/jsonrpc"
	"github.com/schedgen/schedgen/server/page"
	"github.com/schedgen/schedgen/server/rest"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/server/store"
)

// A Server is a service. [New] opens it, [Server.Run] runs it once.
type Server struct {
	c   Config
	log *slog.Logger

	store  *store.Store // nil: in memory
	epochs *epochs.Registry
	clock  slotfeed.Feed
	feed   *feed.Feed
	watch  *feed.Watch // nil: no folder
	node   *feed.Node  // nil: no node

	rpc  *jsonrpc.Handler
	rest *rest.Handler
	page *page.Page

	metrics *metrics
	handle  handler
	gate    *gate
	rates   *rates
	conns   *conns
	ids     *requestIDs
	loud    struct{ rate, busy rate.Sometimes } // what is not logged for every request

	http      *http.Server
	listeners []net.Listener
	address   net.Addr
	profiles  net.Listener // nil: none

	loaded atomic.Bool // the stakes that were named at the start are in
	ending atomic.Bool
	probe  probe
	every  struct{ example, upkeep time.Duration } // how often it is looked whether something has changed

	jobs    []job
	closers []func() error
	close   sync.Once
}

// A job runs beside the listeners until its context ends; an error of it ends the
// service.
type job struct {
	name string
	run  func(context.Context) error
}

func (s *Server) background(name string, run func(context.Context) error) {
	s.jobs = append(s.jobs, job{name, run})
}

// onClose has something closed when the service has ended, the last one first.
func (s *Server) onClose(f func() error) { s.closers = append(s.closers, f) }

// New opens the store, the folder and the listeners that a configuration names, and
// asks nobody anything. Errors: ErrConfig, a *store.Error or *store.ClusterError, a
// *ListenError, and what is wrong with the node's address, the folder or the
// certificate. Whoever does not call Run calls Close.
func New(c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c, err := c.withDefaults().withExample()
	if err != nil {
		return nil, err
	}
	s := &Server{
		c: c, log: c.Log,
		gate: newGate(&c.Limits), rates: newRates(&c.Limits), conns: &conns{most: c.Limits.MaxConnections},
		ids: newRequestIDs(), probe: probe{every: 10 * time.Second},
	}
	s.every.example, s.every.upkeep = 200*time.Millisecond, time.Second
	s.loud.rate.Interval, s.loud.busy.Interval = 10*time.Second, 10*time.Second
	s.metrics = newMetrics(s)
	s.http = s.newHTTP()
	for _, open := range []func() error{s.openStore, s.openEpochs, s.openClock, s.openSources, s.openHandlers, s.openListeners} {
		if err := open(); err != nil {
			s.Close()
			return nil, err
		}
	}
	s.handle = s.chain()
	return s, nil
}

func (s *Server) newHTTP() *http.Server {
	l := &s.c.Limits
	return &http.Server{
		Handler: s, ConnState: s.conns.state, ErrorLog: s.httpLog(),
		MaxHeaderBytes:    l.MaxHeader,
		ReadHeaderTimeout: l.HeaderTimeout, ReadTimeout: l.ReadTimeout, WriteTimeout: l.WriteTimeout, IdleTimeout: l.IdleTimeout,
	}
}

// httpLog takes what net/http has to say, mostly of connections that went wrong.
func (s *Server) httpLog() *log.Logger { return slog.NewLogLogger(s.log.Handler(), slog.LevelDebug) }

func (s *Server) openStore() error {
	if s.c.Data == "" {
		return nil
	}
	opened, err := store.Open(s.c.Data, store.Options{MaxBytes: s.c.MaxStore})
	if err != nil {
		return err
	}
	s.store = opened
	s.onClose(opened.Close)
	if err := opened.Damage(); err != nil {
		s.log.Error("the store is damaged: what can be read is served, and nothing is added", "error", err)
	}
	return nil
}

func (s *Server) openEpochs() (err error) {
	s.epochs, err = epochs.New(epochs.Options{
		Store: s.store, Cluster: s.c.Cluster, EpochSchedule: s.c.EpochSchedule, Terms: s.c.Terms,
		CacheBytes: s.c.CacheBytes, Log: s.log.With("room", "epochs"), OnDerive: s.metrics.derived,
	})
	return err
}

// maxReply is how long the answer to a batch may get before it is compressed: each of
// the requests that are answered at a time may hold as much.
const maxReply = 16 << 20

func (s *Server) openHandlers() (err error) {
	if s.page, err = page.New(); err != nil {
		return err
	}
	l := &s.c.Limits
	s.rpc = jsonrpc.New(jsonrpc.Of(s.epochs), s.clock, jsonrpc.Options{
		MaxBody: l.MaxBody, MaxBatch: l.MaxBatch, MaxReply: maxReply, MaxSockets: l.MaxSockets, AnyOrigin: s.c.CORS,
		Healthy: s.current, OnRequest: s.metrics.called, Log: s.log.With("room", "jsonrpc"),
	})
	s.rest, err = rest.New(rest.Config{
		Epochs: posts{s.epochs, s.feed}, Clock: s.clock, Version: s.c.Version, Token: s.c.Token, MaxBody: l.MaxStakes,
		Ready: func() bool { return len(s.Ready()) == 0 }, Upstream: s.upstream,
		Log: s.log.With("room", "rest"), Now: s.c.Now,
	})
	s.c.Token = "" // nothing can print what is not there
	return err
}

// Epochs returns what the service answers about.
func (s *Server) Epochs() *epochs.Registry { return s.epochs }

// Close closes what New opened. After Run it does nothing.
func (s *Server) Close() error {
	var err error
	s.close.Do(func() {
		for i := len(s.closers) - 1; i >= 0; i-- {
			err = errors.Join(err, s.closers[i]())
		}
	})
	return err
}
