// Command blocks_avx512 writes the AVX-512 block function of chacha20rng.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

//go:generate go run . -out ../../blocks_avx512_amd64.s -stubs ../../blocks_avx512_amd64.go -pkg chacha20rng

// layout is written into the function.
var layout = []string{
	"One register holds the same state word of 16 consecutive blocks, one block in",
	"each 32-bit lane: a quarter-round on four registers is 16 quarter-rounds, and no",
	"lane needs its neighbour. Two groups, 32 blocks, fill the register file; the",
	"rounds need nothing else, for the words to be added at the end are in memory.",
	"  Z0..Z15   words 0..15 of blocks 0..15",
	"  Z16..Z31  words 0..15 of blocks 16..31",
	"Fewer than 32 blocks are made 16 at a time, and only those wanted are stored.",
	"Blocks differ in word 12 only. What the first round does to all of them alike,",
	"columns 1, 2 and 3 and the first addition of column 0, the caller has done (see",
	"vectorStart): each group of blocks starts with the rest of column 0 and enters",
	"the loop at the diagonals.",
	"A block is one row of a matrix of which the registers are columns. It is",
	"transposed in two steps: 4 by 4 words inside the 128-bit quarters of the",
	"registers, then 4 by 4 quarters.",
}

var z = [32]VecPhysical{
	Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
	Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
}

// The quarter-rounds of the two halves of a double round.
var (
	columns   = [][4]int{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}}
	diagonals = [][4]int{{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}}
)

const lanes, blockBytes = 16, 64

var (
	dst   = RDI // the next block to be stored
	left  = RSI // blocks to be made
	start = RDX // the initial words, then those after the shared part of the first round
	twice = RCX // double rounds
	count = RAX // double rounds to go
	index Mem   // 0, 1, … 31: the distance of each lane from the first block
)

func main() {
	ConstraintExpr("gc,!purego")
	index = GLOBL("index32", RODATA|NOPTR)
	for i := range 2 * lanes {
		DATA(4*i, U32(i))
	}

	TEXT("blocksAVX512", NOSPLIT, "func(dst *uint64, n int, start *[2][16]uint32, doubleRounds int)")
	Pragma("noescape")
	Doc("blocksAVX512 sets the 8n words from dst on to n blocks. It advances the counter",
		"in start, whose lower half must not wrap before the last block.")
	for _, line := range layout {
		Comment(line)
	}
	Load(Param("dst"), dst)
	Load(Param("n"), left)
	Load(Param("start"), start)
	Load(Param("doubleRounds"), twice)

	Label("blocks32")
	CMPQ(left, Imm(2*lanes))
	JB(LabelRef("blocks16"))
	low, high := z[:16], z[16:]
	makeBlocks("32", low, high)
	Comment("Two registers of the upper group make room to transpose the lower one")
	room := AllocLocal(2 * 64)
	VMOVDQU64(high[14], room)
	VMOVDQU64(high[15], room.Offset(64))
	storeAll(transpose(low, high[14], high[15]), 0)
	VMOVDQU64(room, high[14])
	VMOVDQU64(room.Offset(64), high[15])
	storeAll(transpose(high, low[0], low[1]), lanes)
	advance(2 * lanes)
	JMP(LabelRef("blocks32"))

	Label("blocks16")
	TESTQ(left, left)
	JZ(LabelRef("done"))
	makeBlocks("16", low)
	storeWanted(transpose(low, high[0], high[1]))
	advance(lanes)
	JMP(LabelRef("blocks16"))

	Label("done")
	VZEROUPPER()
	RET()
	Generate()
}

// makeBlocks leaves in each group the finished words of its blocks.
func makeBlocks(name string, groups ...[]VecPhysical) {
	Comment("Words 0..15 after the shared part of the first round; word 12 is the lane's counter")
	for w := range 16 {
		if w == 12 {
			continue
		}
		for _, g := range groups {
			VPBROADCASTD(started(w), g[w])
		}
	}
	for i, g := range groups {
		VPBROADCASTD(initial(12), g[12])
		VPADDD(index.Offset(64*i), g[12], g[12])
	}
	MOVQ(twice, count)
	Comment("Column 0, whose first addition is done")
	quarterRounds(groups, columns[:1], 1)
	JMP(LabelRef("diagonals" + name))
	Label("columns" + name)
	quarterRounds(groups, columns, 0)
	Label("diagonals" + name)
	quarterRounds(groups, diagonals, 0)
	DECQ(count)
	JNZ(LabelRef("columns" + name))

	Comment("Add the initial words; 14 and 15 are zero")
	for w := range 14 {
		for _, g := range groups {
			VPADDD_BCST(initial(w), g[w], g[w])
		}
	}
	for i, g := range groups {
		VPADDD(index.Offset(64*i), g[12], g[12])
	}
}

func initial(word int) Mem { return Mem{Base: start, Disp: 4 * word} }
func started(word int) Mem { return Mem{Base: start, Disp: 64 + 4*word} }

// quarterRounds does the quarter-rounds on all groups. It leaves out the first
// steps of twelve. An addition stays with the xor and the rotation that depend on
// it: on Zen 4 that is 5 % faster than each step on all before the next one.
func quarterRounds(groups [][]VecPhysical, which [][4]int, skip int) {
	var rounds [][]func()
	for _, g := range groups {
		for _, q := range which {
			rounds = append(rounds, quarterRound(g[q[0]], g[q[1]], g[q[2]], g[q[3]])[skip:])
		}
	}
	const together = 3
	for step := 0; step < 12; step += together {
		for _, r := range rounds {
			for _, instruction := range r[min(step, len(r)):min(step+together, len(r))] {
				instruction()
			}
		}
	}
}

func quarterRound(a, b, c, d VecPhysical) (steps []func()) {
	for _, rotation := range [2][2]uint64{{16, 12}, {8, 7}} {
		steps = append(steps,
			func() { VPADDD(b, a, a) },
			func() { VPXORD(a, d, d) },
			func() { VPROLD(Imm(rotation[0]), d, d) },
			func() { VPADDD(d, c, c) },
			func() { VPXORD(c, b, b) },
			func() { VPROLD(Imm(rotation[1]), b, b) })
	}
	return steps
}

// transpose turns 16 registers of words into 16 registers of blocks, in the
// order returned. It uses two registers more; those that come free in a step
// serve in the next one.
func transpose(words []VecPhysical, free0, free1 VecPhysical) (blocks [16]VecPhysical) {
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

func storeAll(blocks [16]VecPhysical, first int) {
	for i, r := range blocks {
		VMOVDQU64(r, Mem{Base: dst, Disp: blockBytes * (first + i)})
	}
}

// storeWanted stores the first blocks, as many as are left.
func storeWanted(blocks [16]VecPhysical) {
	for i, r := range blocks {
		VMOVDQU64(r, Mem{Base: dst, Disp: blockBytes * i})
		if i+1 < len(blocks) {
			CMPQ(left, Imm(uint64(i+1)))
			JE(LabelRef("done"))
		}
	}
}

func advance(blocks int) {
	ADDQ(U32(uint32(blockBytes*blocks)), dst)
	ADDL(Imm(uint64(blocks)), initial(12))
	SUBQ(Imm(uint64(blocks)), left)
}
