package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/stakes"
	"github.com/schedgen/schedgen/stakes/list"
)

// What an operand is.
type operandKind string

const (
	unknownKind  operandKind = ""
	scheduleKind operandKind = "a schedule"
	stakesKind   operandKind = "a stake list"
)

// An operand is one of two things to compare.
type operand struct {
	name  string
	kind  operandKind
	flag  string  // that says which epoch is meant
	epoch *uint64 // nil when none was given
	side  *otherSide
	set   *list.Set
	list  *list.List // of set
}

// title is what to call it.
func (o *operand) title() string {
	if o.list != nil {
		return o.list.Title()
	}
	return o.side.Name
}

// An operandReader opens operands.
type operandReader struct {
	f     *diffFlags
	stdin io.Reader
}

// openBoth opens files first: what they are tells what to ask a node for.
func (r *operandReader) openBoth(ctx context.Context, a, b *operand) error {
	for _, o := range []*operand{a, b} {
		if !isNodeAddress(o.name) {
			if err := r.openFile(ctx, o); err != nil {
				return err
			}
		}
	}
	if a.kind != unknownKind && b.kind != unknownKind && a.kind != b.kind {
		return fmt.Errorf("%s is %s and %s is %s: want two of a kind (--schedules or --stakes says which)", a.name, a.kind, b.name, b.kind)
	}
	if a.kind == stakesKind || b.kind == stakesKind {
		for _, o := range []*operand{a, b} {
			if err := r.openStakes(ctx, o); err != nil {
				return err
			}
		}
		return nil
	}
	return r.askNodes(ctx, a, b)
}

// openStakes asks a node for stakes, if o is one, and takes the list that is meant.
func (r *operandReader) openStakes(ctx context.Context, o *operand) (err error) {
	if o.set == nil {
		if o.set, err = stakes.Open(ctx, o.name, stakes.Options{RPC: r.f.options}); err != nil {
			return err
		}
	}
	switch {
	case o.epoch != nil:
		if o.list, err = o.set.For(*o.epoch); err != nil {
			return fmt.Errorf("%s: %w", o.flag, err)
		}
	case len(o.set.Lists) > 1:
		return fmt.Errorf("%s holds the stakes of several epochs, give --epoch, or --epoch-a and --epoch-b, with one of %s",
			o.set.Lists[0].Title(), joinNumbers(o.set.Epochs()))
	default:
		o.list = &o.set.Lists[0]
	}
	return nil
}

// openFile reads a file, a folder or standard input.
func (r *operandReader) openFile(ctx context.Context, o *operand) error {
	info, err := os.Stat(o.name)
	regular := err == nil && info.Mode().IsRegular()
	switch {
	case o.kind == stakesKind, o.name == stakes.Example, err == nil && info.IsDir():
		if o.kind == scheduleKind {
			return fmt.Errorf("--schedules: %s is %s", o.name, stakesKind)
		}
		o.kind = stakesKind
		o.set, err = stakes.Open(ctx, o.name, stakes.Options{Stdin: r.stdin})
		return err
	case o.name != "-" && err != nil:
		return err
	}
	reader := sideReader{stdin: r.stdin, epoch: o.epoch, identities: r.f.identities}
	if o.kind == scheduleKind || regular {
		o.side, err = reader.open(o.name)
		if err == nil || o.kind == scheduleKind || isDamaged(err) {
			o.kind = scheduleKind
			return err
		}
		notSchedule := err
		if o.set, err = stakes.Open(ctx, o.name, stakes.Options{}); err != nil {
			return neither(o.name, notSchedule, err)
		}
		o.kind = stakesKind
		return nil
	}
	return r.openPipe(ctx, o, &reader)
}

// openPipe reads what can be read once: what was read of it as a schedule is kept
// for the case that it is none.
func (r *operandReader) openPipe(ctx context.Context, o *operand, reader *sideReader) error {
	in, title := r.stdin, "standard input"
	if o.name != "-" {
		file, err := os.Open(o.name)
		if err != nil {
			return err
		}
		defer file.Close()
		in, title = file, o.name
	}
	var kept bytes.Buffer
	var err error
	o.side, err = reader.read(io.TeeReader(in, &kept), title)
	if err == nil || isDamaged(err) {
		o.kind = scheduleKind
		return err
	}
	notSchedule := err
	if o.set, err = stakes.Open(ctx, stakes.Stdin, stakes.Options{Stdin: io.MultiReader(&kept, in)}); err != nil {
		return neither(title, notSchedule, err)
	}
	o.kind = stakesKind
	for i := range o.set.Lists {
		l := &o.set.Lists[i]
		if l.Provenance.Source == l.Name {
			l.Provenance.Source = title
		}
		l.Name = title
	}
	return nil
}

// isDamaged reports whether an error is that of a schedule in which something is
// wrong, and not of something else.
func isDamaged(err error) bool {
	var wrong *schedulefile.Error
	if !errors.As(err, &wrong) {
		return true // of reading, or of a rank file
	}
	for _, other := range []error{schedulefile.ErrFormat, schedulefile.ErrHeader, schedulefile.ErrLine, schedulefile.ErrEncoding} {
		if errors.Is(err, other) {
			return false
		}
	}
	return true
}

// neither is the error of what is no schedule and no stake list.
func neither(name string, notSchedule, notStakes error) error {
	return fmt.Errorf("%s: neither a schedule nor a stake list: %w; %w", name, notSchedule, notStakes)
}

// askNodes asks those operands for schedules that are nodes.
func (r *operandReader) askNodes(ctx context.Context, a, b *operand) error {
	var nodes []*bookNode
	for _, o := range []*operand{a, b} {
		other := b
		if o == b {
			other = a
		}
		if !isNodeAddress(o.name) {
			continue
		}
		n, err := meetNode(ctx, o.name, r.f.options)
		if err != nil {
			return err
		}
		defer n.client.Close()
		if nodes = append(nodes, n); len(nodes) > 1 {
			if _, err := sameClaims([]*list.Provenance{nodes[0].claim(), n.claim()}); err != nil {
				return err
			}
		}
		epoch, err := r.epochOf(ctx, n, o, other)
		if err != nil {
			return err
		}
		place := epochPlan{schedule: n.es}.at(epoch)
		if !place.fits {
			return fmt.Errorf("%s %d: its slots are over 18446744073709551615", o.flag, epoch)
		}
		o.kind = scheduleKind
		if o.side, err = n.ask(ctx, place, r.f.identities, false); err != nil {
			return err
		}
	}
	return nil
}

// epochOf returns the epoch to ask a node for: the one that was given, or that of
// the other operand, or, where that is a node too, the present one.
func (r *operandReader) epochOf(ctx context.Context, n *bookNode, o, other *operand) (uint64, error) {
	switch {
	case o.epoch != nil:
		return *o.epoch, nil
	case other.side != nil && other.side.Epoch != nil:
		return *other.side.Epoch, nil
	case other.side != nil && other.side.FirstSlot != nil:
		epoch, _ := n.es.EpochOf(*other.side.FirstSlot)
		return epoch, nil
	case other.side != nil:
		return 0, fmt.Errorf("%s does not say which epoch it is of: give --epoch", other.side.Name)
	}
	info, err := n.client.EpochInfo(ctx, noderpc.Finalized)
	return info.Epoch, err
}
