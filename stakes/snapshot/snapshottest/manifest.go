package snapshottest

import (
	"bytes"
	"io"
)

// WriteManifest writes the manifest and returns where its lengths and tags are.
func (s *Spec) WriteManifest(w io.Writer) ([]Mark, error) {
	e := newEncoder(w, s.Seed)
	s.bank(e)
	s.accountsDB(e)
	s.extra(e)
	return e.marks, e.flush()
}

// Manifest returns the manifest.
func (s *Spec) Manifest() []byte {
	var b bytes.Buffer
	s.WriteManifest(&b) // a buffer takes everything
	return b.Bytes()
}

// Marks returns where the manifest's lengths and tags are.
func (s *Spec) Marks() []Mark {
	marks, _ := s.WriteManifest(io.Discard)
	return marks
}

// size returns the manifest's length in bytes.
func (s *Spec) size() int64 {
	var n counter
	s.WriteManifest(&n)
	return int64(n)
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func (s *Spec) bank(e *encoder) {
	e.u64(s.Slot + 1) // index of the last blockhash
	if e.option(s.Blockhashes > 0, "blockhash_queue.last_hash") {
		e.filler(32)
	}
	e.length(s.Blockhashes, "blockhash_queue.ages")
	for i := range s.Blockhashes {
		e.filler(32)
		e.u64(5_000)
		e.u64(s.Slot + 1 - min(s.Slot, uint64(i)))
		e.u64(1_700_000_000_000)
	}
	e.u64(300)
	e.fillers(s.Ancestors, 16, "ancestors")
	e.filler(64) // hashes of the bank and its parent
	e.u64(s.Slot - min(s.Slot, 1))
	e.fillers(s.HardForks, 16, "hard_forks")
	for range 5 {
		e.u64(s.Slot)
	}
	if e.option(true, "hashes_per_tick") {
		e.u64(62_500)
	}
	e.u64(64)
	e.u64(400_000_000) // nanoseconds a slot, 16 bytes
	e.u64(0)
	e.i64(s.GenesisCreationTime)
	e.f64(78_892_314.984)
	e.u64(1 << 40)
	e.u64(s.Slot)
	e.u64(s.Epoch)
	e.u64(s.Slot)
	e.filler(32)
	for range 6 {
		e.u64(5_000)
	}
	e.u8(50)
	e.u64(0)

	e.u64(s.Epoch) // rent collector
	s.epochSchedule(e, "rent_collector")
	e.f64(78_892_314.984)
	e.u64(3_480)
	e.f64(2)
	e.u8(50)
	s.epochSchedule(e, "bank")
	for range 6 {
		e.f64(0.08) // inflation
	}

	s.Bank.bankForm(e, "stakes", delegationSize)
	for _, size := range []int{32, 32, 40} {
		e.fillers(s.UnusedAccounts, size, "unused_accounts")
	}
	e.length(len(s.Old), "epoch_stakes")
	for i := range s.Old {
		e.u64(s.Old[i].Epoch)
		s.Old[i].epochForm(e, "epoch_stakes", delegationSize)
	}
	e.bool(true, "is_delta")
}

func (s *Spec) epochSchedule(e *encoder, of string) {
	e.u64(s.EpochSchedule.SlotsPerEpoch)
	e.u64(s.EpochSchedule.LeaderScheduleSlotOffset)
	e.bool(s.EpochSchedule.Warmup, of+".epoch_schedule.warmup")
	e.u64(s.EpochSchedule.FirstNormalEpoch)
	e.u64(uint64(s.EpochSchedule.FirstNormalSlot))
}

func (s *Spec) accountsDB(e *encoder) {
	e.length(s.Storages, "accounts_db.storages")
	for i := range s.Storages {
		e.u64(uint64(i))
		e.fillers(1, 16, "accounts_db.storages.entries")
	}
	e.u64(1)
	e.u64(s.Slot)
	e.filler(32)
	e.key(s.AccountsHash)
	e.zeros(40)
	e.fillers(s.Roots, 8, "accounts_db.roots")
	e.fillers(s.Roots, 40, "accounts_db.roots_with_hash")
}

func (s *Spec) extra(e *encoder) {
	fields := []func(){
		func() { e.u64(5_000) },
		func() {
			if e.option(s.Incremental != nil, "incremental") {
				e.u64(s.Slot - min(s.Slot, 100))
				e.filler(32)
				e.u64(1 << 58)
				e.key(*s.Incremental)
				e.u64(1 << 50)
			}
		},
		func() { e.optionKey(s.EpochAccountsHash, "epoch_accounts_hash") },
		func() {
			e.length(len(s.New), "versioned_epoch_stakes")
			for i := range s.New {
				e.u64(s.New[i].Epoch)
				e.mark(Enum, "versioned_epoch_stakes.tag")
				e.u32(s.New[i].Tag)
				s.New[i].epochForm(e, "versioned_epoch_stakes", stakeSize)
			}
		},
		func() {
			if e.option(s.Lattice != nil, "lattice") {
				e.write(s.Lattice)
			}
		},
		func() { e.optionKey(s.BlockID, "block_id") },
	}
	for _, field := range fields[:s.Extra] {
		field()
	}
}
