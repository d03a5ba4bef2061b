package schedule

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustEpochs(t fataler, slotsPerEpoch, offset uint64, warmup bool) EpochSchedule {
	t.Helper()
	es, err := NewEpochSchedule(slotsPerEpoch, offset, warmup)
	if err != nil {
		t.Fatal(err)
	}
	return es
}

func mustCluster(t fataler, name string) EpochSchedule {
	t.Helper()
	es, err := ClusterSchedule(name)
	if err != nil {
		t.Fatal(err)
	}
	return es
}

// walker goes through the epochs of a cluster one by one.
type walker struct {
	slotsPerEpoch uint64
	warmup        bool
	epoch         uint64
	first, slots  uint64
}

func walk(slotsPerEpoch uint64, warmup bool) *walker {
	w := &walker{slotsPerEpoch: slotsPerEpoch, warmup: warmup, slots: slotsPerEpoch}
	if warmup {
		w.slots = min(32, slotsPerEpoch)
	}
	return w
}

func (w *walker) next() {
	w.epoch++
	w.first += w.slots
	w.slots = min(2*w.slots, w.slotsPerEpoch)
}

// normal reports whether warm-up is over.
func (w *walker) normal() bool { return w.slots == w.slotsPerEpoch }

// to moves on to the epoch of a slot.
func (w *walker) to(slot uint64) *walker {
	for slot >= w.first+w.slots {
		w.next()
	}
	return w
}

func checkSlot(t fataler, es EpochSchedule, w *walker, ahead *walker, slot uint64) {
	t.Helper()
	epoch, i := es.EpochOf(Slot(slot))
	if epoch != w.epoch || i != Index(slot-w.first) {
		t.Fatal(es, "slot", slot, "is index", i, "of epoch", epoch, "want", slot-w.first, "of", w.epoch)
	}
	want := w.epoch + 1
	if w.normal() {
		want = ahead.to(slot + es.LeaderScheduleSlotOffset).epoch
	}
	if got := es.LeaderScheduleEpoch(Slot(slot)); got != want {
		t.Fatal(es, "slot", slot, "fixes the schedule of epoch", got, "want", want)
	}
}

func checkEpoch(t fataler, es EpochSchedule, w *walker) {
	t.Helper()
	first, last, slots := es.FirstSlot(w.epoch), es.LastSlot(w.epoch), es.SlotsIn(w.epoch)
	if uint64(first) != w.first || uint64(last) != w.first+w.slots-1 || slots != w.slots {
		t.Fatal(es, "epoch", w.epoch, "has", slots, "slots,", first, "to", last, "want", w.slots, "from", w.first)
	}
}

// Every slot of the first epochs, for every length from 32 to 232 slots, with
// and without warm-up and with all kinds of offsets.
func TestEpochScheduleTiny(t *testing.T) {
	step := uint64(1)
	if testing.Short() {
		step = 9
	}
	for spe := uint64(32); spe <= 232; spe += step {
		for _, warmup := range []bool{false, true} {
			for _, offset := range []uint64{0, 1, spe / 2, spe - 1, spe, spe + 1, 3*spe + 5} {
				es := mustEpochs(t, spe, offset, warmup)
				w, ahead := walk(spe, warmup), walk(spe, warmup)
				for slot := range uint64(900) {
					w.to(slot)
					checkEpoch(t, es, w)
					checkSlot(t, es, w, ahead, slot)
				}
			}
		}
	}
}

// Both sides of every boundary of the first epochs of the public clusters.
func TestEpochScheduleClusters(t *testing.T) {
	for _, name := range Clusters() {
		es := mustCluster(t, name)
		w, ahead := walk(es.SlotsPerEpoch, es.Warmup), walk(es.SlotsPerEpoch, es.Warmup)
		for w.epoch < 1100 {
			checkEpoch(t, es, w)
			for _, slot := range []uint64{w.first, w.first + 1, w.first + w.slots/2, w.first + w.slots - 1} {
				checkSlot(t, es, w, ahead, slot)
			}
			w.next()
		}
	}
}

