package server

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/list"
)

// Ready returns nothing when answers can be relied on, and else why not, in short
// sentences: no slot or one that is out of date, the current epoch not held, not
// readable or in doubt, stakes that are still read, an end that has begun.
func (s *Server) Ready() []string {
	var why []string
	add := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	if s.ending.Load() {
		add("the service ends")
	}
	if !s.loaded.Load() {
		add("stakes that were named at the start are still read")
	}
	now, known := s.clock.Now()
	switch {
	case !known:
		add("it is not known which slot it is")
		return why
	case now.Stale:
		add("slot %d has not risen since %s", now.Slot, now.At.UTC().Format(time.RFC3339))
	}
	es := s.epochs.EpochSchedule()
	if es.SlotsPerEpoch == 0 {
		add("it is not known how long epochs are")
		return why
	}
	epoch, _ := es.EpochOf(now.Slot)
	held, ok := s.epochs.Summary(epoch)
	switch {
	case !ok:
		add("epoch %d, the current one, is not held", epoch)
	case held.Err != nil:
		add("the stakes of epoch %d, the current one, cannot be read", epoch)
	default:
		if _, err := s.epochs.Epoch(epoch); err != nil {
			add("the schedule of epoch %d, the current one, cannot be derived", epoch)
		} else if err := s.probe.check(epoch, s.readStored); err != nil {
			add("the store cannot be read")
		}
	}
	return append(why, s.doubts(epoch, &held.Provenance)...)
}

// doubts returns what the node makes doubtful: the slot, when it is of another cluster;
// and the schedule of an epoch, when the node's is another one and the stakes are not
// known to be exact.
func (s *Server) doubts(epoch uint64, held *list.Provenance) (why []string) {
	if s.node == nil {
		return nil
	}
	if errors.Is(s.node.Status().Err, store.ErrCluster) {
		why = append(why, "the node is of another cluster, and so are its slots")
	}
	for _, u := range s.node.Upstreams() {
		if u.Epoch == epoch && u.Differs() && held.Vintage != list.VintageExact {
			why = append(why, fmt.Sprintf("the node has another schedule of epoch %d, and the stakes of ours are not known to be exact", epoch))
		}
	}
	return why
}

// current reports whether the schedule of the current epoch can be told and is not in
// doubt, which is what getHealth does not find out itself.
func (s *Server) current() bool {
	now, known := s.clock.Now()
	es := s.epochs.EpochSchedule()
	if !known || es.SlotsPerEpoch == 0 {
		return false
	}
	epoch, _ := es.EpochOf(now.Slot)
	held, ok := s.epochs.Summary(epoch)
	return ok && held.Err == nil && len(s.doubts(epoch, &held.Provenance)) == 0
}

// readStored reads the stakes of an epoch, past all caches.
func (s *Server) readStored(epoch uint64) error {
	if s.store == nil {
		return nil
	}
	_, _, err := s.store.Get(epoch)
	return err
}

// A probe looks now and then whether an epoch can be read.
type probe struct {
	every time.Duration

	mu    sync.Mutex
	epoch uint64
	next  time.Time
	err   error
}

func (p *probe) check(epoch uint64, read func(uint64) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); epoch != p.epoch || !now.Before(p.next) {
		p.epoch, p.next, p.err = epoch, now.Add(p.every), read(epoch)
	}
	return p.err
}

// serveHealthz says that the process works.
func (s *Server) serveHealthz(x *exchange) {
	if x.readOnly() {
		x.text(http.StatusOK, "ok\n")
	}
}

// serveReadyz says whether answers can be relied on.
func (s *Server) serveReadyz(x *exchange) {
	if !x.readOnly() {
		return
	}
	if why := s.Ready(); len(why) > 0 {
		x.text(http.StatusServiceUnavailable, strings.Join(why, "\n")+"\n")
		return
	}
	x.text(http.StatusOK, "ready\n")
}

func (x *exchange) text(status int, text string) {
	x.Header().Set("Content-Type", "text/plain; charset=utf-8")
	x.Header().Set("Cache-Control", "no-store")
	x.WriteHeader(status)
	io.WriteString(x, text)
}
