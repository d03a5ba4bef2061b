package sixteen

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Transpose turns 16 registers of words into 16 registers of blocks, in the
// order returned. It uses two registers more; those that come free in a step
// serve in the next one.
func Transpose(words []VecPhysical, free0, free1 VecPhysical) (blocks [16]VecPhysical) {
	free := []VecPhysical{free0, free1}
	take := func() (r VecPhysical) { r, free = free[0], free[1:]; return r }
	give := func(r ...VecPhysical) { free = append(free, r...) }

	Comment("Quarter q of register 4r+c becomes words 4r..4r+3 of block 4q+c")
	var quarters [16]VecPhysical
	for i := 0; i < 16; i += 4 {
		var pair [4]VecPhysical
		for j := 0; j < 4; j += 2 {
			even, odd := words[i+j], words[i+j+1]
			pair[j] = take()
			VPUNPCKLDQ(odd, even, pair[j])
			VPUNPCKHDQ(odd, even, odd)
			pair[j+1] = odd
			give(even)
		}
		for j := range 2 {
			quarters[i+2*j] = take()
			VPUNPCKLQDQ(pair[j+2], pair[j], quarters[i+2*j])
			VPUNPCKHQDQ(pair[j+2], pair[j], pair[j])
			quarters[i+2*j+1] = pair[j]
			give(pair[j+2])
		}
	}

	Comment("Gather the four quarters of each block")
	const even, odd, lower, upper = 0x88, 0xdd, 0x44, 0xee
	for c := range 4 {
		r0, r1, r2, r3 := quarters[c], quarters[4+c], quarters[8+c], quarters[12+c]
		t0, t1 := take(), take()
		VSHUFI32X4(Imm(lower), r1, r0, t0) // quarters 0 and 1 of rows 0 and 1
		VSHUFI32X4(Imm(upper), r1, r0, r0) // quarters 2 and 3
		VSHUFI32X4(Imm(lower), r3, r2, t1)
		VSHUFI32X4(Imm(upper), r3, r2, r2)
		VSHUFI32X4(Imm(even), t1, t0, r1)
		VSHUFI32X4(Imm(odd), t1, t0, t0)
		VSHUFI32X4(Imm(even), r2, r0, r3)
		VSHUFI32X4(Imm(odd), r2, r0, r0)
		blocks[c], blocks[4+c], blocks[8+c], blocks[12+c] = r1, t0, r3, r0
		give(t1, r2)
	}
	return blocks
}
