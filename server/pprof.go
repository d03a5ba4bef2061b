package server

import (
	"context"
	"errors"
	"net/http"
	"net/http/pprof"
)

// serveProfiles answers with profiles, on an address of their own. The command line
// is none of them: it may name a node by an address with a password.
func (s *Server) serveProfiles(ctx context.Context) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	profiles := &http.Server{Handler: mux, ReadHeaderTimeout: s.c.Limits.HeaderTimeout, ErrorLog: s.httpLog()}
	stop := context.AfterFunc(ctx, func() { profiles.Close() })
	defer stop()
	s.log.Info("profiles are served", "address", s.profiles.Addr().String())
	if err := profiles.Serve(s.profiles); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
