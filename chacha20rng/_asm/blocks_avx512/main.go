// Command blocks_avx512 writes the AVX-512 block function of chacha20rng.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "github.com/schedgen/schedgen/chacha20rng/_asm/sixteen"
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
	index = LaneNumbers()
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
	CMPQ(left, Imm(2*Lanes))
	JB(LabelRef("blocks16"))
	makeBlocks("32", Low, High)
	StoreBoth(dst)
	advance(2 * Lanes)
	JMP(LabelRef("blocks32"))

	Label("blocks16")
	TESTQ(left, left)
	JZ(LabelRef("done"))
	makeBlocks("16", Low)
	storeWanted(Transpose(Low, High[0], High[1]))
	advance(Lanes)
	JMP(LabelRef("blocks16"))

	Label("done")
	VZEROUPPER()
	RET()
	Generate()
}

// makeBlocks leaves in each group the finished words of its blocks.
func makeBlocks(name string, groups ...[]VecPhysical) {
	Begin(start, index, groups...)
	MOVQ(twice, count)
	Column0(groups...)
	JMP(LabelRef("diagonals" + name))
	Label("columns" + name)
	Emit(Round(Columns, groups...))
	Label("diagonals" + name)
	Emit(Round(Diagonals, groups...))
	DECQ(count)
	JNZ(LabelRef("columns" + name))
	End(start, index, groups...)
}

// storeWanted stores the first blocks, as many as are left.
func storeWanted(blocks [Lanes]VecPhysical) {
	for i, r := range blocks {
		VMOVDQU64(r, Block(dst, i))
		if i+1 < len(blocks) {
			CMPQ(left, Imm(uint64(i+1)))
			JE(LabelRef("done"))
		}
	}
}

func advance(blocks int) {
	ADDQ(U32(uint32(BlockBytes*blocks)), dst)
	Advance(start, blocks)
	SUBQ(Imm(uint64(blocks)), left)
}
