package rest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/server/epochs"
)

func TestWholeSchedules(t *testing.T) {
	s := newService(t)
	e := s.epoch(5)
	tags := map[string]bool{}
	for _, kind := range epochs.Kinds() {
		for _, encoding := range []string{"", "gzip", "zstd", "br, gzip;q=0.5", "gzip, zstd", "identity"} {
			target := "/v1/epochs/5/schedule?format=" + string(kind)
			w := s.get(target, "Accept-Encoding", encoding)
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != kind.ContentType() {
				t.Fatalf("%s: %d %v", target, w.Code, w.Header())
			}
			if got, want := w.Header().Get("Content-Length"), fmt.Sprint(w.Body.Len()); got != want {
				t.Errorf("%s: Content-Length %s, want %s", target, got, want)
			}
			body := plainBody(t, w)
			switch kind {
			case epochs.Parquet:
				o, err := schedulefile.Read(strings.NewReader(body), "answer")
				if err != nil {
					t.Fatal(err)
				}
				if digest, ok := o.Digest(); !ok || digest != e.Digest() {
					t.Errorf("%s: another schedule", target)
				}
			case epochs.RPCByVote:
				var want bytes.Buffer
				if err := epochs.WriteRPC(&want, e.Schedule(), true); err != nil {
					t.Fatal(err)
				}
				if body != want.String()+"\n" {
					t.Errorf("%s: another schedule", target)
				}
			default:
				if body != written(t, e, schedule.Format(kind)) {
					t.Errorf("%s: not what is written", target)
				}
			}
			etag := w.Header().Get("ETag")
			if digest := e.Digest(); !strings.HasPrefix(etag, `"`+hex.EncodeToString(digest[:])) {
				t.Errorf("%s: entity tag %s without the digest", target, etag)
			}
			tags[string(kind)+w.Header().Get("Content-Encoding")+etag] = true
			again(s, target, s.get(target).Header().Get("ETag"))
		}
	}
	// Parquet and the digest are not compressed, the others in three ways.
	if want := 3*(len(epochs.Kinds())-2) + 2; len(tags) != want {
		t.Errorf("%d entity tags, want %d", len(tags), want)
	}
}

func TestEntityTagsChange(t *testing.T) {
	s := newService(t)
	const target = "/v1/epochs/5/schedule?format=csv"
	before := s.get(target)
	etag := before.Header().Get("ETag")
	mustPut(t, s.registry, made(5, 2, 12))
	after := s.get(target, "If-None-Match", etag)
	if after.Code != http.StatusOK || after.Body.String() == before.Body.String() || after.Header().Get("ETag") == etag {
		t.Errorf("%d, entity tag %s after %s", after.Code, after.Header().Get("ETag"), etag)
	}
	if after.Body.String() != written(t, s.epoch(5), schedule.FormatCSV) {
		t.Error("not the list that replaced the other")
	}
	seen := map[string]string{}
	for _, query := range []string{
		"", "format=text", "format=text&from=1020", "format=text&from=1021", "format=text&to=1020", "format=text&from=1012&to=1020",
		"identity=" + absent.String(), "format=csv&columns=leader,slot", "format=csv&columns=slot,leader", "format=json",
		"format=csv&columns=slot,leader&identity=" + absent.String(),
	} {
		etag := s.get("/v1/epochs/5/schedule?" + query).Header().Get("ETag")
		if other, ok := seen[etag]; ok || etag == "" {
			t.Errorf("%q and %q have the entity tag %q", query, other, etag)
		}
		seen[etag] = query
	}
}

func TestSameSelections(t *testing.T) {
	s := newService(t)
	a, b := s.epoch(5).Schedule().Stakes().Entry(0).Node, s.epoch(5).Schedule().Stakes().Entry(3).Node
	for _, same := range [][2]string{
		{fmt.Sprintf("identity=%v&identity=%v", a, b), fmt.Sprintf("identity=%v&identity=%v&identity=%v", b, a, b)},
		{"format=text", fmt.Sprintf("format=text&from=%d&to=%d", 5*epochSlots, 6*epochSlots-1)},
		{"format=csv", "format=csv&columns=slot,slot_index,leader,vote_account&download=0"},
		{"", "format=rpc"},
	} {
		one, other := s.get("/v1/epochs/5/schedule?"+same[0]), s.get("/v1/epochs/5/schedule?"+same[1])
		if one.Code != http.StatusOK || one.Body.String() != other.Body.String() || one.Header().Get("ETag") != other.Header().Get("ETag") {
			t.Errorf("%v: %s and %s", same, one.Header().Get("ETag"), other.Header().Get("ETag"))
		}
	}
}

