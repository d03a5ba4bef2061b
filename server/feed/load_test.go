package feed

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

const plainCSV = "pubkey,stake\n4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi,5\n"

// archive returns a snapshot whose stakes are those of the epochs 900 to 902, by the
// name that it should have.
func archive(t testing.TB, compression string) (name string, content []byte) {
	t.Helper()
	a := snapshottest.Archive{Spec: snapshottest.Small(snapshottest.New), Accounts: 1 << 14}
	var b bytes.Buffer
	if err := a.Write(&b, compression); err != nil {
		t.Fatal(err)
	}
	return a.Name(a.AccountsHash, compression), b.Bytes()
}

var (
	snapshotSchedule = schedule.EpochSchedule{SlotsPerEpoch: 432_000, LeaderScheduleSlotOffset: 432_000}
	snapshotEpochs   = []uint64{900, 901, 902}
)

func (g *rig) wantSnapshot(t testing.TB) {
	t.Helper()
	for _, epoch := range snapshotEpochs {
		held, ok := g.registry.Summary(epoch)
		if p := held.Provenance; !ok || held.Entries != 3 || p.Kind != list.KindSnapshot || p.Vintage != list.VintageExact {
			t.Errorf("epoch %d: %v, %+v", epoch, ok, held)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.json", jsonOf(t, made(5, 1, list.VintageExact)))
	write(t, dir, "b.csv", []byte(plainCSV))
	write(t, dir, "approximate.json", jsonOf(t, made(5, 2, list.VintageApproximate)))
	path := func(name string) string { return filepath.Join(dir, name) }
	g := newRig(t, tiny)
	six := uint64(6)
	if err := g.Load(t.Context(), []File{{Name: path("a.json")}, {Name: path("b.csv"), Epoch: &six}, {Name: path("approximate.json")}}); err != nil {
		t.Fatal(err)
	}
	g.wantVersion(t, 5, 1)
	if held, _ := g.registry.Summary(6); held.Entries != 1 || held.Provenance.Source != path("b.csv") {
		t.Errorf("epoch 6: %+v", held)
	}
	for name, want := range map[string]Result{"a.json": Taken, "b.csv": Taken, "approximate.json": Kept} {
		in := g.attempts(path(name))
		if len(in) != 1 || in[0].Origin != AtStart || in[0].Lists[0].Result != want || in[0].Lists[0].Digest == nil {
			t.Errorf("%s: %+v", name, in)
		}
	}
	g.wantLog(t, `msg="stakes ingested" origin=start file=`+path("a.json")+` taken=[5] vintage=exact digests=`, 1)
	g.wantLog(t, `msg="stakes bring nothing new" origin=start file=`+path("approximate.json")+` kept=[5]`, 1)
}

func TestLoadSnapshot(t *testing.T) {
	dir := t.TempDir()
	name, content := archive(t, ".zst")
	write(t, dir, name, content)
	g := newRig(t, snapshotSchedule)
	if err := g.Load(t.Context(), []File{{Name: filepath.Join(dir, name)}}); err != nil {
		t.Fatal(err)
	}
	g.wantSnapshot(t)

	one := newRig(t, snapshotSchedule)
	epoch := uint64(901)
	if err := one.Load(t.Context(), []File{{Name: filepath.Join(dir, name), Epoch: &epoch}}); err != nil {
		t.Fatal(err)
	}
	one.wantNone(t, 900)
	if _, ok := one.registry.Summary(901); !ok {
		t.Error("epoch 901 is not held")
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		write(t, dir, name, []byte(content))
		return filepath.Join(dir, name)
	}
	other := made(5, 1, list.VintageExact)
	other.Provenance.Cluster = "testnet"
	empty := made(5, 1, list.VintageExact)
	for i := range empty.Entries {
		empty.Entries[i].Stake = 0
	}
	whole := jsonOf(t, made(5, 1, list.VintageExact))
	six := uint64(6)
	node := rpctest.New(t, rpctest.Cluster{EpochSchedule: tiny})
	secret := strings.Replace(node.URL, "http://", "http://user:secret@", 1)
	for _, c := range []struct {
		name  string
		file  string
		epoch *uint64
		want  error
		says  string
	}{
		{"missing", filepath.Join(dir, "none.csv"), nil, stakes.ErrSource, "none.csv"},
		{"no epoch", file("plain.csv", plainCSV), nil, ErrEpochNeeded, "want --stakes EPOCH=" + filepath.Join(dir, "plain.csv")},
		{"another epoch", file("five.json", string(whole)), &six, nil, "no stakes for the schedule of epoch 6"},
		{"another cluster", file("other.json", string(jsonOf(t, other))), nil, store.ErrCluster, "other.json"},
		{"no stake", file("empty.json", string(jsonOf(t, empty))), nil, schedule.ErrNoStake, "empty.json"},
		{"cut", file("cut.json", string(whole[:len(whole)/2])), nil, nil, "cut.json"},
		{"no source", file("elf", "\x7fELF\x02\x01\x01\x00\x00"), nil, stakes.ErrSource, "elf"},
		{"no name", "", nil, stakes.ErrSource, "no such file"},
		{"line breaks in a name", filepath.Join(dir, "a\nb"), nil, stakes.ErrSource, "no such file"},
		{"node without stake", secret, nil, schedule.ErrNoStake, "***@"},
		{"no address", "http://user:secret@", nil, nil, "the node: "},
	} {
		g := newRig(t, tiny)
		if _, err := g.registry.Put(clusterList()); err != nil {
			t.Fatal(err)
		}
		err := g.Load(t.Context(), []File{{Name: c.file, Epoch: c.epoch}, {Name: "never reached"}})
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "never") {
			t.Errorf("%s: got %v, want %v with %q", c.name, err, c.want, c.says)
		}
		if text := err.Error() + g.log.String(); strings.Contains(text, "secret") {
			t.Errorf("%s: tells the password: %s", c.name, text)
		}
		g.wantNone(t, 5)
	}
}

// clusterList makes a registry one of mainnet-beta's.
func clusterList() *list.List {
	l := made(0, 1, list.VintageExact)
	l.Provenance.Cluster = "mainnet-beta"
	return l
}

func TestParseFile(t *testing.T) {
	for text, want := range map[string]string{
		"a.csv": "a.csv", "812=a.csv": "812 a.csv", "0=-": "0 -", "a=b.csv": "a=b.csv", "=b.csv": "=b.csv", "5=6=c": "5 6=c",
		"-1=a": "-1=a", "http://node/?a=b": "http://node/?a=b",
		"812=": "", "18446744073709551616=a": "", "5=": "",
	} {
		f, err := ParseFile(text)
		got := f.Name
		if f.Epoch != nil {
			got = strconv.FormatUint(*f.Epoch, 10) + " " + f.Name
		}
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%s: got %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestPost(t *testing.T) {
	g := newRig(t, tiny)
	body := jsonOf(t, made(5, 1, list.VintageExact))
	post := func(content []byte, epoch *uint64) Ingested {
		return g.Post(t.Context(), iotest.HalfReader(bytes.NewReader(content)), "posted stakes", epoch)
	}
	if in := post(body, nil); in.Failed() != nil || in.Origin != Posted || in.Lists[0].Result != Taken || *in.Lists[0].Epoch != 5 {
		t.Errorf("got %+v", in)
	}
	if in := post(body, nil); in.Failed() != nil || in.Lists[0].Result != Unchanged {
		t.Errorf("again: %+v", in)
	}
	if in := post(jsonOf(t, made(5, 2, list.VintageExact)), nil); in.Failed() != nil || in.Lists[0].Result != Replaced {
		t.Errorf("corrected: %+v", in)
	}
	g.wantVersion(t, 5, 2)
	if put, err := g.Put(made(8, 8, list.VintageExact)); err != nil || put.Epoch != 8 {
		t.Errorf("put: %+v, %v", put, err)
	}
	g.wantVersion(t, 8, 8)
	if in := post(jsonOf(t, made(5, 3, list.VintageApproximate)), nil); in.Failed() != nil || in.Lists[0].Result != Kept {
		t.Errorf("worse: %+v", in)
	}
	seven := uint64(7)
	if in := post([]byte(plainCSV), &seven); in.Failed() != nil || *in.Lists[0].Epoch != 7 || in.Lists[0].Provenance.Source != "posted stakes" {
		t.Errorf("CSV: %+v", in)
	}
	for _, c := range []struct {
		content string
		want    error
		says    string
	}{
		{plainCSV, ErrEpochNeeded, "posted stakes: stake list does not say which epoch it leads, want the parameter epoch=N"},
		{"", nil, "posted stakes"},
		{"\x7fELF\x02\x01\x01\x00", stakes.ErrSource, "cannot open stake list posted stakes: it begins"},
		{`{"format":"schedgen-stakes"`, nil, "posted stakes"},
	} {
		in := post([]byte(c.content), nil)
		err := in.Failed()
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), anonymous) {
			t.Errorf("%q: got %v, want %v with %q", c.content, err, c.want, c.says)
		}
	}
	broken := g.Post(t.Context(), iotest.ErrReader(fs.ErrClosed), "a\nb", nil)
	if err := broken.Failed(); !errors.Is(err, fs.ErrClosed) || strings.Contains(err.Error(), "\n") {
		t.Errorf("broken: %v", err)
	}
	g.wantLog(t, `msg="stakes refused" origin=post`, 5)
}

// Any bytes are taken or refused with one line.
func FuzzPost(f *testing.F) {
	f.Add([]byte(plainCSV), true)
	f.Add(jsonOf(f, made(5, 1, list.VintageExact)), false)
	name, content := archive(f, ".zst")
	f.Add(content, false)
	f.Add(content[:len(content)/2], false)
	f.Fuzz(func(t *testing.T, content []byte, given bool) {
		g := newRig(t, tiny)
		var epoch *uint64
		if given {
			epoch = new(uint64)
		}
		in := g.Post(t.Context(), bytes.NewReader(content), name, epoch)
		err := in.Failed()
		if err == nil && len(in.Lists) == 0 || err != nil && strings.ContainsAny(err.Error(), "\r\n") {
			t.Errorf("got %+v", in)
		}
		for _, l := range in.Lists {
			if _, ok := g.registry.Summary(*l.Epoch); ok != (l.Result == Taken || l.Result == Replaced || l.Result == Unchanged) {
				t.Errorf("%+v is held: %v", l, ok)
			}
		}
	})
}
