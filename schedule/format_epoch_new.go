package schedule

import "strconv"

// epochNew prints a message of Firedancer's WebSocket API, topic epoch, key new.
// It names identities, also where the schedule is keyed by vote account, so one
// identity may stand at several ranks. Lamports are strings because JSON readers
// lose digits above 2^53.
func (p *printer) epochNew() {
	s, stakes := p.s, p.s.Stakes()
	p.str(`{"topic":"epoch","key":"new","value":{"epoch":`)
	p.buf = strconv.AppendUint(p.buf, s.Epoch(), 10)
	p.str(`,"start_time_nanos":null,"end_time_nanos":null,"start_slot":`)
	p.buf = strconv.AppendUint(p.buf, p.slot(0), 10)
	p.str(`,"end_slot":`)
	p.buf = strconv.AppendUint(p.buf, p.slot(s.Slots()-1), 10)
	p.str(`,"excluded_stake_lamports":"0","staked_pubkeys":[`)
	for rank, entry := range stakes.All() {
		p.comma(rank)
		p.str(`"` + entry.Node.String() + `"`)
		if !p.spill() {
			return
		}
	}
	p.str(`],"staked_lamports":[`)
	for rank, entry := range stakes.All() {
		p.comma(rank)
		p.buf = append(p.buf, '"')
		p.buf = strconv.AppendUint(p.buf, entry.Stake, 10)
		p.buf = append(p.buf, '"')
		if !p.spill() {
			return
		}
	}
	p.str(`],"leader_slots":[`)
	for rotation, rank := range s.Ranks() {
		p.comma(rotation)
		p.buf = strconv.AppendInt(p.buf, int64(rank), 10)
		if !p.spill() {
			return
		}
	}
	p.str("]}}\n")
}

// comma separates element i of a list from the one before.
func (p *printer) comma(i int) {
	if i > 0 {
		p.buf = append(p.buf, ',')
	}
}
