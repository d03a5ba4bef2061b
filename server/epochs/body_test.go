package epochs

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/server/splice"
	"github.com/schedgen/schedgen/stakes/electorate"
)

func hexOf(digest [32]byte) string { return hex.EncodeToString(digest[:]) }

// Every body is what the format prints, in every encoding, made once for all who
// ask.
func TestBodies(t *testing.T) {
	r := mustNew(t, Options{})
	l := made(9, 0, 100)
	mustPut(t, r, l)
	e, s := mustEpoch(t, r, 9), derived(t, l, tiny)
	makes := uint64(0)
	for _, k := range Kinds() {
		var plain string
		switch k {
		case RPCByVote:
			plain = byVote(t, s) + "\n"
		case Parquet:
			b, err := e.Body(k, splice.Identity)
			if err != nil {
				t.Fatal(err)
			}
			plain = string(b.Bytes())
			makes++
		default:
			plain = written(t, s, k)
		}
		for _, enc := range splice.Encodings() {
			if k != Parquet || enc != splice.Identity {
				makes++
			}
			var all sync.WaitGroup
			for range 16 {
				all.Go(func() {
					b, err := e.Body(k, enc)
					if err != nil {
						t.Error(err)
						return
					}
					if b.ETag != e.ETag(k, enc) || b.Encoding != enc || b.ContentType != k.ContentType() || b.ContentType == "" {
						t.Errorf("%s %v: got %+v", k, enc, b)
					}
					if got := decoded(t, enc, b.Bytes()); got != plain || b.Plain() != int64(len(plain)) {
						t.Errorf("%s %v: got another body", k, enc)
					}
				})
			}
			all.Wait()
			if got := r.Stats().Makes; got != makes {
				t.Fatalf("%s %v: %d makes, want %d", k, enc, got, makes)
			}
		}
	}
	if got := r.Stats().Derivations; got != 1 {
		t.Errorf("%d derivations", got)
	}
}