// Facts of the public clusters.
func TestEpochScheduleFacts(t *testing.T) {
	testnet := mustCluster(t, "testnet")
	if testnet.FirstNormalEpoch != 14 || testnet.FirstNormalSlot != 524_256 || testnet.SlotsIn(13) != 262_144 || testnet.SlotsIn(14) != 432_000 {
		t.Errorf("testnet's warm-up: %+v", testnet)
	}
	for _, c := range []struct {
		cluster     string
		slot        Slot
		epoch       uint64
		index       Index
		first, last Slot
	}{
		{"mainnet-beta", 196_128_000, 454, 0, 196_128_000, 196_559_999},
		{"mainnet-beta", 53_180_936, 123, 44_936, 53_136_000, 53_567_999},
		{"mainnet-beta", 434_592_000, 1006, 0, 434_592_000, 435_023_999},
		{"devnet", 431_999, 0, 431_999, 0, 431_999},
		{"testnet", 0, 0, 0, 0, 31},
		{"testnet", 31, 0, 31, 0, 31},
		{"testnet", 32, 1, 0, 32, 95},
		{"testnet", 524_255, 13, 262_143, 262_112, 524_255},
		{"testnet", 524_256, 14, 0, 524_256, 956_255},
		{"testnet", 324_524_255, 763, 431_999, 324_092_256, 324_524_255},
		{"testnet", 352_604_256, 829, 0, 352_604_256, 353_036_255},
	} {
		es := mustCluster(t, c.cluster)
		epoch, i := es.EpochOf(c.slot)
		if epoch != c.epoch || i != c.index || es.FirstSlot(epoch) != c.first || es.LastSlot(epoch) != c.last {
			t.Errorf("%s, slot %d: got index %d of epoch %d, %d to %d", c.cluster, c.slot, i, epoch, es.FirstSlot(epoch), es.LastSlot(epoch))
		}
		if got := es.LeaderScheduleEpoch(c.slot); got != c.epoch+1 {
			t.Errorf("%s, slot %d: leader schedule epoch %d, want %d", c.cluster, c.slot, got, c.epoch+1)
		}
	}
	if _, err := ClusterSchedule("mainnet"); !errors.Is(err, ErrCluster) || !strings.Contains(err.Error(), `"mainnet", want one of mainnet-beta, testnet, devnet`) {
		t.Errorf("got %v", err)
	}
}

func TestEpochScheduleReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spe := rapid.OneOf(rapid.Uint64Range(32, 300), rapid.Uint64Range(32, 1<<20)).Draw(t, "slots per epoch")
		offset := rapid.Uint64Range(0, 4*spe).Draw(t, "offset")
		warmup := rapid.Bool().Draw(t, "warm-up")
		slot := rapid.Uint64Range(0, 40*spe).Draw(t, "slot")
		es := mustEpochs(t, spe, offset, warmup)
		w := walk(spe, warmup).to(slot)
		checkEpoch(t, es, w)
		checkSlot(t, es, w, walk(spe, warmup), slot)
	})
}

func TestNewEpochScheduleErrors(t *testing.T) {
	for _, spe := range []uint64{0, 1, 31} {
		if _, err := NewEpochSchedule(spe, spe, true); !errors.Is(err, ErrSlots) || !strings.Contains(err.Error(), "at least 32") {
			t.Errorf("%d slots: got %v", spe, err)
		}
	}
	if _, err := NewEpochSchedule(1<<63+1, 0, true); !errors.Is(err, ErrSlots) {
		t.Errorf("got %v", err)
	}
	mustEpochs(t, math.MaxUint64, 0, false)
	es := mustEpochs(t, 1<<63, 0, true)
	if es.FirstNormalEpoch != 58 || es.FirstNormalSlot != 1<<63-32 {
		t.Errorf("got %+v", es)
	}
	if es := mustEpochs(t, 32, 32, true); es.FirstNormalEpoch != 0 || es.FirstNormalSlot != 0 {
		t.Errorf("32 slots need no warm-up: %+v", es)
	}
}

