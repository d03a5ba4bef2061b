package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// samples are small lists in every form.
func samples(t testing.TB) map[string]string {
	var own bytes.Buffer
	l := randomList(rand.New(rand.NewPCG(7, 8)))
	l.Provenance.Notes = []string{"a note"}
	if err := Write(&own, l); err != nil {
		t.Fatal(err)
	}
	votes := `{"jsonrpc":"2.0","result":{"current":[` + voteAccount(keyA, keyC, "5", "[[1,2,3],[2,3,4]]", "9") + `],"delinquent":[]},"id":1}`
	return map[string]string{
		"own":           own.String(),
		"vote accounts": votes,
		"epoch.new":     `{"topic":"epoch","key":"new","value":` + message("leader_slots", "[0,1]") + "}",
		"rows":          `[` + fields("vote_pubkey", quoted(keyA), "node_pubkey", quoted(keyB), "stake", quoted("5"), "x", `{"a":[1,null]}`) + "]",
		"validators":    `{"validators":[` + fields("identityPubkey", quoted(keyA), "activatedStake", "5") + "]}",
		"error":         `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":1}`,
	}
}

// Input that is cut anywhere is an error that says where it ends.
func TestReadCut(t *testing.T) {
	for name, in := range samples(t) {
		for n := range len(strings.TrimSpace(in)) {
			set, err := Read(strings.NewReader(in[:n]), "cut")
			var e *Error
			if set != nil || !errors.As(err, &e) {
				t.Fatalf("%s cut at %d: %v, %v", name, n, set, err)
			}
			var rpc *RPCError
			if errors.As(err, &rpc) {
				continue // told before the input ended
			}
			if !errors.Is(err, io.ErrUnexpectedEOF) || e.Offset != int64(n) {
				t.Fatalf("%s cut at %d: %v", name, n, err)
			}
		}
	}
}

// Input with a wrong byte is an error or another list, and never a panic.
func TestReadFlipped(t *testing.T) {
	flips := []byte{0x01, 0x20, 0x80}
	if os.Getenv("SCHEDGEN_TEST_EMULATED") != "" || testing.Short() {
		flips = flips[:1]
	}
	for name, in := range samples(t) {
		for i := range len(in) {
			for _, flip := range flips {
				b := []byte(in)
				b[i] ^= flip
				set, err := Read(bytes.NewReader(b), "flipped")
				var e *Error
				if (set == nil) == (err == nil) || err != nil && !errors.As(err, &e) {
					t.Fatalf("%s, byte %d: %v, %v", name, i, set, err)
				}
			}
		}
	}
}

// endless gives a text over and over.
type endless struct {
	text string
	at   int
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), e.left)]
	for i := range p {
		p[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	e.left -= len(p)
	return len(p), nil
}

// Memory does not grow with what is read past.
func TestReadBounded(t *testing.T) {
	if os.Getenv("SCHEDGEN_TEST_EMULATED") != "" || testing.Short() {
		t.Skip("SCHEDGEN_TEST_EMULATED or -short is set: megabytes of tokens take long there")
	}
	const size = 1 << 20
	for name, r := range map[string]io.Reader{
		"array":          io.MultiReader(strings.NewReader(`{"x":[`), &endless{text: "1,", left: size}),
		"objects":        io.MultiReader(strings.NewReader(`{"x":[`), &endless{text: `{"a":["b"]},`, left: size}),
		"members":        io.MultiReader(strings.NewReader(`{`), &endless{text: `"member":null,`, left: size}),
		"string":         io.MultiReader(strings.NewReader(`{"x":"`), &endless{text: "x", left: size}),
		"name":           io.MultiReader(strings.NewReader(`{"`), &endless{text: "x", left: size}),
		"space":          &endless{text: " ", left: size},
		"leader slots":   io.MultiReader(strings.NewReader(`{"leader_slots":[`), &endless{text: "1,", left: size}),
		"vote credits":   io.MultiReader(strings.NewReader(`{"current":[{"epochCredits":[`), &endless{text: "[1,2,3],", left: size}),
		"depth":          &endless{text: `{"x":`, left: size},
		"zeros":          &endless{text: "\x00", left: size},
		"unstaked votes": io.MultiReader(strings.NewReader(`{"current":[`), &endless{text: voteAccount(keyA, keyB, "0", "[]", "1") + ",", left: size}),
	} {
		watch := &watched{r: r}
		if set, err := Read(watch, name); err == nil {
			t.Errorf("%s: got %v", name, set)
		}
		most := uint64(1 << 19)
		if name == "leader slots" {
			most = 3 << 19 // of which maxRanks are kept
		}
		if watch.most > most {
			t.Errorf("%s: %d bytes held", name, watch.most)
		}
	}
}

// watched knows how much memory is in use while a reader is read.
type watched struct {
	r           io.Reader
	reads       int
	start, most uint64
}

func (w *watched) Read(p []byte) (int, error) {
	const every = 32
	if w.reads%every == 0 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		if w.reads == 0 {
			w.start = m.HeapAlloc
		}
		w.most = max(w.most, m.HeapAlloc-min(w.start, m.HeapAlloc))
	}
	w.reads++
	return w.r.Read(p)
}

