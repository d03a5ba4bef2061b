package manifest

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// bank reads the bank with its stakes. Of its 60 fields few matter here; runs of
// the others are passed over as one.
func (p *parser) bank() {
	r := p.r
	p.blockhashes()
	p.list(16, "ancestors")
	r.Skip(32+32+8, "hash, parent_hash and parent_slot")
	p.list(16, "hard_forks")
	r.Skip(5*8, "transaction_count to max_tick_height")
	if r.Option("hashes_per_tick") {
		r.Skip(8, "hashes_per_tick")
	}
	r.Skip(8+16, "ticks_per_slot and ns_per_slot")
	p.m.GenesisCreationTime = r.I64("genesis_creation_time")
	r.Skip(8+8, "slots_per_year and accounts_data_len")
	p.m.Slot = schedule.Slot(r.U64("slot"))
	p.m.Epoch = r.U64("epoch")
	r.Skip(8+32+8, "block_height, leader_id and collector_fees")
	r.Skip(8+4*8+1+8, "fee_calculator, fee_rate_governor and collected_rent")
	r.Enter("rent_collector")
	r.Skip(8, "epoch")
	p.epochSchedule() // the same again
	r.Skip(8+8+8+1, "slots_per_year and rent")
	r.Leave()
	p.m.EpochSchedule = p.epochSchedule()
	r.Skip(6*8, "inflation")
	p.bankStakes()
	p.list(32, "unused_accounts.1")
	p.list(32, "unused_accounts.2")
	p.list(40, "unused_accounts.3")
	p.m.Old = p.epochs("epoch_stakes", false)
	r.Bool("is_delta")
}

func (p *parser) blockhashes() {
	r := p.r
	r.Enter("blockhash_queue")
	defer r.Leave()
	r.Skip(8, "last_hash_index")
	if r.Option("last_hash") {
		r.Skip(32, "last_hash")
	}
	p.list(32+3*8, "ages")
	r.Skip(8, "max_age")
}

func (p *parser) epochSchedule() schedule.EpochSchedule {
	r := p.r
	r.Enter("epoch_schedule")
	defer r.Leave()
	return schedule.EpochSchedule{
		SlotsPerEpoch:            r.U64("slots_per_epoch"),
		LeaderScheduleSlotOffset: r.U64("leader_schedule_slot_offset"),
		Warmup:                   r.Bool("warmup"),
		FirstNormalEpoch:         r.U64("first_normal_epoch"),
		FirstNormalSlot:          schedule.Slot(r.U64("first_normal_slot")),
	}
}

// bankStakes passes over the stakes as they are now: no schedule is made from
// them.
func (p *parser) bankStakes() {
	r := p.r
	r.Enter("stakes")
	defer r.Leave()
	n := r.Len(minVote, "vote_accounts")
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		r.EnterAt("vote_accounts", i)
		r.Skip(32+8+8, "key, stake and lamports")
		r.Skip(p.dataLen(), "data")
		r.Skip(32, "owner")
		r.Bool("executable")
		r.Skip(8, "rent_epoch")
		r.Leave()
	}
	p.afterVotes(delegation)
}

func (p *parser) accountsDB() {
	r := p.r
	r.Enter("accounts_db")
	defer r.Leave()
	n := r.Len(8+8, "storages")
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		r.EnterAt("storages", i)
		r.Skip(8, "slot")
		p.list(16, "entries")
		r.Leave()
	}
	r.Skip(8, "write_version")
	if slot := schedule.Slot(r.U64("slot")); slot != p.m.Slot {
		r.Refuse("slot", fmt.Errorf("%w: %d, the bank's is %d", ErrSlot, slot, p.m.Slot))
	}
	r.Skip(32, "accounts_delta_hash")
	p.m.Hashes.Accounts = r.Bytes32("accounts_hash")
	r.Skip(5*8, "stats")
	p.list(8, "roots")
	p.list(8+32, "roots_with_hash")
}
