package snapshot

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot/manifest"
)

// about notes what a user should know of the snapshot as a whole.
func (s *source) about() {
	m := s.manifest
	if s.isArchive {
		n, err := parseName(s.name)
		switch {
		case err != nil:
			s.note("%v", err)
		case n != nil:
			s.notes = append(s.notes, n.notes(s)...)
		}
		if s.version == "" {
			s.note("the version of the archive does not come before its manifest")
		}
	}
	if s.version != "" && s.version != version {
		s.note("the version of the snapshot is %s, known is %s", s.version, version)
	}
	if epoch, _ := m.EpochSchedule.EpochOf(m.Slot); epoch != m.Epoch {
		s.note("slot %d is of epoch %d by the epoch schedule, the bank says %d", m.Slot, epoch, m.Epoch)
	}
	es := m.EpochSchedule
	want, err := schedule.NewEpochSchedule(es.SlotsPerEpoch, es.LeaderScheduleSlotOffset, es.Warmup)
	switch {
	case err != nil:
		s.note("the epoch schedule: %v", err)
	case want != es:
		s.note("the epoch schedule begins normal epochs with epoch %d at slot %d, want epoch %d at slot %d",
			es.FirstNormalEpoch, es.FirstNormalSlot, want.FirstNormalEpoch, want.FirstNormalSlot)
	}
	if m.Surplus {
		s.note("the manifest goes on after the last field that is known")
	}
}

// epochNotes notes what a user should know of the stakes of one epoch.
func epochNotes(p *list.Provenance, e *manifest.EpochStakes, es schedule.EpochSchedule) {
	if !recordable(e, es) {
		p.Note("stakes for epoch %d are not recorded in epoch %d", e.Epoch, e.RecordedIn)
	}
	if n := &e.Foreign; n.Count > 0 {
		p.Note("left out %d accounts with %d lamports that the vote program does not own: %s", n.Count, n.Stake, keys(n.First, n.Count))
	}
	if n := &e.Malformed; n.Count > 0 {
		p.Note("left out %d vote accounts with %d lamports: %s: %v", n.Count, n.Stake, keys(n.First, n.Count), n.Why)
	}
	switch {
	case e.Overflow:
		p.Note("the stakes add up to over 2^64-1 lamports")
	case e.Sum != e.Total:
		p.Note("the stakes add up to %d lamports, the manifest says %d", e.Sum, e.Total)
	}
	if n := &e.Nodes; n.Count > 0 {
		p.Note("the map from identities to vote accounts disagrees %d times with the accounts: %s", n.Count, n.First)
	}
	if len(e.Entries) == 0 {
		p.Note("no vote account has stake")
	}
	if problem := doubt(e); problem != "" {
		p.Vintage = list.VintageApproximate
		p.Reason = fmt.Sprintf("%s, in the epoch stakes of the snapshot that epoch %d recorded", problem, e.RecordedIn)
	}
}

// doubt says why the network may have drawn with other stakes than the entries;
// "" where nothing says so.
func doubt(e *manifest.EpochStakes) string {
	switch {
	case e.Foreign.Count > 0, e.Malformed.Count > 0:
		return "accounts with stake were left out"
	case e.Overflow, e.Sum != e.Total:
		return "the stakes do not add up to what the manifest says"
	case e.Nodes.Count > 0:
		return "the map from identities to vote accounts disagrees with the accounts"
	}
	return ""
}

// recordable reports whether stakes for an epoch can be recorded in the one they
// say: at a bank in it, the schedule of the former becomes due. Those of the
// first epochs come from the genesis.
func recordable(e *manifest.EpochStakes, es schedule.EpochSchedule) bool {
	if e.RecordedIn == 0 && e.Epoch <= es.LeaderScheduleEpoch(0) {
		return true
	}
	first := es.LeaderScheduleEpoch(es.FirstSlot(e.RecordedIn))
	last := es.LeaderScheduleEpoch(es.LastSlot(e.RecordedIn))
	return first <= e.Epoch && e.Epoch <= last
}
