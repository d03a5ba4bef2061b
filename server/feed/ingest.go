package feed

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/stakes/list"
)

// An Origin says how a source came to the service.
type Origin string

const (
	AtStart Origin = "start" // named when the service started
	Watched Origin = "watch" // a file in a folder
	Asked   Origin = "node"  // what a node tells
	Posted  Origin = "post"  // sent by somebody
)

// A Result says what became of a list.
type Result string

const (
	Taken     Result = "taken"     // nothing was held of the epoch
	Replaced  Result = "replaced"  // other stakes were
	Unchanged Result = "unchanged" // the same stakes are held
	Kept      Result = "kept"      // better stakes are held
	Refused   Result = "refused"   // for Outcome.Err
)

// An Outcome says what became of one list.
type Outcome struct {
	Result     Result
	Epoch      *uint64 // that it leads; nil when that is not known
	Entries    int
	Provenance list.Provenance
	Digest     *[32]byte // of the schedule that is held now; nil when none is
	Err        error     // why it was refused, or other stakes were kept
}

// Ingested says what became of a source.
type Ingested struct {
	Origin Origin
	Name   string // printable: of a file, an address, or what else to call it
	Lists  []Outcome
	Took   time.Duration
	Err    error // why nothing could be read
}

// Failed returns why the source was not taken, or the first of its lists that was
// refused; nil when there is none. To keep better stakes is no failure.
func (i *Ingested) Failed() error {
	if i.Err != nil {
		return i.Err
	}
	for _, l := range i.Lists {
		if l.Result == Refused {
			return l.Err
		}
	}
	return nil
}

// epochs returns those whose lists have a result.
func (i *Ingested) epochs(r Result) (numbers []uint64) {
	for _, l := range i.Lists {
		if l.Result == r && l.Epoch != nil {
			numbers = append(numbers, *l.Epoch)
		}
	}
	return numbers
}

// ingest reads a source, puts its lists into the registry, and tells of it.
func (f *Feed) ingest(ctx context.Context, origin Origin, name string, read func() ([]*list.List, error)) Ingested {
	start := f.o.Now()
	in := Ingested{Origin: origin, Name: name}
	lists, err := read()
	if err == nil {
		in.Lists, err = f.put(ctx, origin, lists)
	}
	in.Err = err
	in.Took = f.o.Now().Sub(start)
	f.tell(&in)
	if f.o.OnIngest != nil {
		f.o.OnIngest(in)
	}
	return in
}

// put puts lists into the registry. The error is that of a context that ends.
func (f *Feed) put(ctx context.Context, origin Origin, lists []*list.List) ([]Outcome, error) {
	var outcomes []Outcome
	for _, l := range lists {
		if err := ctx.Err(); err != nil {
			return outcomes, err
		}
		outcomes = append(outcomes, f.putOne(origin, l))
	}
	return outcomes, nil
}

func (f *Feed) putOne(origin Origin, l *list.List) Outcome {
	f.puts.Lock()
	defer f.puts.Unlock()
	out := Outcome{Epoch: l.Provenance.Epoch, Entries: len(l.Entries), Provenance: l.Provenance}
	if origin == Asked && f.holdsBetter(l) {
		out.Result = Kept
		out.Digest = f.digest(out.Epoch)
		return out
	}
	put, err := f.o.Registry.Put(l)
	switch {
	case errors.Is(err, epochs.ErrBetterHeld):
		out.Result, out.Err = Kept, err
	case err != nil:
		out.Result, out.Err = Refused, err
	case put.Same:
		out.Result = Unchanged
	case put.Replaced:
		out.Result = Replaced
	default:
		out.Result = Taken
	}
	out.Digest = f.digest(out.Epoch)
	return out
}

// holdsBetter reports whether exact stakes are held that a node's may not replace: a
// node can only say that its stakes are exact, so that it may correct nobody but
// itself.
func (f *Feed) holdsBetter(l *list.List) bool {
	if l.Provenance.Epoch == nil {
		return false
	}
	held, ok := f.o.Registry.Summary(*l.Provenance.Epoch)
	if !ok || held.Err != nil || held.Provenance.Vintage != list.VintageExact {
		return false
	}
	own := held.Provenance.Kind == list.KindRPC && held.Provenance.Source == l.Provenance.Source
	return !own || l.Provenance.Vintage != list.VintageExact
}

func (f *Feed) digest(epoch *uint64) *[32]byte {
	if epoch == nil {
		return nil
	}
	held, _ := f.o.Registry.Summary(*epoch)
	return held.Digest
}

// tell logs what a source brought. Why one was refused is logged where it is known how
// often that was said before.
func (f *Feed) tell(in *Ingested) {
	if in.Err != nil && len(in.Lists) == 0 {
		return
	}
	about := []any{"origin", string(in.Origin), "file", in.Name}
	var digests []string
	vintage := ""
	refused := 0
	for _, l := range in.Lists {
		if l.Result == Refused {
			refused++
		}
		if l.Result != Taken && l.Result != Replaced {
			continue
		}
		if l.Digest != nil {
			digests = append(digests, hex.EncodeToString(l.Digest[:]))
		}
		if v := cmp.Or(l.Provenance.Vintage, list.VintageUnknown); vintage == "" {
			vintage = string(v)
		} else if vintage != string(v) {
			vintage = "mixed"
		}
	}
	for _, r := range []Result{Taken, Replaced, Unchanged, Kept, Refused} {
		if numbers := in.epochs(r); len(numbers) > 0 {
			about = append(about, string(r), numbers)
		}
	}
	switch {
	case vintage != "":
		f.log.Info("stakes ingested", append(about, "vintage", vintage, "digests", digests, "took", in.Took)...)
	case refused == 0:
		f.log.Info("stakes bring nothing new", about...)
	}
}
