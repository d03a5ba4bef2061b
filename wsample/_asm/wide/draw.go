package wide

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// lookAhead is written into the functions.
var lookAhead = []string{
	"A draw needs the total that the draw before it leaves, so draws are a chain: total,",
	"product, search, weight, total. Only the search of a row is kept on it. Which row a",
	"word falls on is found two words ahead, in the tree as it is then: row and the weight",
	"before the row. A removal takes its weight off the latter where it lies before the row.",
	"When the word's turn comes, with the exact total, it may after all fall outside: all",
	"slots of the row are then passed over, also for a number below the row, which has",
	"wrapped round. The row beside is tried, or the search made again from the top.",
	"",
	"  R11 R12   row, and weight before it, of the word at hand",
	"  R13 R14   of the next one",
	"  R15 BX    of the one after it",
	"  R8        the word at hand        R9   total",
	"  R10       its place in dst        DI   nodes     SI   rows",
}

// Draw writes the function that draws and removes, with the shift zone or the
// modulo zone.
func (v Vectors) Draw(shift bool) {
	name := "wideDrawModulo" + v.Name
	if shift {
		name = "wideDrawShift" + v.Name
	}
	TEXT(name, NOSPLIT, "func("+treeParams+"sum uint64, words []uint64, dst *uint32) (drawn int, left uint64)")
	Pragma("noescape")
	Doc(name+" turns words, at least one, into draws that remove. It uses all of them:",
		"there must be as many weights left. It returns the number of draws and the weight",
		"left.")
	for _, line := range lookAhead {
		Comment(line)
	}
	f := v.loadTree()
	last := AllocLocal(8) // address of the last word
	Load(Param("words").Base(), word)
	Load(Param("words").Len(), D)
	LEAQ(Mem{Base: word, Index: D, Scale: 8, Disp: -8}, D)
	MOVQ(D, last)
	Load(Param("dst"), out)
	Load(Param("sum"), total)
	v.ahead("first", f, 0, last)
	v.ahead("second", f, 1, last)

	Label("loop")
	v.ahead("ahead", f, 2, last)
	v.roll(shift)
	Label("exact")
	SUBQ(before[0], A)
	Label("row")
	rowAddress(row[0])
	v.SearchRow(LabelRef("outside"))
	v.takeLeaf(f)

	Label("next")
	nextWord(last)
	JLS(LabelRef("loop"))
	Load(Param("dst"), A)
	SUBQ(A, out)
	SHRQ(Imm(2), out)
	Store(out, Return("drawn"))
	Store(total, Return("left"))
	VZEROUPPER()
	RET()

	Label("outside")
	v.neighbour()
	v.descend("down", f, row[0])
	JMP(LabelRef("row"))
	if !shift {
		doubt()
	}
}

// roll leaves the number of the word at hand in A, or goes on with the next word
// where the zone rejects it.
func (v Vectors) roll(shift bool) {
	Comment("The word at hand: high half of the product in AX, low half in CX")
	MOVQ(Mem{Base: word}, D)
	MULXQ(total, C, A)
	if shift {
		Comment("Reject when the low half is above total << leading zeros - 1")
		LZCNTQ(total, D)
		SHLXQ(D, total, D)
		DECQ(D)
		CMPQ(C, D)
		JHI(LabelRef("next"))
	} else {
		Comment("The limit is 2^64-1 - (2^64 mod total), not below 2^64-1 - total")
		MOVQ(total, D)
		NOTQ(D)
		CMPQ(C, D)
		JHI(LabelRef("doubt"))
		Label("accept")
	}
}

// takeLeaf removes the leaf on which the search ended, and writes its index.
func (v Vectors) takeLeaf(f frame) {
	index(f, row[0])
	MOVL(A.As32(), Mem{Base: out})
	ADDQ(Imm(4), out)
	takeWeight()
	SUBQ(A, total)
	v.SpreadWeight()
	Comment("Take the weight off what lies before the rows ahead")
	for i := 1; i <= 2; i++ {
		CMPQ(row[0], row[i])
		SBBQ(C, C)
		ANDQ(A, C)
		SUBQ(C, before[i])
	}
	v.SubtractRow()
	v.subtractAbove(row[0])
}

// nextWord moves on by one word and compares it with the last.
func nextWord(last Mem) {
	for i := range 2 {
		MOVQ(row[i+1], row[i])
		MOVQ(before[i+1], before[i])
	}
	ADDQ(Imm(8), word)
	CMPQ(word, last)
}

// doubt divides: the low half, in C, may be above the limit of the modulo zone.
func doubt() {
	Label("doubt")
	high := AllocLocal(8)
	MOVQ(A, high)
	MOVQ(total, A)
	NEGQ(A)
	XORL(D.As32(), D.As32())
	DIVQ(total)
	MOVQ(high, A)
	NOTQ(D)
	CMPQ(C, D)
	JLS(LabelRef("accept"))
	JMP(LabelRef("next"))
}

// ahead sets row[i] and before[i] for the i-th word after the one at hand, or
// for the last one.
func (v Vectors) ahead(label string, f frame, i int, last Mem) {
	Comment("Look ahead")
	LEAQ(Mem{Base: word, Disp: 8 * i}, A)
	CMPQ(A, last)
	CMOVQHI(last, A)
	MOVQ(Mem{Base: A}, D)
	MULXQ(total, C, before[i])
	MOVQ(before[i], A)
	v.descend(label, f, row[i])
	SUBQ(A, before[i])
}

// neighbour goes on with the row beside the one at D, which x has left, if that
// has the same parent. It leaves x in A otherwise.
func (v Vectors) neighbour() {
	const firstChild, lastChild = 1, 1<<fanShift - 1
	const slot0, slot31, slotsPerRow = 0, 31, 32
	slot := func(k int) Mem { return Mem{Base: D, Disp: 8 * k} }
	v.LastX()
	MOVL(row[0].As32(), C.As32())
	ANDL(Imm(1<<fanShift-1), C.As32())
	Comment("x lies below the row if the difference had wrapped round")
	ADDQ(before[0], A)
	JCS(LabelRef("below"))
	CMPL(C.As32(), Imm(lastChild))
	JEQ(LabelRef("far"))
	INCQ(row[0])
	ADDQ(slot(slot31), before[0])
	SUBQ(slot(slot0), before[0])
	JMP(LabelRef("exact"))
	Label("below")
	CMPL(C.As32(), Imm(firstChild))
	JEQ(LabelRef("far"))
	DECQ(row[0])
	ADDQ(slot(slot0-slotsPerRow), before[0])
	SUBQ(slot(slot31-slotsPerRow), before[0])
	JMP(LabelRef("exact"))
	Label("far")
}

// Generate writes all functions.
func (v Vectors) Generate() {
	ConstraintExpr("gc,!purego")
	v.Find()
	v.Take()
	v.Draw(true)
	v.Draw(false)
	Generate()
}
