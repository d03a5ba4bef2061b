// Command ranks_avx512 writes the AVX-512 rank function of chacha20rng.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "github.com/schedgen/schedgen/chacha20rng/_asm/sixteen"
)

//go:generate go run . -out ../../ranks_avx512_amd64.s -stubs ../../ranks_avx512_amd64.go -pkg chacha20rng

// layout is written into the function.
var layout = []string{
	"Two things at once. The vector registers make 32 blocks, as in blocksAVX512:",
	"  Z0..Z15, Z16..Z31  words 0..15 of blocks 0..15 and 16..31",
	"Between their instructions the general registers turn the 256 words made before",
	"into ranks. Neither waits for the other: the rounds keep the vector units busy,",
	"and the rest of the processor would idle. The new words then take the place of",
	"the old ones.",
	"  DX   n                            DI   ranks          R10  guide",
	"  SI   words; inside the rounds,    R13  ranks written  R11  sums",
	"       where those of one pass are  R8   limit          R9   shift",
	"  AX, BX  low and high half of a word's product with n; BX is the number",
	"  CX   its rank                     R12, R14  for the search",
	"A draw has no branch but one, to the search, which is rarely taken: the rank is",
	"stored before it is known whether the word is accepted, and the next one takes its",
	"place if not. CMP leaves a carry for the SBB behind it when its first operand is",
	"the smaller one; SBB of -1 adds 1 when there is none. The vector instructions in",
	"between leave it alone.",
}

// A chunk is 256 words. Its rounds are column 0 of the first one, and then diagonals
// 10 times with columns 9 times between them: 10 * 13 + 9 * 14 = 256.
const (
	perDiagonals = 13
	perColumns   = 14
	chunkBytes   = 2 * Lanes * BlockBytes
)

var (
	n       = RDX // MULX multiplies by this register
	dst     = RDI
	words   = RSI // in the rounds, the word of the first draw of the columns
	limit   = R8
	shift   = R9
	guide   = R10
	sums    = R11
	written = R13

	// Of one draw.
	low    = RAX
	number = RBX
	rank   = RCX

	// Of the search.
	high   = R12
	middle = R14

	start = RAX // outside the rounds: see blocksAVX512
)

func main() {
	ConstraintExpr("gc,!purego")
	index := LaneNumbers()
	TEXT("ranksAVX512", NOSPLIT, "func(dst *uint16, words *[256]uint64, chunks int, start *[2][16]uint32, "+
		"n, limit uint64, sums *uint64, guide *uint16, shift uint) (written int)")
	Pragma("noescape")
	Doc("ranksAVX512 turns words into ranks from dst on, and sets words to the 32 blocks",
		"after them, as many times as there are chunks, at least one. It may write to 256",
		"places for each. It advances the counter in start, whose lower half must not wrap",
		"before the last block.")
	for _, line := range layout {
		Comment(line)
	}
	Load(Param("dst"), dst)
	Load(Param("words"), words)
	Load(Param("n"), n)
	Load(Param("limit"), limit)
	Load(Param("sums"), sums)
	Load(Param("guide"), guide)
	Load(Param("shift"), shift)
	XORL(written.As32(), written.As32())
	chunks, end := AllocLocal(8), AllocLocal(8)
	Load(Param("chunks"), RAX)
	MOVQ(RAX, chunks)
	LEAQ(Mem{Base: words, Disp: chunkBytes}, RAX)
	MOVQ(RAX, end)

	Label("chunk")
	Load(Param("start"), start)
	Begin(start, index, Low, High)
	Column0(Low, High)
	Comment("The first pass begins in its middle")
	SUBQ(Imm(8*perColumns), words)
	JMP(LabelRef("diagonals"))
	Label("columns")
	weave(Round(Columns, Low, High), draws(0, perColumns))
	Label("diagonals")
	weave(Round(Diagonals, Low, High), draws(perColumns, perDiagonals))
	ADDQ(U32(8*(perColumns+perDiagonals)), words)
	CMPQ(words, end)
	JNE(LabelRef("columns"))
	SUBQ(U32(chunkBytes), words)
	Load(Param("start"), start)
	End(start, index, Low, High)
	StoreBoth(words)
	Advance(start, 2*Lanes)
	DECQ(chunks)
	JNZ(LabelRef("chunk"))

	Store(written, Return("written"))
	VZEROUPPER()
	RET()
	for i := range perColumns + perDiagonals {
		search(i)
	}
	Generate()
}

// weave writes all steps of both, the draws' spread evenly over the rounds'.
func weave(rounds, draws []Step) {
	done := 0
	for i, step := range rounds {
		step()
		until := (i + 1) * len(draws) / len(rounds)
		Emit(draws[done:until])
		done = until
	}
}

// draws are the draws from the given one on of those in a pass.
func draws(first, count int) (steps []Step) {
	for i := first; i < first+count; i++ {
		steps = append(steps,
			func() { MULXQ(Mem{Base: words, Disp: 8 * i}, low, number) },
			func() { SHRXQ(shift, number, rank) },
			func() { MOVWLZX(entry(rank, 0), rank.As32()) },
			func() { CMPQ(number, sum(rank)) },
			func() { SBBQ(I8(-1), rank) },
			func() {
				// Together: the processor makes one operation of them.
				CMPQ(number, sum(rank))
				JAE(LabelRef(fmt.Sprint("search", i)))
				Label(fmt.Sprint("found", i))
			},
			func() { MOVW(rank.As16(), Mem{Base: dst, Index: written, Scale: 2}) },
			func() { CMPQ(limit, low) },
			func() { SBBQ(I8(-1), written) })
	}
	return steps
}

// search goes on from the rank of a draw, whose sum is not above the number: a few
// steps without a branch, enough nearly always, and then by halves up to the next
// bucket's entry, so that no list of weights makes it slow.
func search(i int) {
	search, found, halve := fmt.Sprint("search", i), fmt.Sprint("found", i), fmt.Sprint("halve", i)
	Label(search)
	for range 3 {
		CMPQ(number, sum(rank))
		SBBQ(I8(-1), rank)
	}
	CMPQ(number, sum(rank))
	JB(LabelRef(found))
	SHRXQ(shift, number, high)
	MOVWLZX(entry(high, 1), high.As32())
	Label(halve)
	CMPQ(rank, high)
	JAE(LabelRef(found))
	LEAQ(Mem{Base: rank, Index: high, Scale: 1}, middle)
	SHRQ(Imm(1), middle)
	CMPQ(number, sum(middle))
	CMOVQCS(middle, high)
	LEAQ(Mem{Base: middle, Disp: 1}, middle)
	CMOVQCC(middle, rank)
	JMP(LabelRef(halve))
}

func sum(i GPPhysical) Mem { return Mem{Base: sums, Index: i, Scale: 8} }

// entry is the guide's entry of the bucket ahead of the given one by some.
func entry(bucket GPPhysical, ahead int) Mem {
	return Mem{Base: guide, Index: bucket, Scale: 2, Disp: 2 * ahead}
}
