package manifest

import "github.com/schedgen/schedgen/schedule"

const latticeSize = 2048

// extra reads the fields that releases have added one by one: a manifest ends
// before any of them.
func (p *parser) extra() {
	for _, field := range []func(){
		func() { p.r.Skip(8, "lamports_per_signature") },
		p.incremental,
		p.epochAccountsHash,
		func() { p.m.New = p.epochs("versioned_epoch_stakes", true) },
		p.lattice,
		p.blockID,
	} {
		if p.r.AtEOF() {
			return
		}
		if field(); p.r.Err() != nil {
			return
		}
	}
	p.m.Surplus = !p.r.AtEOF()
}

func (p *parser) incremental() {
	r := p.r
	if !r.Option("incremental_snapshot_persistence") {
		return
	}
	r.Enter("incremental_snapshot_persistence")
	defer r.Leave()
	p.m.Hashes.IncrementalFullSlot = schedule.Slot(r.U64("full_slot"))
	r.Skip(32+8, "full_hash and full_capitalization")
	hash := schedule.Pubkey(r.Bytes32("incremental_hash"))
	p.m.Hashes.Incremental = &hash
	r.Skip(8, "incremental_capitalization")
}

func (p *parser) epochAccountsHash() {
	if p.r.Option("epoch_accounts_hash") {
		hash := schedule.Pubkey(p.r.Bytes32("epoch_accounts_hash"))
		p.m.Hashes.EpochAccounts = &hash
	}
}

func (p *parser) lattice() {
	if p.r.Option("accounts_lt_hash") {
		p.m.Hashes.Lattice = p.r.Append(nil, latticeSize, "accounts_lt_hash")
	}
}

func (p *parser) blockID() {
	if p.r.Option("block_id") {
		p.r.Skip(32, "block_id")
	}
}
