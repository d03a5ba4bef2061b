package schedule

import "strconv"

// rpc prints one object, the leaders in byte order of their base58 text.
func (p *printer) rpc() {
	open := `{"`
	for leader, indices := range p.s.Leaders() {
		if !p.wants(leader) {
			continue
		}
		p.str(open + leader.String() + `":[`)
		open = `,"`
		comma := false
		for index := range indices {
			if comma {
				p.buf = append(p.buf, ',')
			}
			comma = true
			p.buf = strconv.AppendUint(p.buf, uint64(index), 10)
			if !p.spill() {
				return
			}
		}
		p.str("]")
	}
	if open == `{"` {
		p.str("{")
	}
	p.str("}\n")
}