// Numbers at the far end saturate, with fields that no cluster has too.
func TestEpochScheduleSaturates(t *testing.T) {
	const most = math.MaxUint64
	es := mustCluster(t, "testnet")
	if es.FirstSlot(most) != most || es.LastSlot(most) != most-1 || es.SlotsIn(most) != 432_000 {
		t.Errorf("epoch 2^64-1: %d to %d", es.FirstSlot(most), es.LastSlot(most))
	}
	epoch, i := es.EpochOf(most)
	if want := uint64(14 + (most-524_256)/432_000); epoch != want || uint64(es.FirstSlot(epoch))+uint64(i) != most {
		t.Errorf("slot 2^64-1: index %d of epoch %d", i, epoch)
	}
	// slot - FirstNormalSlot + offset still fits on testnet, not on mainnet.
	if got := es.LeaderScheduleEpoch(most); got != epoch+1 {
		t.Errorf("slot 2^64-1 fixes the schedule of epoch %d, want %d", got, epoch+1)
	}
	if got := mustCluster(t, "mainnet-beta").LeaderScheduleEpoch(most - 5); got != most/432_000 {
		t.Errorf("slot 2^64-6 fixes the schedule of epoch %d, want %d", got, uint64(most/432_000))
	}
	odd := EpochSchedule{SlotsPerEpoch: 32, FirstNormalEpoch: most, FirstNormalSlot: most}
	if odd.SlotsIn(58) != 1<<63 || odd.SlotsIn(59) != most || odd.FirstSlot(60) != most || odd.LastSlot(59) != most-1 {
		t.Errorf("endless warm-up: %d, %d, %d, %d", odd.SlotsIn(58), odd.SlotsIn(59), odd.FirstSlot(60), odd.LastSlot(59))
	}
	if epoch, i := odd.EpochOf(most - 1); epoch != 58 || i != 1<<63+30 {
		t.Errorf("endless warm-up: index %d of epoch %d", i, epoch)
	}
}

// No hand-made value panics; without slots in an epoch all divisions give 0.
func TestEpochScheduleByHand(t *testing.T) {
	es := EpochSchedule{LeaderScheduleSlotOffset: 9, FirstNormalEpoch: 3}
	if epoch, i := es.EpochOf(77); epoch != 3 || i != 0 {
		t.Errorf("index %d of epoch %d", i, epoch)
	}
	if got := es.LeaderScheduleEpoch(77); got != 3 {
		t.Errorf("leader schedule epoch %d", got)
	}
	// The first normal epoch starts where warm-up ends, whatever FirstNormalSlot says.
	odd := EpochSchedule{SlotsPerEpoch: 100, FirstNormalEpoch: 3, FirstNormalSlot: 50}
	if odd.FirstSlot(3) != 224 || odd.FirstSlot(4) != 150 {
		t.Errorf("epochs 3 and 4 start at %d and %d", odd.FirstSlot(3), odd.FirstSlot(4))
	}
	if (EpochSchedule{}).LastSlot(0) != 0 {
		t.Errorf("last slot %d", (EpochSchedule{}).LastSlot(0))
	}
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Uint64Range(0, 70), rapid.Uint64(), rapid.Uint64Range(math.MaxUint64-70, math.MaxUint64))
		es := EpochSchedule{
			SlotsPerEpoch:            number.Draw(t, "slots"),
			LeaderScheduleSlotOffset: number.Draw(t, "offset"),
			Warmup:                   rapid.Bool().Draw(t, "warm-up"),
			FirstNormalEpoch:         number.Draw(t, "epoch"),
			FirstNormalSlot:          Slot(number.Draw(t, "slot")),
		}
		n := number.Draw(t, "n")
		epoch, i := es.EpochOf(Slot(n))
		if ahead := es.LeaderScheduleEpoch(Slot(n)); uint64(i) > n || ahead < epoch {
			t.Fatalf("%+v: slot %d is index %d of epoch %d and fixes epoch %d", es, n, i, epoch, ahead)
		}
		if es.LastSlot(n) < es.FirstSlot(n) && es.SlotsIn(n) != 0 && es.FirstSlot(n) != math.MaxUint64 {
			t.Fatalf("%+v: epoch %d is %d to %d", es, n, es.FirstSlot(n), es.LastSlot(n))
		}
	})
}

func TestEpochScheduleJSON(t *testing.T) {
	const text = `{"slotsPerEpoch":432000,"leaderScheduleSlotOffset":432000,"warmup":true,"firstNormalEpoch":14,"firstNormalSlot":524256}`
	es := mustCluster(t, "testnet")
	b, err := json.Marshal(es)
	if err != nil || string(b) != text {
		t.Fatalf("got %s, %v", b, err)
	}
	var back EpochSchedule
	reply := `{"firstNormalEpoch":14,"firstNormalSlot":524256,"leaderScheduleSlotOffset":432000,"slotsPerEpoch":432000,"warmup":true}`
	if err := json.Unmarshal([]byte(reply), &back); err != nil || back != es {
		t.Fatalf("got %+v, %v", back, err)
	}
}