// FuzzRead: any input is read or refused with one line that has its name, and what
// is read is written and read back.
func FuzzRead(f *testing.F) {
	for _, in := range samples(f) {
		f.Add([]byte(in))
	}
	for _, in := range []string{"", "[]", "{}", "null", `{"current":null}`, "\xef\xbb\xbf[", `{"value":{"epoch":1}}`, `{"result":[]}`} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		set, err := Read(bytes.NewReader(in), "fuzz")
		if err != nil {
			var located *Error
			if !errors.As(err, &located) || set != nil || located.Offset < 0 || located.Offset > int64(len(in)) {
				t.Fatalf("%v is no *Error within the input, set %v", err, set)
			}
			if msg := err.Error(); !strings.HasPrefix(msg, "fuzz: at byte ") || strings.ContainsAny(msg, "\r\n") {
				t.Fatalf("%q is no line with the name", msg)
			}
			return
		}
		if text := bytes.TrimPrefix(in, []byte(utf8BOM)); !json.Valid(text) {
			t.Fatal("read what is no JSON")
		}
		l := &set.Lists[0]
		if len(l.Entries) == 0 || l.Accounts != nil && len(l.Accounts) != len(l.Entries) {
			t.Fatalf("%d entries, %d accounts", len(l.Entries), len(l.Accounts))
		}
		if len(l.Provenance.Notes) == 0 {
			l.Provenance.Notes = nil
		}
		var out bytes.Buffer
		if err := Write(&out, l); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&out, "again")
		if err != nil || !reflect.DeepEqual(again, set) {
			t.Fatalf("wrote %+v, read back %+v, %v", set, again, err)
		}
	})
}

// A list may be longer than any cluster's: there is no maximum.
func TestReadHundredThousandEntries(t *testing.T) {
	n := 100_000
	if os.Getenv("SCHEDGEN_TEST_EMULATED") != "" || testing.Short() {
		n = 5_000 // base58 takes long there
	}
	want := &list.List{HasVotes: true, Provenance: list.Provenance{Kind: list.KindRows, Source: "many", Vintage: list.VintageUnknown}}
	for i := range n {
		k := schedule.Pubkey{0: 1, 1: byte(i), 2: byte(i >> 8), 3: byte(i >> 16)}
		want.Entries = append(want.Entries, schedule.Entry{Key: k, Node: k, Stake: uint64(i) << 40})
	}
	var out bytes.Buffer
	if err := Write(&out, want); err != nil {
		t.Fatal(err)
	}
	set, err := Read(&out, "many")
	if err != nil || !reflect.DeepEqual(&set.Lists[0], want) {
		t.Fatalf("%d entries became %d, %v", n, len(set.Lists[0].Entries), err)
	}
}

// BenchmarkRead reads a getVoteAccounts reply as long as the largest cluster's.
func BenchmarkRead(b *testing.B) {
	one := voteAccount(keyA, keyB, "123456789012345", "[[900,1,2],[901,1,2],[902,1,2],[903,1,2],[904,1,2]]", "388800005")
	in := `{"result":{"current":[` + strings.Repeat(one+",", 4_999) + one + `],"delinquent":[]}}`
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(strings.NewReader(in), "bench"); err != nil {
			b.Fatal(err)
		}
	}
}
