package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
)

// errEnded is why a service ends that was told to.
var errEnded = errors.New("the service ends")

// Run answers until the context ends; then it finishes the requests in flight,
// within Limits.ShutdownTimeout, and closes everything. The error is nil unless
// something went wrong: stakes that were named and cannot be taken, or a listener
// that broke.
func (s *Server) Run(ctx context.Context) error {
	running, fail := context.WithCancelCause(context.WithoutCancel(ctx))
	defer context.AfterFunc(ctx, func() { fail(errEnded) })()
	defer fail(errEnded)

	var serving, jobs sync.WaitGroup
	for _, l := range s.listeners {
		serving.Go(func() {
			if err := s.serve(l); err != nil {
				fail(err)
			}
		})
	}
	s.background("upkeep", s.upkeep)
	for _, j := range s.jobs {
		jobs.Go(func() {
			if err := j.run(running); err != nil && running.Err() == nil {
				fail(err)
			}
		})
	}
	s.log.Info("serving", "url", s.URL(), "version", s.c.Version)
	<-running.Done()
	why := context.Cause(running)
	s.shutdown()
	serving.Wait()
	jobs.Wait()
	err := s.Close()
	if !errors.Is(why, errEnded) {
		return why
	}
	s.log.Info("ended")
	return err
}

func (s *Server) serve(l net.Listener) error {
	var err error
	if s.c.TLSCert != "" { // net/http sets TLSConfig itself
		err = s.http.ServeTLS(l, "", "")
	} else {
		err = s.http.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("%s: %w", l.Addr(), bareNetwork(err))
}

// shutdown lets requests in flight finish, WebSockets too, and breaks off what takes
// too long.
func (s *Server) shutdown() {
	s.ending.Store(true)
	inside, _ := s.gate.counts()
	s.log.Info("ending", "requests", inside, "websockets", s.rpc.Sockets())
	ctx, cancel := context.WithTimeout(context.Background(), s.c.Limits.ShutdownTimeout)
	defer cancel()
	var both sync.WaitGroup
	both.Go(func() {
		if err := s.rpc.Shutdown(ctx); err != nil {
			s.log.Warn("WebSockets did not close and were broken off", "error", err)
		}
	})
	both.Go(func() {
		if err := s.http.Shutdown(ctx); err != nil {
			s.log.Warn("requests did not finish and were broken off", "error", err)
			s.http.Close()
		}
	})
	both.Wait()
}
