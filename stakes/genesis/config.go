package genesis

import (
	"fmt"

	"github.com/schedgen/schedgen/internal/bincode"
	"github.com/schedgen/schedgen/schedule"
)

// A config is what is kept of a genesis beside its accounts.
type config struct {
	schedule schedule.EpochSchedule
	cluster  string // what it says that it is for
}

// clusterTypes are the names of the values of the field cluster type.
var clusterTypes = [...]string{"testnet", "mainnet-beta", "devnet", "development"}

// readConfig reads a whole genesis. Nothing of the result means anything when the
// reader has an error.
func readConfig(r *bincode.Reader) (c config, from *accounts) {
	r.I64("creation time")
	from = &accounts{delegated: map[schedule.Pubkey]uint64{}}
	from.read(r, "accounts")
	builtins := r.Len(minBuiltinSize, "builtins")
	for i := uint64(0); i < builtins && r.Err() == nil; i++ {
		r.EnterAt("builtins", i)
		r.Skip(r.Len(1, "name"), "name")
		r.Bytes32("address")
		r.Leave()
	}
	// They become accounts like all others.
	from.read(r, "rewards pools")
	skipFees(r)
	c.schedule = readEpochSchedule(r)
	kind := r.U32("cluster type")
	if kind >= uint32(len(clusterTypes)) {
		r.Refuse("cluster type", fmt.Errorf("%w: %d, want 0 to %d", ErrValue, kind, len(clusterTypes)-1))
		return c, from
	}
	c.cluster = clusterTypes[kind]
	r.End()
	return c, from
}

// skipFees passes over time, fees, rent and inflation.
func skipFees(r *bincode.Reader) {
	const (
		durationSize  = 12 // u64 seconds, u32 nanoseconds
		feesSize      = 4*8 + 1
		rentSize      = 8 + 8 + 1
		inflationSize = 6 * 8
	)
	r.U64("ticks per slot")
	r.U64("unused")
	r.Skip(durationSize, "tick duration")
	if r.Option("target tick count") {
		r.U64("target tick count")
	}
	if r.Option("hashes per tick") {
		r.U64("hashes per tick")
	}
	r.U64("compatibility")
	r.Skip(feesSize, "fees")
	r.Skip(rentSize, "rent")
	r.Skip(inflationSize, "inflation")
}

// readEpochSchedule reads an epoch schedule whose fields agree with each other.
func readEpochSchedule(r *bincode.Reader) schedule.EpochSchedule {
	start := r.Offset()
	r.Enter("epoch schedule")
	defer r.Leave()
	es := schedule.EpochSchedule{
		SlotsPerEpoch:            r.U64("slots per epoch"),
		LeaderScheduleSlotOffset: r.U64("leader schedule slot offset"),
		Warmup:                   r.Bool("warmup"),
		FirstNormalEpoch:         r.U64("first normal epoch"),
		FirstNormalSlot:          schedule.Slot(r.U64("first normal slot")),
	}
	if r.Err() != nil {
		return es
	}
	want, err := schedule.NewEpochSchedule(es.SlotsPerEpoch, es.LeaderScheduleSlotOffset, es.Warmup)
	switch {
	case err != nil:
		r.RefuseAt(start, "", fmt.Errorf("%w: %w", ErrEpochSchedule, err))
	case es != want:
		r.RefuseAt(start, "", fmt.Errorf("%w: first normal epoch %d, slot %d, want %d, %d for %d slots an epoch with warm-up %v", ErrEpochSchedule,
			es.FirstNormalEpoch, es.FirstNormalSlot, want.FirstNormalEpoch, want.FirstNormalSlot, es.SlotsPerEpoch, es.Warmup))
	}
	return es
}