func TestAcceptChoosesTheFormat(t *testing.T) {
	s := newService(t)
	e := s.epoch(5)
	for accept, want := range map[string]schedule.Format{
		"": schedule.FormatRPC, "*/*": schedule.FormatRPC, "application/json": schedule.FormatRPC,
		"application/json, text/plain, */*": schedule.FormatRPC, "text/plain": schedule.FormatText, "text/*": schedule.FormatText,
		"text/csv, text/plain;q=0.9": schedule.FormatCSV, "application/json;q=0.1, text/csv": schedule.FormatCSV,
	} {
		w := s.get("/v1/epochs/5/schedule", "Accept", accept)
		if w.Body.String() != written(t, e, want) {
			t.Errorf("%q: %s, want %s", accept, w.Header().Get("Content-Type"), want)
		}
		if vary := w.Header().Get("Vary"); vary != "Accept, Accept-Encoding" {
			t.Errorf("Vary %q", vary)
		}
	}
	if w := s.get("/v1/epochs/5/schedule", "Accept", "application/vnd.apache.parquet"); !strings.HasPrefix(w.Body.String(), "PAR1") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	s.refused("/v1/epochs/5/schedule", http.StatusNotAcceptable, "not-acceptable", "Accept", "text/html")
	s.refused("/v1/epochs/5/schedule?format=csv", http.StatusNotAcceptable, "not-acceptable", "Accept", "application/json")
	if w := s.get("/v1/epochs/5/schedule?format=text", "Accept", "text/html, */*;q=0.1"); w.Code != http.StatusOK || w.Header().Get("Vary") != "Accept-Encoding" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestMovingNames(t *testing.T) {
	s := newService(t)
	for name, epoch := range map[string]string{"previous": "4", "current": "5", "next": "6"} {
		for _, after := range []string{"", "/schedule", "/schedule?format=text&from=", "/leaders?limit=3"} {
			if strings.HasSuffix(after, "=") {
				after += fmt.Sprint(s.epoch(uint64(epoch[0]-'0')).Schedule().FirstSlot() + 3)
			}
			moving, fixed := s.get("/v1/epochs/"+name+after), s.get("/v1/epochs/"+epoch+after)
			if moving.Code != http.StatusOK || moving.Body.String() != fixed.Body.String() || moving.Header().Get("ETag") != fixed.Header().Get("ETag") {
				t.Errorf("%s%s: %d %s, want %s", name, after, moving.Code, moving.Body, fixed.Body)
			}
			if got, want := moving.Header().Get("Content-Location"), "/v1/epochs/"+epoch+after; got != want {
				t.Errorf("Content-Location %s, want %s", got, want)
			}
			if got := fixed.Header().Get("Content-Location"); got != "" {
				t.Errorf("Content-Location %s of what has a number", got)
			}
		}
	}
}

func TestDownloads(t *testing.T) {
	s := newService(t)
	for query, want := range map[string]string{
		"format=csv&download=1":     `attachment; filename="leader-schedule-a_test_net-5-csv.csv"`,
		"format=parquet&download=1": `attachment; filename="leader-schedule-a_test_net-5-parquet.parquet"`,
		"download=true":             `attachment; filename="leader-schedule-a_test_net-5-rpc.json"`,
		"download=0":                "",
		"":                          "",
	} {
		if got := s.get("/v1/epochs/5/schedule?" + query).Header().Get("Content-Disposition"); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	part := s.get("/v1/epochs/current/schedule?format=text&download=1&to=1030").Header().Get("Content-Disposition")
	if !strings.HasPrefix(part, `attachment; filename="leader-schedule-a_test_net-5-text-`) || !strings.HasSuffix(part, `.txt"`) {
		t.Error(part)
	}
	s.refused("/v1/epochs/5/schedule?download=yes", http.StatusBadRequest, "bad-parameter")
}

func TestSchedulesThatCannotBe(t *testing.T) {
	s := newService(t)
	for target, name := range map[string]string{
		"/v1/epochs/7/schedule":                "epoch-unknown",
		"/v1/epochs/18446744073709551615":      "epoch-unknown",
		"/v1/epochs/3/leaders":                 "epoch-unknown",
		"/v1/slots/1":                          "epoch-unknown",
		"/v1/slots/18446744073709551615":       "epoch-unknown",
		"/v1/epochs/7/schedule?format=xlsx":    "epoch-unknown",
		"/v1/epochs/9999999/schedule?from=100": "epoch-unknown",
	} {
		p := s.refused(target, http.StatusNotFound, name)
		if p.Epoch == nil {
			t.Errorf("%s: the problem names no epoch", target)
		}
	}
	for query, parameter := range map[string]string{
		"format=xlsx": "format", "format=": "format", "format=RPC": "format", "from=1009": "from", "to=1212": "to", "from=1100&to=1099&format=text": "to",
		"format=digest&from=1010": "", "format=epoch-new&from=1100": "from", "format=parquet&to=1100": "from",
		"format=epoch-new&identity=" + absent.String(): "identity", "identity=x": "identity", "identity=": "identity",
		"columns=slot": "columns", "format=csv&columns=": "columns", "format=csv&columns=slot,slot": "columns", "format=csv&columns=nothing": "columns",
		"format=csv&columns=slot&from=1100":                                                "columns",
		"identity=" + strings.Repeat(absent.String()+"&identity=", 1000) + absent.String(): "identity",
	} {
		p := s.refused("/v1/epochs/5/schedule?"+query, http.StatusBadRequest, "bad-parameter")
		if parameter != "" && p.Parameter != parameter {
			t.Errorf("%s: parameter %q, want %q", query, p.Parameter, parameter)
		}
	}
}

// A schedule that is keyed by identity has no vote accounts, whatever its list has.
func TestKeyedByIdentity(t *testing.T) {
	registry := newRegistry(t, "identity")
	mustPut(t, registry, made(5, 1, 12))
	s := serviceOf(t, registry)
	for _, header := range [][]string{nil, {"If-None-Match", "*"}} {
		s.refused("/v1/epochs/5/schedule?format=rpc-by-vote", http.StatusNotFound, "format-unavailable", header...)
		s.refused("/v1/epochs/5/schedule?format=rpc-by-vote&identity="+absent.String(), http.StatusNotFound, "format-unavailable", header...)
	}
	if answer := ask[SlotAnswer](s, "/v1/slots/1015"); answer.VoteAccount != nil {
		t.Errorf("%+v", answer)
	}
	if csv := s.get("/v1/epochs/5/schedule?format=csv&from=1100").Body.String(); !strings.HasSuffix(csv, ",\n") {
		t.Error(csv)
	}
	standings := ask[Standings](s, "/v1/epochs/5/leaders")
	if len(standings.Leaders) != 11 {
		t.Errorf("%d identities", len(standings.Leaders))
	}
	for _, l := range standings.Leaders {
		if want := 1; len(l.VoteAccounts) < want {
			t.Errorf("%v has no vote accounts, which the list tells", l.Identity)
		}
	}
	// What a vote account leads is not known, which is not the same as nothing.
	vote := s.epoch(5).List().Entries[0].Key
	presence := ask[KeyPresence](s, "/v1/leaders/"+vote.String())
	if p := presence.Epochs[0]; *presence.Kind != "vote" || p.Status != "unknown" || p.Stake != nil || p.Reason == nil {
		t.Errorf("%+v", presence)
	}
	if ahead := ask[Ahead](s, "/v1/leaders/"+vote.String()+"/next"); ahead.Status != "unknown" || *ahead.UnknownFrom != 5 {
		t.Errorf("%+v", ahead)
	}
}

func TestVoteAccountForAnIdentity(t *testing.T) {
	s := newService(t)
	entry := s.epoch(5).List().Entries[3]
	p := s.refused("/v1/epochs/5/schedule?identity="+entry.Key.String(), http.StatusBadRequest, "bad-parameter")
	if !strings.Contains(p.Detail, entry.Node.String()) {
		t.Errorf("%s does not name %v", p.Detail, entry.Node)
	}
}
