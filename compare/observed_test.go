package compare

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
)

// TestObserved compares a schedule with itself in what others have of it.
func TestObserved(t *testing.T) {
	entries := someEntries(rngOf(20), 30, likeACluster)
	s := mustDerive(t, entries, schedule.KeyedByVote, schedule.Params{Epoch: 9, FirstSlot: 4000, Slots: 2000})
	ours := Derived("ours", s)

	d := mustCompare(t, ours, Observed(schedulefile.FromSchedule(s)))
	if !d.Equal() || !d.Complete() || d.Votes == nil || d.Alignment.Matching != BySlot {
		t.Errorf("the whole schedule: %+v", d.Identities)
	}

	leader, _ := s.Leader(0)
	result := map[schedule.Pubkey][]schedule.Index{}
	for i := range s.Slots() {
		if l, _ := s.Leader(schedule.Index(i)); l == leader {
			result[l] = append(result[l], schedule.Index(i))
		}
	}
	led := uint64(len(result[leader]))
	o, err := schedulefile.FromRPC(result, s.Slots())
	if err != nil {
		t.Fatal(err)
	}
	d = mustCompare(t, ours, Observed(o))
	if k := d.Identities; !d.Equal() || k.Compared != led || k.LeftOut != 2000-led || d.Alignment.Matching != ByIndex {
		t.Errorf("the slots of one identity: %+v", k)
	}

	result[leader] = result[leader][4:]
	if o, err = schedulefile.FromRPC(result, s.Slots()); err != nil {
		t.Fatal(err)
	}
	if d = mustCompare(t, ours, Observed(o)); d.Identities.Different != 4 || d.Identities.First.Index != 0 {
		t.Errorf("four slots fewer: %+v", d.Identities)
	}

	sum := s.Digest()
	file, err := schedulefile.Read(strings.NewReader(hex.EncodeToString(sum[:])+"\n"), "digest")
	if err != nil {
		t.Fatal(err)
	}
	if d = mustCompare(t, ours, Observed(file)); d.Digests == nil || !d.Equal() {
		t.Errorf("digest: %+v", d)
	}

	// Elsewhere a gap is a slot that nobody knows of, unless the caller does.
	gaps := schedulefile.FromSchedule(s, leader)
	if d = mustCompare(t, ours, Observed(gaps)); d.Identities.OnlyA != 2000-led || d.Identities.Compared != led {
		t.Errorf("gaps: %+v", d.Identities)
	}
	if d = mustCompare(t, ours, Observed(gaps, leader)); d.Identities.LeftOut != 2000-led {
		t.Errorf("slots of others: %+v", d.Identities)
	}
}
