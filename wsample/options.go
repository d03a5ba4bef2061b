package wsample

import (
	"github.com/schedgen/schedgen/chacha20rng"
)

// Option changes how NewSampler makes a Sampler.
type Option func(*options)

type options struct {
	poison    uint64
	restore   bool
	rejection chacha20rng.Rejection
	backend   string
}

// WithPoison adds a weight that stands for everybody who is not in the list: a
// draw that falls on it gives Indeterminate. The list is the head of a longer
// one of which only the sum is known.
func WithPoison(weight uint64) Option { return func(o *options) { o.poison = weight } }

// WithRestore keeps a copy of the full tree, for RestoreAll.
func WithRestore() Option { return func(o *options) { o.restore = true } }

// WithRejection says how a word becomes a number below the weight left: by the
// modulo zone, the default, as leader schedules do, or by the shift zone, as
// Turbine does.
func WithRejection(k chacha20rng.Rejection) Option { return func(o *options) { o.rejection = k } }

// WithBackend asks for the named backend, as chacha20rng's SetBackend does; the
// empty name and "auto" leave the choice to the machine. Draws do not depend on
// it.
func WithBackend(name string) Option { return func(o *options) { o.backend = name } }

// Backend returns the name of the backend that s was made for. A backend
// without a tree of its own uses the portable one.
func (s *Sampler) Backend() string { return string(s.backend) }
