package feed

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/stakes"
	"github.com/schedgen/schedgen/stakes/list"
)

// A File names a source of stakes: all that [stakes.Open] opens.
type File struct {
	Name string
	// Epoch is the one of the source's epochs that is wanted, and the epoch of a
	// list that does not say its own; nil takes all that the source has.
	Epoch *uint64
}

// ParseFile reads a source as --stakes names it: NAME, or EPOCH=NAME.
func ParseFile(text string) (File, error) {
	number, name, found := strings.Cut(text, "=")
	if !found || strings.Trim(number, "0123456789") != "" || number == "" {
		return File{Name: text}, nil
	}
	epoch, err := strconv.ParseUint(number, 10, 64)
	if err != nil || name == "" {
		return File{}, fmt.Errorf("%s: want NAME or EPOCH=NAME, with an epoch of at most 18446744073709551615", quoted(text))
	}
	return File{Name: name, Epoch: &epoch}, nil
}

// Load takes sources, in their order, and stops at the first that cannot be taken
// whole; the error names it. That better stakes are held already is no error.
func (f *Feed) Load(ctx context.Context, files []File) error {
	for _, file := range files {
		name := title(file.Name)
		in := f.ingest(ctx, AtStart, name, func() ([]*list.List, error) {
			set, err := stakes.Open(ctx, file.Name, stakes.Options{RPC: f.o.RPC})
			if err != nil {
				return nil, err
			}
			return chosen(set, file.Epoch, "--stakes EPOCH="+name)
		})
		if err := in.Failed(); err != nil {
			return named(name, err)
		}
	}
	return nil
}

// Post takes a source that somebody sent, which is called name. The epoch is as of
// [File]. The lists that can be taken are, whatever becomes of the others.
func (f *Feed) Post(ctx context.Context, r io.Reader, name string, epoch *uint64) Ingested {
	name = quoted(name)
	in := f.ingest(ctx, Posted, name, func() ([]*list.List, error) {
		set, err := read(ctx, r, name)
		if err != nil {
			return nil, err
		}
		return chosen(set, epoch, "the parameter epoch=N")
	})
	if err := in.Failed(); err != nil {
		f.log.Warn("stakes refused", "origin", string(Posted), "file", name, "error", err)
	}
	return in
}

// chosen returns the lists of a source, or that of an epoch, each with its epoch.
// want says how an epoch is given.
func chosen(set *list.Set, epoch *uint64, want string) ([]*list.List, error) {
	if epoch != nil {
		l, err := set.For(*epoch)
		if err != nil {
			return nil, err
		}
		number := *epoch
		l.Provenance.Epoch = &number
		return []*list.List{l}, nil
	}
	var lists []*list.List
	for i := range set.Lists {
		l := &set.Lists[i]
		if l.Provenance.Epoch == nil {
			return nil, &EpochNeededError{Name: quoted(l.Title()), Want: want}
		}
		lists = append(lists, l)
	}
	return lists, nil
}

// title is what a source is called: its name, or the address of a node without
// credentials.
func title(name string) string {
	if !strings.Contains(name, "://") {
		return quoted(name)
	}
	client, err := noderpc.Dial(name, noderpc.Options{})
	if err != nil {
		return "the node"
	}
	defer client.Close()
	return client.Address()
}

// named returns an error that names its source.
func named(name string, err error) error {
	if strings.Contains(err.Error(), name) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}
