// Command blocks_avx2 writes the AVX2 block function of chacha20rng.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

//go:generate go run . -out ../../blocks_avx2_amd64.s -stubs ../../blocks_avx2_amd64.go -pkg chacha20rng

// layout is written into the function.
var layout = []string{
	"One register holds the same state word of 8 consecutive blocks, one block in",
	"each 32-bit lane: a quarter-round on four words is 8 quarter-rounds, and no lane",
	"needs its neighbour. There are two groups, 16 blocks: the 4 quarter-rounds of one",
	"group are too few to hide latency. Words 4..7 and 12..15 have registers; words",
	"0..3 and 8..11, which are only added to, are in memory.",
	"  Y0..Y3    words 4..7 of blocks 0..7     Y4..Y7    words 12..15",
	"  Y8..Y11   words 4..7 of blocks 8..15    Y12..Y14  words 12..14",
	"  Y15       scratch: the word 15 that has no place is in memory too",
	"  R8        32 places of 32 bytes, aligned: words 0..15 of each group",
	"Rotations by 16 and 8 are byte shuffles, those by 12 and 7 two shifts and an or.",
	"Blocks differ in word 12 only. What the first round does to all of them alike,",
	"columns 1, 2 and 3 and the first addition of column 0, the caller has done (see",
	"vectorStart): each pass starts with the rest of column 0 and enters the loop at",
	"the diagonals.",
	"A block is one row of a matrix of which the words are columns. Left and right",
	"halves, 8 by 8 words each, are transposed and stored one after the other: 4 by 4",
	"words inside the 128-bit halves of the registers, then these halves.",
}

// The quarter-rounds of the two halves of a double round.
var (
	columns   = [][4]int{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}}
	diagonals = [][4]int{{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}}
)

const groups, lanes, blockBytes = 2, 8, 64

var (
	dst    = RDI // the next block to be stored
	left   = RSI // blocks to be made
	start  = RDX // the initial words, then those after the shared part of the first round
	twice  = RCX // double rounds
	count  = RAX // double rounds to go
	places = R8

	y       = []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
	scratch = Y15

	rotate16, rotate8 Mem // byte shuffles
	index             Mem // 0, 1, … 15: the distance of each lane from the first block
)

func main() {
	ConstraintExpr("gc,!purego")
	constants()
	TEXT("blocksAVX2", 0, "func(dst *uint64, n int, start *[2][16]uint32, doubleRounds int)")
	Pragma("noescape")
	Doc("blocksAVX2 sets the 8n words from dst on to n blocks. It advances the counter in",
		"start, whose lower half must not wrap before the last block.")
	for _, line := range layout {
		Comment(line)
	}
	LEAQ(AllocLocal(groups*16*32+32).Offset(31), places)
	ANDQ(I32(-32), places)
	Load(Param("dst"), dst)
	Load(Param("n"), left)
	Load(Param("start"), start)
	Load(Param("doubleRounds"), twice)
	TESTQ(left, left)
	JZ(LabelRef("done"))

	Label("next")
	load()
	MOVQ(twice, count)
	Comment("Column 0, whose first addition is done")
	quarterRounds(columns[:1], true)
	JMP(LabelRef("diagonals"))
	Label("columns")
	quarterRounds(columns, false)
	Label("diagonals")
	quarterRounds(diagonals, false)
	DECQ(count)
	JNZ(LabelRef("columns"))
	for g := range groups {
		for w := range 16 {
			if r := register(g, w); r != nil {
				VMOVDQU(r, place(g, w))
			}
		}
	}
	for g := range groups {
		for half := range 2 {
			store(g, half, transpose(finish(g, half), y[8], y[9]))
		}
	}
	ADDQ(U32(groups*lanes*blockBytes), dst)
	ADDL(Imm(groups*lanes), initial(12))
	SUBQ(Imm(groups*lanes), left)
	JHI(LabelRef("next"))
	Label("done")
	VZEROUPPER()
	RET()
	Generate()
}

func constants() {
	bytes := func(name string, f func(i int) int) Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for i := range 32 {
			DATA(i, U8(f(i)))
		}
		return m
	}
	rotate16 = bytes("rotate16", func(i int) int { return i%16/4*4 + (i+2)%4 })
	rotate8 = bytes("rotate8", func(i int) int { return i%16/4*4 + (i+3)%4 })
	index = GLOBL("index16", RODATA|NOPTR)
	for i := range groups * lanes {
		DATA(4*i, U32(i))
	}
}

func initial(word int) Mem { return Mem{Base: start, Disp: 4 * word} }
func started(word int) Mem { return Mem{Base: start, Disp: 64 + 4*word} }

func place(group, word int) Mem { return Mem{Base: places, Disp: 32 * (16*group + word)} }

// register returns the register of a word, nil when the word is in memory.
func register(group, word int) VecPhysical {
	switch {
	case word/4%2 == 0 || group == 1 && word == 15:
		return nil
	case word < 8:
		return y[8*group+word-4]
	default:
		return y[8*group+word-8]
	}
}

