// Package sixteen has what the AVX-512 functions of chacha20rng share: the rounds
// of 16 blocks in 16 registers, and how they become blocks in memory.
//
// One register holds the same state word of 16 consecutive blocks, one block in
// each 32-bit lane. A group is the 16 registers of 16 blocks; two groups fill the
// register file.
package sixteen

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	Lanes      = 16 // blocks in a group
	BlockBytes = 64
)

// Low and High are the two groups.
var (
	Low  = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15}
	High = []VecPhysical{Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31}
)

// The quarter-rounds of the two halves of a double round.
var (
	Columns   = [][4]int{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}}
	Diagonals = [][4]int{{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}}
)

// A Step writes itself.
type Step = func()

// LaneNumbers defines 0, 1, … 31: the distance of each lane from the first block.
func LaneNumbers() Mem {
	index := GLOBL("index32", RODATA|NOPTR)
	for i := range 2 * Lanes {
		DATA(4*i, U32(i))
	}
	return index
}

func initial(start Register, word int) Mem { return Mem{Base: start, Disp: 4 * word} }
func started(start Register, word int) Mem { return Mem{Base: start, Disp: 64 + 4*word} }

// Begin sets the groups to what the caller of the function has done of the first
// round (see vectorStart). Column0 and the diagonals come next.
func Begin(start Register, index Mem, groups ...[]VecPhysical) {
	Comment("Words 0..15 after the shared part of the first round; word 12 is the lane's counter")
	for w := range 16 {
		if w == 12 {
			continue
		}
		for _, g := range groups {
			VPBROADCASTD(started(start, w), g[w])
		}
	}
	for i, g := range groups {
		VPBROADCASTD(initial(start, 12), g[12])
		VPADDD(index.Offset(64*i), g[12], g[12])
	}
}

// Column0 is what the caller has not done of the columns of the first round.
func Column0(groups ...[]VecPhysical) {
	Comment("Column 0, whose first addition is done")
	Emit(quarterRounds(groups, Columns[:1], 1))
}

// Round is four quarter-rounds on all groups.
func Round(which [][4]int, groups ...[]VecPhysical) []Step {
	return quarterRounds(groups, which, 0)
}

// Emit writes instructions.
func Emit(instructions []Step) {
	for _, i := range instructions {
		i()
	}
}

// quarterRounds are the quarter-rounds on all groups, without the first steps of
// twelve that are to be skipped. An addition stays with the xor and the rotation
// that depend on it: on Zen 4 that is 5 % faster than each step on all before the
// next one.
func quarterRounds(groups [][]VecPhysical, which [][4]int, skip int) (all []Step) {
	var rounds [][]Step
	for _, g := range groups {
		for _, q := range which {
			rounds = append(rounds, quarterRound(g[q[0]], g[q[1]], g[q[2]], g[q[3]])[skip:])
		}
	}
	const together = 3
	for step := 0; step < 12; step += together {
		for _, r := range rounds {
			all = append(all, r[min(step, len(r)):min(step+together, len(r))]...)
		}
	}
	return all
}

func quarterRound(a, b, c, d VecPhysical) (steps []Step) {
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

// End adds the initial words, which finishes the words of the groups.
func End(start Register, index Mem, groups ...[]VecPhysical) {
	Comment("Add the initial words; 14 and 15 are zero")
	for w := range 14 {
		for _, g := range groups {
			VPADDD_BCST(initial(start, w), g[w], g[w])
		}
	}
	for i, g := range groups {
		VPADDD(index.Offset(64*i), g[12], g[12])
	}
}

// StoreBoth stores the 32 blocks of the two groups.
func StoreBoth(dst Register) {
	Comment("Two registers of the upper group make room to transpose the lower one")
	room := AllocLocal(2 * 64)
	VMOVDQU64(High[14], room)
	VMOVDQU64(High[15], room.Offset(64))
	for i, r := range Transpose(Low, High[14], High[15]) {
		VMOVDQU64(r, Block(dst, i))
	}
	VMOVDQU64(room, High[14])
	VMOVDQU64(room.Offset(64), High[15])
	for i, r := range Transpose(High, Low[0], Low[1]) {
		VMOVDQU64(r, Block(dst, Lanes+i))
	}
}

// Block is where block i from dst on lies.
func Block(dst Register, i int) Mem { return Mem{Base: dst, Disp: BlockBytes * i} }

// Advance advances the counter.
func Advance(start Register, blocks int) { ADDL(Imm(uint64(blocks)), initial(start, 12)) }