// byVote prints the result keyed by vote account in another way.
func byVote(t *testing.T, s *schedule.Schedule, identities ...schedule.Pubkey) string {
	t.Helper()
	result := map[string][]schedule.Index{}
	for _, entry := range s.Stakes().All() {
		if len(identities) > 0 && !slices.Contains(identities, entry.Node) {
			continue
		}
		for slot := range s.SlotsOfVote(entry.Key) {
			result[entry.Key.String()] = append(result[entry.Key.String()], schedule.Index(slot-s.FirstSlot()))
		}
	}
	text, err := json.Marshal(result) // sorts by name
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWriteRPC(t *testing.T) {
	l := made(2, 0, 40)
	s := derived(t, l, tiny) // 128 slots
	nobody := schedule.Pubkey{9}
	for _, identities := range [][]schedule.Pubkey{nil, {l.Entries[0].Node}, {l.Entries[3].Node, nobody, l.Entries[4].Node}, {nobody}} {
		for _, votes := range []bool{false, true} {
			var out, want bytes.Buffer
			if err := WriteRPC(&out, s, votes, identities...); err != nil {
				t.Fatal(err)
			}
			if votes {
				want.WriteString(byVote(t, s, identities...))
			} else if err := s.Write(&want, schedule.FormatRPC, identities...); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); got != strings.TrimSuffix(want.String(), "\n") {
				t.Errorf("%v of %v: got %s, want %s", votes, identities, got, want.String())
			}
		}
	}
	odd, err := schedule.Derive(s.Stakes(), schedule.Params{Epoch: 2, Slots: 50, Repeat: 7})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := WriteRPC(&out, odd, true); err != nil || out.String() != byVote(t, odd) {
		t.Errorf("rotations of 7: got %s, %v", out.String(), err)
	}
	broken := errors.New("broken")
	for _, votes := range []bool{false, true} {
		if err := WriteRPC(failing{broken}, s, votes); err != broken {
			t.Errorf("got %v", err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A schedule keyed by identity has no result by vote account, and says so.
func TestNoVotes(t *testing.T) {
	r := mustNew(t, Options{Terms: electorate.Terms{KeyedBy: "identity"}})
	mustPut(t, r, made(9, 0, 20))
	e := mustEpoch(t, r, 9)
	if _, err := e.Body(RPCByVote, splice.Gzip); !errors.Is(err, ErrNoVotes) {
		t.Errorf("got %v", err)
	}
	if _, err := e.Result(true, splice.Gzip); !errors.Is(err, ErrNoVotes) {
		t.Errorf("got %v", err)
	}
	if _, err := e.Result(false, splice.Gzip); err != nil {
		t.Error(err)
	}
}

// A reply around the kept result is the reply that would be printed whole.
func TestResult(t *testing.T) {
	r := mustNew(t, Options{})
	mustPut(t, r, made(9, 0, 100))
	e := mustEpoch(t, r, 9)
	for _, votes := range []bool{false, true} {
		for _, enc := range splice.Encodings() {
			result, err := e.Result(votes, enc)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{"1", `"0b5c"`, "null"} {
				reply, err := splice.Join(enc, splice.Literal(`{"jsonrpc":"2.0","result":`), result, splice.Literal(`,"id":`+id+`}`))
				if err != nil {
					t.Fatal(err)
				}
				var want bytes.Buffer
				fmt.Fprint(&want, `{"jsonrpc":"2.0","result":`)
				if err := WriteRPC(&want, e.Schedule(), votes); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&want, `,"id":%s}`, id)
				if got := decoded(t, enc, reply.Bytes()); got != want.String() || !json.Valid([]byte(got)) {
					t.Errorf("%v %v %s: got another reply", votes, enc, id)
				}
			}
		}
	}
	if got := r.Stats().Makes; got != 6 {
		t.Errorf("%d makes, want 6", got)
	}
}

func TestParquetIsRead(t *testing.T) {
	r := mustNew(t, Options{})
	mustPut(t, r, made(9, 0, 100))
	e := mustEpoch(t, r, 9)
	b, err := e.Body(Parquet, splice.Identity)
	if err != nil {
		t.Fatal(err)
	}
	o, err := schedulefile.Read(bytes.NewReader(b.Bytes()), "body")
	if err != nil {
		t.Fatal(err)
	}
	if digest, ok := o.Digest(); !ok || digest != e.Digest() {
		t.Errorf("got %x, %v", digest, ok)
	}
}

// Tags of bodies that differ differ; the digest alone is that of the plain body.
func TestETags(t *testing.T) {
	only := func(stake uint64, source string) *Epoch {
		r := mustNew(t, Options{})
		l := made(9, 0, 1) // whoever is alone leads every slot
		l.Entries[0].Stake, l.Provenance.Source = stake, source
		mustPut(t, r, l)
		return mustEpoch(t, r, 9)
	}
	a, more, elsewhere := only(5, "a"), only(6, "a"), only(5, "b")
	if got, want := a.ETag(RPC, splice.Identity), `"`+hexOf(a.Digest())+`"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, k := range Kinds() {
		tags := map[string]bool{}
		for _, enc := range splice.Encodings() {
			tags[a.ETag(k, enc)] = true
			body := func(e *Epoch) string {
				b, err := e.Body(k, enc)
				if err != nil {
					t.Fatal(err)
				}
				return string(b.Bytes())
			}
			for _, other := range []*Epoch{more, elsewhere} {
				if a.ETag(k, enc) == other.ETag(k, enc) && body(a) != body(other) {
					t.Errorf("%s %v: one tag for two bodies", k, enc)
				}
			}
			if k == RPC && a.ETag(k, enc) != more.ETag(k, enc) {
				t.Errorf("%v: two tags for one body", enc)
			}
		}
		if len(tags) != 3 {
			t.Errorf("%s: got %v, want a tag for each encoding", k, tags)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, k := range Kinds() {
		if got, err := ParseKind(string(k)); got != k || err != nil {
			t.Errorf("got %v, %v", got, err)
		}
		if k.ContentType() == "" || k.Extension() == "" {
			t.Errorf("%s has no content type or extension", k)
		}
	}
	if _, err := ParseKind("xml"); !errors.Is(err, ErrKind) || !strings.Contains(err.Error(), "rpc-by-vote, parquet") {
		t.Errorf("got %v", err)
	}
	r := mustNew(t, Options{})
	mustPut(t, r, made(9, 0, 2))
	if _, err := mustEpoch(t, r, 9).Body("xml", splice.Identity); !errors.Is(err, ErrKind) {
		t.Errorf("got %v", err)
	}
}
