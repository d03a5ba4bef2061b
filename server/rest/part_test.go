package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/slotclock"
)

// wantPart is a part of a schedule by way of its CSV, which has everything.
func wantPart(t testing.TB, e *epochs.Epoch, f schedule.Format, from, to uint64, identities []string) string {
	t.Helper()
	lines := strings.SplitAfter(written(t, e, schedule.FormatCSV), "\n")
	text, csv := "", lines[0]
	entries, indices := []map[string]any{}, map[string][]uint64{}
	for _, line := range lines[1 : len(lines)-1] {
		fields := strings.Split(strings.TrimSpace(line), ",")
		slot, _ := strconv.ParseUint(fields[0], 10, 64)
		index, _ := strconv.ParseUint(fields[1], 10, 64)
		if slot < from || slot > to || len(identities) > 0 && !slices.Contains(identities, fields[2]) {
			continue
		}
		text += fmt.Sprintf("  %-15d %-44s\n", slot, fields[2])
		csv += line
		entries = append(entries, map[string]any{"leader": fields[2], "slot": slot})
		indices[fields[2]] = append(indices[fields[2]], index)
	}
	var v any = map[string]any{"epoch": e.Number(), "leaderScheduleEntries": entries}
	switch f {
	case schedule.FormatText:
		return text + "\n"
	case schedule.FormatCSV:
		return csv
	case schedule.FormatRPC:
		v = indices
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

func TestParts(t *testing.T) {
	s := newService(t)
	e := s.epoch(5)
	var all []string
	for _, entry := range e.Schedule().Stakes().All() {
		all = append(all, entry.Node.String())
	}
	all = append(all, absent.String())
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom([]schedule.Format{
			schedule.FormatText, schedule.FormatJSON, schedule.FormatJSONCompact, schedule.FormatRPC, schedule.FormatCSV,
		}).Draw(t, "format")
		from := rapid.Uint64Range(5*epochSlots, 6*epochSlots-1).Draw(t, "from")
		to := rapid.Uint64Range(from, 6*epochSlots-1).Draw(t, "to")
		identities := rapid.SliceOfN(rapid.SampledFrom(all), 0, 3).Draw(t, "identities")
		query := url.Values{"format": {string(f)}, "from": {fmt.Sprint(from)}, "to": {fmt.Sprint(to)}, "identity": identities}
		coding := rapid.SampledFrom([]string{"", "gzip"}).Draw(t, "coding")
		w := s.get("/v1/epochs/5/schedule?"+query.Encode(), "Accept-Encoding", coding)
		got := plainBody(s.t, w)
		if f == schedule.FormatJSON {
			var compact bytes.Buffer
			if err := json.Compact(&compact, []byte(got)); err != nil {
				t.Fatal(err)
			}
			// In this form slot comes before leader.
			var v any
			if err := json.Unmarshal(compact.Bytes(), &v); err != nil {
				t.Fatal(err)
			}
			b, _ := json.Marshal(v)
			got = string(b) + "\n"
		}
		if want := wantPart(s.t, e, f, from, to, identities); got != want {
			t.Fatalf("%v: got\n%s\nwant\n%s", query, got, want)
		}
	})
}

