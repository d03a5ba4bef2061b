package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// answers are the fields that state what has to come out. A wrong one in any of
// them must fail the vector. The other fields are inputs.
var answers = []string{
	"distinct", "drawn", "empty", "end", "entries", "first", "first_draw", "first_leader", "first_rank",
	"first_rejected_rotation", "first_rotations", "indeterminate", "input_sha256", "last_rotation",
	"leader_if_at_least", "leaders", "length", "limit", "picked", "refused", "rejected", "rolls", "sha256",
	"sha256_base58", "stakes_sha256", "text_sha256", "total", "words",
}

// TestTampered changes the answers of a few vectors of every kind, one at a time,
// and wants the checker to notice each.
func TestTampered(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		file, list string
		item       int
		heavy      bool
	}{
		{file: "streams.json", list: "streams", item: 7},
		{file: "streams.json", list: "streams", item: 20},
		{file: "rolls.json", list: "rolls", item: 1},
		{file: "rolls.json", list: "rolls", item: 48},
		{file: "rolls.json", list: "iterated", item: 0, heavy: true},
		{file: "shuffles.json", list: "shuffles", item: 1},
		{file: "shuffles.json", list: "shuffles", item: 15},
		{file: "samplers.json", list: "samplers", item: 0},
		{file: "samplers.json", list: "samplers", item: 8},
		{file: "schedules.json", list: "schedules", item: 2},
		{file: "schedules.json", list: "schedules", item: 20},
		{file: "schedules.json", list: "schedules", item: 21},
		{file: "schedules.json", list: "schedules", item: 22},
		{file: "schedules.json", list: "schedules", item: 23},
		{file: "schedules.json", list: "schedules", item: 25},
		{file: "schedules.json", list: "schedules", item: 29},
		{file: "boundary.json", list: "schedules", item: 0},
		{file: "boundary.json", list: "schedules", item: 6},
		{file: "boundary.json", list: "tables", item: 1},
		{file: "boundary.json", list: "zones", item: 0},
		{file: "published.json", list: "sequences", item: 1},
		{file: "published.json", list: "hashes", item: 0, heavy: true},
		{file: "published.json", list: "rolls", item: 1},
		{file: "random100.json"},
		{file: "clusters.json", list: "listed", item: 0, heavy: true},
		{file: "clusters.json", list: "external", item: 0, heavy: true},
	} {
		t.Run(fmt.Sprintf("%s/%s-%d", v.file, v.list, v.item), func(t *testing.T) {
			if v.heavy && testing.Short() {
				t.Skip("heavy")
			}
			tamperAll(t, v.file, prune(t, v.file, v.list, v.item))
		})
	}
}

// tamperAll changes one answer after the other in the text of a file.
func tamperAll(t *testing.T, file, text string) {
	o := Options{Backends: []string{"generic"}, Dir: dirWith("epoch-454-stakes.csv")}
	if strings.Contains(text, "stakes_sha256") && o.Dir == "" {
		t.Skip("epoch-454-stakes.csv is absent")
	}
	files := emptyFiles(t)
	run := func(text string) (passed, failed int, out string) {
		t.Helper()
		files[file] = &fstest.MapFile{Data: []byte(text)}
		var b bytes.Buffer
		passed, failed, err := check(&b, files, o)
		if err != nil {
			t.Fatal(err)
		}
		return passed, failed, b.String()
	}
	all, failed, out := run(text)
	if failed > 0 || all == 0 {
		t.Fatalf("as it is: %s", out)
	}
	line := regexp.MustCompile(`(?m)^FAIL generic/[\w/.-]+: .*expected .+, got .+$`)
	changed := 0
	for leaf := 0; ; leaf++ {
		text, path, ok := tamper(t, text, leaf)
		if !ok {
			break
		}
		changed++
		passed, failed, out := run(text)
		last := fmt.Sprintf("\n%d passed, 1 failed\n", all-1)
		if failed != 1 || passed != all-1 || !line.MatchString(out) || !strings.HasSuffix(out, last) {
			t.Errorf("%s changed: %d passed, %d failed, want %d and 1; output:\n%s", path, passed, failed, all-1, out)
		}
	}
	if changed == 0 {
		t.Error("nothing to change")
	}
}

// emptyFiles is a set of vector files in which only random100.json, which is a
// single vector, holds any.
func emptyFiles(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(embedded(), "*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		files[name] = &fstest.MapFile{Data: []byte("{}")}
	}
	// The sentinels stand outside the lists.
	files["samplers.json"] = &fstest.MapFile{Data: []byte(prune(t, "samplers.json", "samplers", -1))}
	files["random100.json"] = &fstest.MapFile{Data: []byte(prune(t, "random100.json", "", 0))}
	return files
}

// prune returns an embedded file with one item of one list, and no other list.
// An empty list name keeps the whole file; item -1 keeps none.
func prune(t *testing.T, file, list string, item int) string {
	t.Helper()
	text, err := fs.ReadFile(embedded(), file)
	if err != nil {
		t.Fatal(err)
	}
	if list == "" {
		return string(text)
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	for name, raw := range whole {
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			continue
		}
		delete(whole, name)
		if name == list && item >= 0 {
			whole[name], _ = json.Marshal([]json.RawMessage{firstSchedule(t, items[item])})
		}
	}
	pruned, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return string(pruned)
}

// firstSchedule drops all but the first of an item's schedules, if it has many.
func firstSchedule(t *testing.T, item json.RawMessage) json.RawMessage {
	t.Helper()
	var fields map[string]json.RawMessage
	var schedules []json.RawMessage
	if json.Unmarshal(item, &fields) != nil || json.Unmarshal(fields["schedules"], &schedules) != nil {
		return item
	}
	fields["schedules"], _ = json.Marshal(schedules[:1])
	item, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// tamper changes the leaf-th answer of a JSON text; ok is false when there are
// fewer.
func tamper(t *testing.T, text string, leaf int) (changed, path string, ok bool) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	w := walker{left: leaf}
	w.walk(tree, "", "", func(any) {})
	if w.path == "" {
		return "", "", false
	}
	out, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), w.path, true
}

// walker counts down to one answer and changes it.
type walker struct {
	left int
	path string // of what was changed
}

// walk visits a value whose nearest field has the given name; set replaces it.
func (w *walker) walk(v any, field, path string, set func(any)) {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			w.walk(v[name], name, path+"."+name, func(n any) { v[name] = n })
		}
	case []any:
		for i, item := range v {
			if _, inner := item.(map[string]any); !inner && i > 0 && i < len(v)-1 {
				continue // the first and the last of a list of numbers will do
			}
			w.walk(item, field, fmt.Sprintf("%s[%d]", path, i), func(n any) { v[i] = n })
		}
	default:
		if w.path != "" || !slices.Contains(answers, field) {
			return
		}
		if w.left == 0 {
			w.path = path
			set(another(v))
		}
		w.left--
	}
}

// another returns a value of the same form that differs.
func another(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := v.Int64()
		return n + 1
	case string:
		if n, err := strconv.ParseUint(v, 10, 64); err == nil {
			return strconv.FormatUint(n+1, 10)
		}
		switch v {
		case "overflow":
			return "no stake"
		case "no stake", "no slots", "duplicate key":
			return "overflow"
		}
		// A digest or a key: another last digit, which both alphabets have.
		last := len(v) - 1
		if v[last] == '2' {
			return v[:last] + "3"
		}
		return v[:last] + "2"
	}
	panic(fmt.Sprintf("no other value for %v", v))
}
