package epochs

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
)

// A Kind is a whole body that is kept of an epoch: a format of schedule.Formats by
// its name, or one of the others here.
type Kind string

const (
	// RPC is the result of getLeaderSchedule.
	RPC = Kind(schedule.FormatRPC)
	// RPCByVote is the result of getLeaderSchedule with keyByVoteAccount: for each
	// vote account, in byte order of its base58 text, its slot indices. A schedule
	// keyed by identity has none.
	RPCByVote Kind = "rpc-by-vote"
	// Parquet is what schedulefile.WriteParquet writes, without times.
	Parquet Kind = "parquet"
)

// A form says how a kind is made and sent.
type form struct {
	contentType, extension string
	near                   bool // numbers ascend, see splice.Options
	// leaders tells that the body follows from the leaders and the epoch alone, and
	// not from who else had stake.
	leaders bool
	write   func(io.Writer, *Epoch) error
}

const (
	jsonType = "application/json"
	textType = "text/plain; charset=utf-8"
	csvType  = "text/csv; charset=utf-8"
)

// formOf returns the form of a kind.
func formOf(k Kind) (form, error) {
	switch k {
	case Kind(schedule.FormatText):
		return form{textType, "txt", false, true, formatted(k)}, nil
	case Kind(schedule.FormatJSON), Kind(schedule.FormatJSONCompact):
		return form{jsonType, "json", false, true, formatted(k)}, nil
	case Kind(schedule.FormatCSV):
		return form{csvType, "csv", false, false, formatted(k)}, nil
	case Kind(schedule.FormatEpochNew):
		return form{jsonType, "json", true, false, formatted(k)}, nil
	case Kind(schedule.FormatDigest):
		return form{textType, "txt", false, true, formatted(k)}, nil
	case RPC, RPCByVote:
		return form{jsonType, "json", true, k == RPC, func(w io.Writer, e *Epoch) error {
			return WriteRPC(w, e.schedule, k == RPCByVote)
		}}, nil
	case Parquet:
		return form{"application/vnd.apache.parquet", "parquet", false, false, writeParquet}, nil
	}
	return form{}, unknownKind(string(k))
}

func formatted(k Kind) func(io.Writer, *Epoch) error {
	return func(w io.Writer, e *Epoch) error { return e.schedule.Write(w, schedule.Format(k)) }
}

func writeParquet(w io.Writer, e *Epoch) error {
	p := e.Provenance()
	return schedulefile.WriteParquet(w, e.schedule, schedulefile.Options{Metadata: map[string]string{
		schedulefile.MetaSource:  p.Source,
		schedulefile.MetaVintage: string(vintage(&p)),
		schedulefile.MetaReason:  p.Reason,
	}})
}

// Kinds returns every kind.
func Kinds() []Kind {
	var kinds []Kind
	for _, f := range schedule.Formats() {
		kinds = append(kinds, Kind(f))
	}
	return append(kinds, RPCByVote, Parquet)
}

// ParseKind returns the kind of that name. The error, an [ErrKind], lists the names
// there are.
func ParseKind(name string) (Kind, error) {
	if k := Kind(name); slices.Contains(Kinds(), k) {
		return k, nil
	}
	return "", unknownKind(name)
}

func unknownKind(name string) error {
	var names []string
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return fmt.Errorf("%w %q, want one of %s", ErrKind, name, strings.Join(names, ", "))
}

// ContentType returns the media type of a kind, "" for none of Kinds.
func (k Kind) ContentType() string {
	f, _ := formOf(k)
	return f.contentType
}

// Extension returns what a file name of a kind ends in, without a dot.
func (k Kind) Extension() string {
	f, _ := formOf(k)
	return f.extension
}
