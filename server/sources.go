package server

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/feed"
	"github.com/schedgen/schedgen/server/rest"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/list"
)

// posts is the registry as the REST side wants it: what is posted goes the way of all
// other stakes.
type posts struct {
	*epochs.Registry
	feed *feed.Feed
}

func (p posts) Put(l *list.List) (store.Put, error) { return p.feed.Put(l) }

// openSources makes what brings stakes.
func (s *Server) openSources() error {
	s.feed = feed.New(feed.Options{
		Registry: s.epochs, RPC: s.c.NodeOptions, Log: s.log.With("room", "feed"), Now: s.c.Now,
		OnIngest: s.metrics.ingested, OnUpstream: s.metrics.compared,
	})
	if s.c.Example {
		s.background("example", s.putExample)
		return nil
	}
	s.loaded.Store(len(s.c.Stakes) == 0)
	if s.c.Watch != "" {
		watch, err := s.feed.NewWatch(s.c.Watch, s.c.WatchOptions)
		if err != nil {
			return err
		}
		s.watch = watch
	}
	if s.c.Node != "" {
		client, err := noderpc.Dial(s.c.Node, s.c.NodeOptions)
		if err != nil {
			return fmt.Errorf("node: %w", err)
		}
		s.onClose(func() error { client.Close(); return nil })
		s.node = s.feed.NewNode(client, feed.NodeOptions{})
	}
	s.background("stakes", s.bring)
	return nil
}

// bring takes the stakes that are named at the start, and then those that come: what
// the first say of the cluster decides whether others are of it.
func (s *Server) bring(ctx context.Context) error {
	if err := s.feed.Load(ctx, s.c.Stakes); err != nil {
		return err
	}
	s.loaded.Store(true)
	var following sync.WaitGroup
	if s.watch != nil {
		following.Go(func() { _ = s.watch.Run(ctx) }) // until the context ends
	}
	if s.node != nil {
		following.Go(func() { _ = s.node.Run(ctx) })
	}
	following.Wait()
	return nil
}

// upstream returns how the schedule compares with the node's, for the REST side.
func (s *Server) upstream() *rest.Upstream {
	if s.node == nil {
		return nil
	}
	u, ok := s.node.Upstream()
	if !ok {
		return nil
	}
	return &rest.Upstream{Address: u.Address, Epoch: u.Epoch, Digest: hexOf(u.Digest), Ours: hexOf(u.Ours), Equal: u.Equal}
}

func hexOf(digest *[32]byte) *string {
	if digest == nil {
		return nil
	}
	text := hex.EncodeToString(digest[:])
	return &text
}

// resultOf names what became of a comparison, for metrics.
func resultOf(u *feed.Upstream) string {
	switch {
	case u.Differs():
		return "different"
	case u.Equal != nil && u.Err == nil:
		return "equal"
	case errors.Is(u.Err, noderpc.ErrUnavailable), errors.Is(u.Err, schedule.ErrUnknownEpoch):
		return "unavailable"
	}
	return "failed"
}
