package pagetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
)

// small is a service of short epochs, which are quickly derived.
func small(t *testing.T, change func(*Options)) *Server {
	t.Helper()
	o := Options{
		Schedule:   schedule.EpochSchedule{SlotsPerEpoch: 400, LeaderScheduleSlotOffset: 400},
		Validators: 80,
	}
	if change != nil {
		change(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ask(t *testing.T, s *Server, path string, wantStatus int) (body []byte) {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	if w.Code != wantStatus {
		t.Fatalf("%s: status %d, want %d: %s", path, w.Code, wantStatus, w.Body)
	}
	return w.Body.Bytes()
}

func askJSON[T any](t *testing.T, s *Server, path string) (v T) {
	t.Helper()
	if err := json.Unmarshal(ask(t, s, path, http.StatusOK), &v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

func TestEpochs(t *testing.T) {
	s := small(t, nil)
	list := askJSON[struct{ Epochs []summary }](t, s, "/v1/epochs")
	want := []uint64{892, 899, 900, 901}
	if len(list.Epochs) != len(want) {
		t.Fatalf("%d epochs, want %v", len(list.Epochs), want)
	}
	for i, e := range list.Epochs {
		if e.Epoch != want[i] || e.Slots != 400 || e.Digest == "" {
			t.Errorf("epoch %+v, want number %d", e, want[i])
		}
	}
	if one := askJSON[summary](t, s, "/v1/epochs/current"); one.Epoch != 900 {
		t.Errorf("the current epoch is %d", one.Epoch)
	}
	if out := small(t, func(o *Options) { o.Without = []int{1} }); strings.Contains(string(ask(t, out, "/v1/epochs", 200)), `"epoch":901`) {
		t.Error("an epoch that was left out is held")
	}
}

// The schedule is one that readers of the format take, and slots and leaders agree
// with it.
func TestScheduleAndLeaders(t *testing.T) {
	s := small(t, nil)
	body := ask(t, s, "/v1/epochs/900/schedule?format=epoch-new", http.StatusOK)
	o, err := schedulefile.Read(bytes.NewReader(body), "answer")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]uint64{}
	for i := range schedule.Index(400) {
		leader, _ := o.Leader(i)
		counts[leader.String()]++
		got := askJSON[struct{ Leader string }](t, s, fmt.Sprintf("/v1/slots/%d", 900*400+uint64(i)))
		if got.Leader != leader.String() {
			t.Fatalf("slot index %d: %s leads by /v1/slots, %s by the schedule", i, got.Leader, leader)
		}
	}
	list := askJSON[struct{ Leaders []leader }](t, s, "/v1/epochs/900/leaders")
	for _, l := range list.Leaders {
		if l.Slots != counts[l.Identity] || len(l.VoteAccounts) == 0 {
			t.Errorf("%+v, want %d slots", l, counts[l.Identity])
		}
	}
}

func TestAhead(t *testing.T) {
	s := small(t, func(o *Options) { o.Now = time.Now().Add(time.Hour) })
	identity, vote := s.TopLeader(0)
	type answer struct {
		Status  string
		Windows []struct {
			First, Last schedule.Slot
			FirstTime   *time.Time
		}
		UnknownFrom *uint64
	}
	for _, key := range []string{identity, vote} {
		a := askJSON[answer](t, s, "/v1/leaders/"+key+"/next?n=3&from=360000")
		if a.Status != "present" || len(a.Windows) != 3 || a.Windows[0].FirstTime == nil {
			t.Fatalf("%s: %+v", key, a)
		}
		if leader, _ := s.Leader(a.Windows[0].First); leader != identity {
			t.Errorf("%s leads the first window of %s", leader, identity)
		}
	}
	// More than there are: it is said from where on nothing is known.
	if a := askJSON[answer](t, s, "/v1/leaders/"+identity+"/next?n=500&from=360000"); a.UnknownFrom == nil || *a.UnknownFrom != 902 {
		t.Errorf("unknown from %v, want 902", a.UnknownFrom)
	}
	quiet := askJSON[struct{ MinSlots uint64 }](t, s, "/v1/leaders/"+identity+"/windows?min=1m&from=360000")
	if quiet.MinSlots < 151 {
		t.Errorf("a minute is said to be %d slots", quiet.MinSlots)
	}
	s.SetFaults(Faults{NoClock: true})
	if a := askJSON[answer](t, s, "/v1/leaders/"+identity+"/next?n=3&from=360000"); a.Windows[0].FirstTime != nil {
		t.Error("a time without a clock")
	}
}

func TestProblems(t *testing.T) {
	s := small(t, nil)
	for path, status := range map[string]int{
		"/v1/epochs/12":                        404,
		"/v1/epochs/900/schedule?format=x":     400,
		"/v1/slots/x":                          400,
		"/v1/slots/1":                          404,
		"/v1/leaders/x/next":                   400,
		"/v1/leaders/x/windows":                400,
		"/v1/nothing":                          404,
		"/v1/epochs/900/schedule?identity=0OI": 400,
	} {
		var p struct {
			Title, Detail string
			Status        int
		}
		if err := json.Unmarshal(ask(t, s, path, status), &p); err != nil || p.Status != status || p.Detail == "" {
			t.Errorf("%s: %+v, %v", path, p, err)
		}
	}
}

func TestFaults(t *testing.T) {
	s := small(t, nil)
	type answer struct {
		Ready    bool
		Clock    *struct{ Stale bool }
		Upstream *struct{ Equal bool }
	}
	status := func(f Faults) answer {
		s.SetFaults(f)
		return askJSON[answer](t, s, "/v1/status")
	}
	if v := status(Faults{}); !v.Ready || v.Clock == nil || v.Clock.Stale || v.Upstream != nil {
		t.Errorf("without faults %+v", v)
	}
	if v := status(Faults{NoClock: true, NotReady: true, Differs: true}); v.Ready || v.Clock != nil || v.Upstream == nil {
		t.Errorf("with faults %+v", v)
	}
	if v := status(Faults{Stale: true}); !v.Clock.Stale {
		t.Errorf("stale %+v", v)
	}
	if s.Anew().current().Stale {
		t.Error("a service made anew has the faults of the other")
	}
	s.SetFaults(Faults{Down: true})
	server := httptest.NewServer(s)
	defer server.Close()
	if r, err := http.Get(server.URL + "/v1/status"); err == nil {
		r.Body.Close()
		t.Errorf("a service that is down answered %s", r.Status)
	}
}
