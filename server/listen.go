package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
)

// A ListenError says which address cannot be listened on.
type ListenError struct {
	Address string
	Err     error
}

func (e *ListenError) Error() string {
	return fmt.Sprintf("cannot listen on %s: %v", e.Address, bareNetwork(e.Err))
}

func (e *ListenError) Unwrap() error { return e.Err }

// bareNetwork drops what an error of a listener says twice.
func bareNetwork(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

func listen(address string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, &ListenError{address, err}
	}
	return l, nil
}

// openListeners takes the addresses of HTTP and of profiles.
func (s *Server) openListeners() error {
	if err := s.openTLS(); err != nil {
		return err
	}
	first, err := s.takeListener(s.c.Listen)
	if err != nil {
		return err
	}
	s.address = first.Addr()
	switch s.c.WebSocketListen {
	case "":
	case NextPort:
		address, err := nextPort(s.address)
		if err == nil {
			_, err = s.takeListener(address)
		}
		if err != nil {
			s.log.Warn("no second port for WebSockets: they are at the first one, which some clients must be told", "error", err)
		}
	default:
		if _, err := s.takeListener(s.c.WebSocketListen); err != nil {
			return err
		}
	}
	if s.c.Pprof == "" {
		return nil
	}
	profiles, err := listen(s.c.Pprof)
	if err != nil {
		return err
	}
	s.profiles = profiles
	s.onClose(func() error { profiles.Close(); return nil })
	s.background("profiles", s.serveProfiles)
	return nil
}

func (s *Server) takeListener(address string) (net.Listener, error) {
	l, err := listen(address)
	if err != nil {
		return nil, err
	}
	s.onClose(func() error { l.Close(); return nil })
	var counted net.Listener = listener{l, s.conns}
	s.listeners = append(s.listeners, counted)
	return counted, nil
}

func nextPort(a net.Addr) (string, error) {
	host, text, err := net.SplitHostPort(a.String())
	if err != nil {
		return "", err
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil || port == 65535 {
		return "", fmt.Errorf("no port follows %s", text)
	}
	return net.JoinHostPort(host, strconv.FormatUint(port+1, 10)), nil
}

func (s *Server) openTLS() error {
	if s.c.TLSCert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(s.c.TLSCert, s.c.TLSKey)
	if err != nil {
		return fmt.Errorf("TLS: %s and %s: %w", s.c.TLSCert, s.c.TLSKey, err)
	}
	s.http.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	return nil
}

// URL returns where the page is, for somebody on this machine.
func (s *Server) URL() string {
	scheme := "http"
	if s.c.TLSCert != "" {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(s.address.String())
	if err != nil {
		return scheme + "://" + s.address.String() + "/"
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/"
}

// Addresses returns what the service listens on: first that of Config.Listen, then
// the one for WebSockets where there is one.
func (s *Server) Addresses() []net.Addr {
	var all []net.Addr
	for _, l := range s.listeners {
		all = append(all, l.Addr())
	}
	return all
}
