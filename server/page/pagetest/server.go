package pagetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// A Server answers the page. It is an [http.Handler].
type Server struct {
	options Options
	clock   slotclock.Clock
	epochs  []*epoch // ascending
	book    *leaders.Book
	mux     *http.ServeMux

	mu     sync.Mutex
	faults Faults
}

// New derives the epochs and returns a service of them. The errors are those of
// the schedules of o.
func New(o Options) (*Server, error) {
	if err := o.setDefaults(); err != nil {
		return nil, err
	}
	s := &Server{options: o}
	first, slots := o.Schedule.FirstSlot(o.Epoch), o.Schedule.SlotsIn(o.Epoch)
	s.clock = slotclock.Clock{
		Slot: first + schedule.Slot(float64(slots)*o.Passed), At: o.Now, AtError: 300 * time.Millisecond,
		PerSlot: o.PerSlot, RelError: 0.0012, Jitter: 60 * time.Millisecond,
		Basis: fmt.Sprintf("measured: 60 samples of 60.0 s, %v a slot", o.PerSlot),
	}
	if err := s.derive(); err != nil {
		return nil, err
	}
	s.routes()
	return s, nil
}

// Anew returns a service of the same epochs and with the same clock, on its own as
// far as faults go.
func (s *Server) Anew() *Server {
	anew := &Server{options: s.options, clock: s.clock, epochs: s.epochs, book: s.book}
	anew.routes()
	return anew
}

func (s *Server) derive() error {
	entries, err := entries(s.options.Validators)
	if err != nil {
		return err
	}
	var held []leaders.Held
	for _, offset := range []int{-8, -1, 0, 1} {
		if s.without(offset) || uint64(-offset) > s.options.Epoch && offset < 0 {
			continue
		}
		e, err := newEpoch(s.options.Epoch+uint64(offset), offset, entries, &s.options)
		if err != nil {
			return err
		}
		s.epochs = append(s.epochs, e)
		held = append(held, leaders.Held{
			Source: leaders.FromSchedule(e.Schedule), Label: leaders.LabelOf(&e.provenance),
		})
	}
	s.book, err = leaders.New(s.options.Schedule, held...)
	return err
}

func (s *Server) without(offset int) bool {
	for _, left := range s.options.Without {
		if left == offset {
			return true
		}
	}
	return false
}

func (s *Server) routes() {
	s.mux = http.NewServeMux()
	s.mux.HandleFunc("GET /v1/status", s.status)
	s.mux.HandleFunc("GET /v1/epochs", s.listEpochs)
	s.mux.HandleFunc("GET /v1/epochs/{e}", s.oneEpoch)
	s.mux.HandleFunc("GET /v1/epochs/{e}/schedule", s.schedule)
	s.mux.HandleFunc("GET /v1/epochs/{e}/leaders", s.listLeaders)
	s.mux.HandleFunc("GET /v1/slots/{slot}", s.slot)
	s.mux.HandleFunc("GET /v1/leaders/{key}/next", s.next)
	s.mux.HandleFunc("GET /v1/leaders/{key}/windows", s.windows)
	s.mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		problem(w, r, http.StatusNotFound, "Not found", "there is no "+r.URL.Path)
	})
	if s.options.Page != nil {
		s.mux.Handle("/", s.options.Page)
	}
}

// SetFaults sets what is wrong from now on.
func (s *Server) SetFaults(f Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = f
}

func (s *Server) current() Faults {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := s.current()
	if f.Down {
		panic(http.ErrAbortHandler)
	}
	if f.Delay > 0 {
		time.Sleep(f.Delay)
	}
	if f.BehindHand != 0 {
		w.Header().Set("Date", time.Now().Add(-f.BehindHand).UTC().Format(http.TimeFormat))
	}
	s.mux.ServeHTTP(w, r)
}

// Leader returns the identity and the vote account of a slot, "" where the
// service does not know them.
func (s *Server) Leader(slot schedule.Slot) (identity, vote string) {
	for _, e := range s.epochs {
		if leader, ok := e.LeaderAt(slot); ok {
			account, _ := e.VoteAt(slot)
			return leader.String(), account.String()
		}
	}
	return "", ""
}

// TopLeader returns the identity and the first vote account of the leader with
// the i-th most stake in the present epoch.
func (s *Server) TopLeader(i int) (identity, vote string) {
	for _, e := range s.epochs {
		if e.relation == "current" && i < len(e.leaders) {
			return e.leaders[i].Identity, e.leaders[i].VoteAccounts[0]
		}
	}
	return "", ""
}

// Digest returns the digest of an epoch, "" of one that is not held.
func (s *Server) Digest(number uint64) string {
	for _, e := range s.epochs {
		if e.Epoch() == number {
			return e.summary().Digest
		}
	}
	return ""
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	// The client may be gone; there is nobody to tell.
	_ = json.NewEncoder(w).Encode(v)
}

func problem(w http.ResponseWriter, r *http.Request, status int, title, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"type": "about:blank", "title": title, "status": status, "detail": detail, "instance": r.URL.Path,
	})
}