// A range of the format json is printed as a whole schedule is.
func TestPartOfJSON(t *testing.T) {
	s := newService(t)
	got := s.get("/v1/epochs/5/schedule?format=json&from=1011&to=1011").Body.String()
	leader, _ := s.epoch(5).LeaderText(1)
	want := "{\n  \"epoch\": 5,\n  \"leaderScheduleEntries\": [\n    {\n      \"slot\": 1011,\n      \"leader\": \"" + leader + "\"\n    }\n  ]\n}\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOneEnd(t *testing.T) {
	s := newService(t)
	for query, want := range map[string]string{
		"from=1200": wantPart(t, s.epoch(5), schedule.FormatText, 1200, 1211, nil),
		"to=1012":   wantPart(t, s.epoch(5), schedule.FormatText, 1010, 1012, nil),
	} {
		if got := s.get("/v1/epochs/5/schedule?format=text&" + query).Body.String(); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

func TestIdentities(t *testing.T) {
	s := newService(t)
	e := s.epoch(5)
	leader, _ := e.Schedule().Leader(0)
	for _, f := range schedule.Formats() {
		if !f.Filters() {
			continue
		}
		w := s.get(fmt.Sprintf("/v1/epochs/5/schedule?format=%s&identity=%v", f, leader))
		if got, want := w.Body.String(), written(t, e, f, leader); got != want || w.Header().Get("Content-Length") != "" {
			t.Errorf("%s: got %s, want %s", f, got, want)
		}
	}
	w := s.get(fmt.Sprintf("/v1/epochs/5/schedule?format=rpc-by-vote&identity=%v", leader))
	var want bytes.Buffer
	if err := epochs.WriteRPC(&want, e.Schedule(), true, leader); err != nil {
		t.Fatal(err)
	}
	if w.Body.String() != want.String()+"\n" {
		t.Errorf("got %s, want %s", w.Body, &want)
	}
	o, err := schedulefile.Read(s.get(fmt.Sprintf("/v1/epochs/5/schedule?format=parquet&identity=%v", leader)).Body, "answer")
	if err != nil || o.Known() == 0 || !o.Partial || len(o.Keys) != 1+votesIn(e, leader) {
		t.Errorf("parquet: %v, %v", o, err)
	}
	if got := s.get("/v1/epochs/5/schedule?identity=" + absent.String()).Body.String(); got != "{}\n" {
		t.Errorf("an identity without slots: %s", got)
	}
}

// votesIn counts the vote accounts of an identity that have slots.
func votesIn(e *epochs.Epoch, identity schedule.Pubkey) int {
	votes := map[schedule.Pubkey]bool{}
	for slot := range e.Schedule().SlotsOf(identity) {
		vote, _ := e.Schedule().VoteAt(slot)
		votes[vote] = true
	}
	return len(votes)
}

func TestColumns(t *testing.T) {
	s := newService(t)
	e := s.epoch(5)
	var want bytes.Buffer
	columns := []schedulefile.Column{schedulefile.ColumnRotation, schedulefile.ColumnLeader}
	if err := schedulefile.WriteCSV(&want, e.Schedule(), columns, schedulefile.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := s.get("/v1/epochs/5/schedule?format=csv&columns=rotation,leader"); got.Body.String() != want.String() || got.Header().Get("ETag") == "" {
		t.Errorf("got %s", got.Body)
	}
	const timed = "/v1/epochs/5/schedule?format=csv&columns=slot,time"
	w := s.get(timed)
	if !strings.HasPrefix(w.Body.String(), "slot,time\n1010,2026-10-08T11:59:40.000Z\n1011,2026-10-08T11:59:40.400Z\n") {
		t.Errorf("got %.80s", w.Body)
	}
	if w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("times are kept: %v", w.Header())
	}
	s.clock.now.Clock = slotclock.Clock{}
	if got := s.get(timed).Body.String(); !strings.HasPrefix(got, "slot,time\n1010,\n") {
		t.Errorf("without a clock got %.80s", got)
	}
	s.clock.known = false
	s.refused(timed, 503, "clock-unknown")
}

func TestRangesAreBounded(t *testing.T) {
	registry, err := epochs.New(epochs.Options{EpochSchedule: schedule.EpochSchedule{SlotsPerEpoch: mostRange + 2}})
	if err != nil {
		t.Fatal(err)
	}
	l := made(0, 1, 3)
	l.HasVotes = false
	for i := range l.Entries {
		l.Entries[i].Node = schedule.Pubkey{}
	}
	mustPut(t, registry, l)
	s := serviceOf(t, registry)
	s.refused(fmt.Sprintf("/v1/epochs/0/schedule?format=text&to=%d", mostRange), 400, "bad-parameter")
	w := s.do("HEAD", fmt.Sprintf("/v1/epochs/0/schedule?format=text&from=1&to=%d", mostRange), "")
	if w.Code != 200 || w.Header().Get("ETag") == "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}