// load sets all words to those after the shared part of the first round.
func load() {
	Comment("Words after the shared part of the first round; word 12 is each lane's counter")
	for w := range 16 {
		for g := range groups {
			r := register(g, w)
			switch {
			case w == 12:
				counters(g, r)
			case r != nil:
				VPBROADCASTD(started(w), r)
			default:
				VPBROADCASTD(started(w), scratch)
				VMOVDQU(scratch, place(g, w))
			}
		}
	}
}

// counters sets r to the lower half of each lane's counter.
func counters(group int, r VecPhysical) {
	VPBROADCASTD(initial(12), r)
	VPADDD(index.Offset(32*group), r, r)
}

// quarterRounds does the quarter-rounds on both groups. It leaves out the first
// addition when that is done.
func quarterRounds(which [][4]int, added bool) {
	each := func(f func(g, a, b, c, d int)) {
		for g := range groups {
			for _, q := range which {
				f(g, q[0], q[1], q[2], q[3])
			}
		}
	}
	for half := range 2 {
		shuffle, shift := rotate16, uint64(12)
		if half == 1 {
			shuffle, shift = rotate8, 7
		}
		each(func(g, a, b, c, d int) {
			rb, rd := register(g, b), register(g, d)
			if half == 0 && added {
				VMOVDQU(place(g, a), scratch)
			} else {
				addTo(place(g, a), rb)
			}
			if rd != nil {
				VPXOR(scratch, rd, rd)
				VPSHUFB(shuffle, rd, rd)
			} else {
				rd = scratch
				VPXOR(place(g, d), rd, rd)
				VPSHUFB(shuffle, rd, rd)
				VMOVDQU(rd, place(g, d))
			}
			addTo(place(g, c), rd)
			VPXOR(scratch, rb, rb)
		})
		each(func(g, a, b, c, d int) {
			r := register(g, b)
			VPSLLD(Imm(shift), r, scratch)
			VPSRLD(Imm(32-shift), r, r)
			VPOR(scratch, r, r)
		})
	}
}

// addTo adds r to a word in memory and leaves the sum in scratch.
func addTo(word Mem, r VecPhysical) {
	VPADDD(word, r, scratch)
	VMOVDQU(scratch, word)
}

// finish returns half of the words of a group, with the initial ones added.
func finish(group, half int) []VecPhysical {
	Comment(fmt.Sprintf("Words %d..%d of blocks %d..%d", 8*half, 8*half+7, lanes*group, lanes*group+lanes-1))
	for i, r := range y[:8] {
		switch w := 8*half + i; w {
		case 12:
			counters(group, r)
			VPADDD(place(group, w), r, r)
		case 14, 15: // initially zero
			VMOVDQU(place(group, w), r)
		default:
			VPBROADCASTD(initial(w), r)
			VPADDD(place(group, w), r, r)
		}
	}
	return y[:8]
}

// transpose turns 8 registers of words into 8 registers of half blocks, in the
// order returned. It uses two registers more; those that come free in a step
// serve in the next one.
func transpose(words []VecPhysical, free ...VecPhysical) (blocks [lanes]VecPhysical) {
	take := func() (r VecPhysical) { r, free = free[0], free[1:]; return r }
	give := func(r VecPhysical) { free = append(free, r) }

	Comment("Half h of register 4r+c becomes words 4r..4r+3 of block 4h+c")
	var halves [8]VecPhysical
	for i := 0; i < 8; i += 4 {
		var pair [4]VecPhysical
		for j := 0; j < 4; j += 2 {
			even, odd := words[i+j], words[i+j+1]
			pair[j], pair[j+1] = take(), odd
			VPUNPCKLDQ(odd, even, pair[j])
			VPUNPCKHDQ(odd, even, odd)
			give(even)
		}
		for j := range 2 {
			halves[i+2*j], halves[i+2*j+1] = take(), pair[j]
			VPUNPCKLQDQ(pair[j+2], pair[j], halves[i+2*j])
			VPUNPCKHQDQ(pair[j+2], pair[j], pair[j])
			give(pair[j+2])
		}
	}
	Comment("Bring together what belongs to a block")
	const lower, upper = 0x20, 0x31
	for c := range 4 {
		blocks[c], blocks[4+c] = take(), halves[c]
		VPERM2I128(Imm(lower), halves[4+c], halves[c], blocks[c])
		VPERM2I128(Imm(upper), halves[4+c], halves[c], halves[c])
		give(halves[4+c])
	}
	return blocks
}

// store stores half of each block of a group, but of no more blocks than are left.
func store(group, half int, blocks [lanes]VecPhysical) {
	end := fmt.Sprintf("stored%d%d", group, half)
	for i, r := range blocks {
		if block := lanes*group + i; block > 0 {
			CMPQ(left, Imm(uint64(block)))
			JLS(LabelRef(end))
		}
		VMOVDQU(r, Mem{Base: dst, Disp: blockBytes*(lanes*group+i) + 32*half})
	}
	Label(end)
}
