package leaders

import (
	"errors"
	"reflect"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// wantUnknown checks that err tells slot as the first that is not known.
func wantUnknown(t fataler, es schedule.EpochSchedule, err error, slot schedule.Slot) {
	t.Helper()
	epoch, _ := es.EpochOf(slot)
	var ours *UnknownError
	var theirs *schedule.UnknownEpochError
	if !errors.As(err, &ours) || ours.Slot != slot || ours.Epoch != epoch || ours.Why == "" {
		t.Fatal("got", err, "want unknown from slot", slot, "in epoch", epoch)
	}
	if !errors.As(err, &theirs) || theirs.Epoch != epoch || !errors.Is(err, schedule.ErrUnknownEpoch) || errors.Is(err, schedule.ErrNoSlot) {
		t.Fatal(err, "does not stand for an unknown epoch alone")
	}
}

func checkNext(t fataler, m *model, b *Book, keys []Key, from schedule.Slot, n int) {
	t.Helper()
	spans, who, end := m.spans(keys, from)
	var want []Window
	for i, s := range spans {
		if who[i] >= 0 && len(want) < n {
			want = append(want, Window{s, keys[who[i]]})
		}
	}
	got, err := b.Next(keys, from, n)
	if got == nil || got.From != from || !slices.Equal(got.Windows, want) {
		t.Fatal("next", n, "of", keys, "from", from, "got", got, err, "want", want)
	}
	status := Present
	switch {
	case end == from:
		status = Unknown
	case len(want) == 0:
		status = Absent
	}
	if got.Status != status {
		t.Fatal("got status", got.Status, "want", status)
	}
	if (got.KnownTo == nil) != (status == Unknown) {
		t.Fatal("known to", got.KnownTo, "with status", status)
	}
	if len(want) == n {
		if err != nil || got.Unknown != nil || *got.KnownTo != want[n-1].Last {
			t.Fatal("got", err, got.Unknown, "known to", *got.KnownTo)
		}
		return
	}
	wantUnknown(t, m.es, err, end)
	if got.Unknown != err {
		t.Fatal("got", got.Unknown, "in the result and", err)
	}
	if _, key := m.at(keys, end); (got.Unknown.Key == nil) != (key < 0) || key >= 0 && *got.Unknown.Key != keys[key] {
		t.Fatal("not known of", got.Unknown.Key, "want", keys, key)
	}
	if got.KnownTo != nil && *got.KnownTo != end-1 {
		t.Fatal("known to", *got.KnownTo, "want", end-1)
	}
}

func checkQuiet(t fataler, m *model, b *Book, keys []Key, from schedule.Slot, least uint64) {
	t.Helper()
	spans, who, end := m.spans(keys, from)
	want := &Quiet{From: from, MinSlots: least, Windows: []Span{}}
	leads := false
	for i, s := range spans {
		if leads = leads || who[i] >= 0; who[i] >= 0 {
			continue
		}
		if s.Slots >= least {
			want.Windows = append(want.Windows, s)
		}
		if s.First == from {
			want.Now = &s
		}
		if s.Last+1 == end {
			want.Tail = &s
		}
		if want.Longest == nil || s.Slots > want.Longest.Slots {
			want.Longest = &s
		}
	}
	got, err := b.Quiet(keys, from, least)
	if got == nil {
		t.Fatal(err)
	}
	wantUnknown(t, m.es, got.Unknown, end)
	if end == from {
		wantUnknown(t, m.es, err, from)
	} else {
		last := end - 1
		if want.KnownTo = &last; err != nil {
			t.Fatal(err)
		}
		want.AnyTime = !leads && m.absent(keys, from, last)
	}
	if got.AnyTime != (got.Reason != "") {
		t.Fatal("any time", got.AnyTime, "because", got.Reason)
	}
	if next := got.Next(); (next == nil) != (len(want.Windows) == 0) || next != nil && *next != want.Windows[0] {
		t.Fatal("next", next)
	}
	want.Reason, want.Unknown = got.Reason, got.Unknown
	if !reflect.DeepEqual(got, want) {
		t.Fatal("quiet", keys, "from", from, "got", got, "want", want)
	}
}

// absent reports whether no slot of the epochs of slots first to last may be led
// by a key.
func (m *model) absent(keys []Key, first, last schedule.Slot) bool {
	from, _ := m.es.EpochOf(first)
	to, _ := m.es.EpochOf(last)
	for slot := m.es.FirstSlot(from); slot <= m.es.LastSlot(to); slot++ {
		if k, _ := m.at(keys, slot); k != quiet {
			return false
		}
	}
	return true
}

func checkPresence(t fataler, m *model, b *Book, keys []Key, first, last uint64) {
	t.Helper()
	got, err := b.InSchedule(keys, first, last)
	if err != nil || uint64(len(got.Epochs)) != last-first+1 {
		t.Fatal(got, err)
	}
	count := map[Status]int{}
	for i, e := range got.Epochs {
		epoch := first + uint64(i)
		any := map[Status]bool{}
		for j, k := range e.Keys {
			want := map[kind]uint64{}
			for slot := m.es.FirstSlot(epoch); slot <= m.es.LastSlot(epoch); slot++ {
				is, _ := m.at(keys[j:j+1], slot)
				want[is]++
			}
			status := Absent
			switch {
			case want[led] > 0:
				status = Present
			case want[unknown] > 0:
				status = Unknown
			}
			any[status] = true
			if k.Key != keys[j] || k.Status != status || k.Slots != want[led] || k.UnknownSlots != want[unknown] {
				t.Fatal("epoch", epoch, "got", k, "want", keys[j], status, want)
			}
			if (k.Reason != "") != (status == Absent) || (k.Why != "") != (want[unknown] > 0) {
				t.Fatal("epoch", epoch, "reasons of", k)
			}
		}
		want := Absent
		for _, s := range []Status{Unknown, Present} {
			if any[s] {
				want = s
			}
		}
		if e.Epoch != epoch || e.FirstSlot != m.es.FirstSlot(epoch) || e.Status != want || e.Vintage != m.pages[epoch].Label.Vintage || len(e.Keys) != len(keys) {
			t.Fatal("got", e, "want epoch", epoch, want)
		}
		count[want]++
	}
	wantAny, wantAll := Unknown, Unknown
	switch {
	case count[Present] > 0:
		wantAny = Present
	case count[Unknown] == 0:
		wantAny = Absent
	}
	switch {
	case count[Absent] > 0:
		wantAll = Absent
	case count[Unknown] == 0:
		wantAll = Present
	}
	if got.Any != wantAny || got.All != wantAll {
		t.Fatal("got any", got.Any, "all", got.All, "want", wantAny, wantAll)
	}
}
