package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/schedgen/schedgen/internal/cpu"
)

// small is a set of vector files that is checked at once: three vectors, and the
// epoch whose stakes are elsewhere.
func small(t *testing.T) fstest.MapFS {
	t.Helper()
	files := emptyFiles(t)
	files["published.json"] = &fstest.MapFile{Data: []byte(prune(t, "published.json", "rolls", 0))}
	files["clusters.json"] = &fstest.MapFile{Data: []byte(prune(t, "clusters.json", "external", 0))}
	return files
}

func lines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

func TestCheckReport(t *testing.T) {
	var out bytes.Buffer
	var progress []string
	o := Options{
		Backends: []string{"generic", "generic"},
		Verbose:  true,
		Progress: func(done, total int) { progress = append(progress, fmt.Sprint(done, "/", total)) },
	}
	passed, failed, err := check(&out, small(t), o)
	if passed != 3 || failed != 0 || err != nil {
		t.Errorf("passed %d, failed %d, error %v; want 3, 0, none", passed, failed, err)
	}
	want := []string{
		"ok   generic/samplers/sentinels",
		"ok   generic/published/rolls-modulo",
		"ok   generic/random100/epoch-123",
		"skip generic/clusters/mainnet-beta-epoch-454: not checked: it needs the folder that holds epoch-454-stakes.csv",
		"3 passed, 0 failed",
	}
	if got := lines(out.String()); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("output:\n%s\nwant:\n%s", out.String(), strings.Join(want, "\n"))
	}
	if got := strings.Join(progress, " "); got != "1/4 2/4 3/4 4/4" {
		t.Errorf("progress was %s", got)
	}
}

func TestCheckQuiet(t *testing.T) {
	files := small(t)
	files["clusters.json"] = &fstest.MapFile{Data: []byte("{}")}
	var out bytes.Buffer
	passed, failed, err := check(&out, files, Options{})
	if passed != 3*len(cpu.Available()) || failed != 0 || err != nil {
		t.Errorf("passed %d, failed %d, error %v; want 3 a backend, 0, none", passed, failed, err)
	}
	if want := fmt.Sprintf("%d passed, 0 failed\n", passed); out.String() != want {
		t.Errorf("output %q, want %q", out.String(), want)
	}
}

func TestCheckQuick(t *testing.T) {
	files := small(t)
	files["published.json"] = &fstest.MapFile{Data: []byte(prune(t, "published.json", "hashes", 0))}
	var out bytes.Buffer
	passed, failed, err := check(&out, files, Options{Backends: []string{"generic"}, Quick: true})
	if passed != 2 || failed != 0 || err != nil {
		t.Errorf("passed %d, failed %d, error %v; want 2, 0, none", passed, failed, err)
	}
	if want := "2 passed, 0 failed\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("output:\n%s\ndoes not end with %q", out.String(), want)
	}
}

func TestCheckOptions(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for name, o := range map[string]Options{
		"unknown backend": {Backends: []string{"generic", "abacus"}},
		"missing folder":  {Dir: missing},
	} {
		var out bytes.Buffer
		passed, failed, err := Check(&out, o)
		if err == nil || passed+failed > 0 || out.Len() > 0 {
			t.Errorf("%s: %d passed, %d failed, error %v, output %q; want an error alone",
				name, passed, failed, err, out.String())
			continue
		}
		want := missing
		if o.Dir == "" {
			want = string(cpu.Generic) // it lists what there is
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %q does not say %q", name, err, want)
		}
	}
}

func TestCheckWrongStakeList(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "epoch-454-stakes.csv")
	var out bytes.Buffer
	if _, failed, _ := check(&out, small(t), Options{Backends: []string{"generic"}, Dir: dir}); failed != 0 {
		t.Errorf("an absent list fails %d vectors", failed)
	}
	if err := os.WriteFile(path, []byte("pubkey,stake\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	_, failed, err := check(&out, small(t), Options{Backends: []string{"generic"}, Dir: dir})
	if failed != 1 || err != nil {
		t.Errorf("another list: %d failed, error %v; want 1 and none", failed, err)
	}
	want := regexp.MustCompile(`(?m)^FAIL generic/clusters/mainnet-beta-epoch-454: expected SHA-256 of \S+ [0-9a-f]{64}, got [0-9a-f]{64}$`)
	if !want.MatchString(out.String()) {
		t.Errorf("output:\n%s\ndoes not match %v", out.String(), want)
	}
}

func TestCheckDamagedFile(t *testing.T) {
	for name, text := range map[string]string{
		"not JSON":      `{"rolls": [`,
		"unknown field": `{"rolls": [{"bound": 1}]}`,
		"short seed":    `{"rolls": [{"seed": "00"}]}`,
		"not a number":  `{"iterated": [{"start": "-1"}]}`,
	} {
		files := small(t)
		files["rolls.json"] = &fstest.MapFile{Data: []byte(text)}
		_, _, err := check(new(bytes.Buffer), files, Options{})
		if err == nil || !strings.Contains(err.Error(), "rolls.json") {
			t.Errorf("%s: error %v; want one that names the file", name, err)
		}
	}
}

// brokenWriter fails, as a full disk does.
type brokenWriter struct{}

var errBroken = errors.New("no space left")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestCheckWriteError(t *testing.T) {
	_, _, err := check(brokenWriter{}, small(t), Options{Backends: []string{"generic"}})
	if !errors.Is(err, errBroken) {
		t.Errorf("error %v, want the writer's", err)
	}
}
