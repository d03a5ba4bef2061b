package schedule

import "io"

// printerChunk is how many bytes are gathered before they go to the writer.
const printerChunk = 64 << 10

// A printer gathers the output of one Write. Its format methods append to buf
// and call spill now and then; after a failed write they stop early.
type printer struct {
	s    *Schedule
	w    io.Writer
	only map[Pubkey]bool // identities to print; empty: all
	buf  []byte
	err  error // the first error of w
}

func (p *printer) str(text string) { p.buf = append(p.buf, text...) }

// spill writes out a full buffer. It reports whether to go on.
func (p *printer) spill() bool {
	if len(p.buf) >= printerChunk {
		p.flush()
	}
	return p.err == nil
}

func (p *printer) flush() {
	if p.err == nil && len(p.buf) > 0 {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

// wants reports whether the slots of an identity are to be printed.
func (p *printer) wants(identity Pubkey) bool {
	return len(p.only) == 0 || p.only[identity]
}

// A piece is what a row prints about a rank. It is made once for a rank and
// then used for all of its slots, since base58 is far slower than copying.
type piece struct {
	text string
	made bool
	skip bool // the identity is not wanted
}

// rows calls row for every wanted slot, in order, with the slot's index and
// what describe made of the slot's entry; row appends to p.buf.
func (p *printer) rows(describe func(Entry) string, row func(index uint64, text string)) {
	pieces := make([]piece, p.s.Stakes().Len())
	slots, repeat := p.s.Slots(), uint64(p.s.Repeat())
	index := uint64(0)
	for _, rank := range p.s.Ranks() {
		pc := &pieces[rank]
		if !pc.made {
			entry := p.s.Stakes().Entry(rank)
			*pc = piece{made: true, skip: !p.wants(entry.Node)}
			if !pc.skip {
				pc.text = describe(entry)
			}
		}
		end := index + min(repeat, slots-index)
		for ; !pc.skip && index < end; index++ {
			row(index, pc.text)
			if !p.spill() {
				return
			}
		}
		index = end
	}
}
