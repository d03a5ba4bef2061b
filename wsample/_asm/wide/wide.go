// Package wide has what the vector functions of wsample's wide tree share. The
// package comment of wsample explains the tree, wide_amd64.go how it is stored.
package wide

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Vectors is the part that depends on the width of a register. A slot is passed
// over when it is at most x.
type Vectors struct {
	Name string
	Plan []string // what the vector registers hold

	// SearchNode sets C to the number of slots passed over in the node at D, for
	// the x in A. It keeps A and D.
	SearchNode func()
	// AfterSlot corrects A after the subtraction of a slot.
	AfterSlot func()
	// SearchRow sets C to the number of slots passed over in the row at D, for the
	// x in A, and jumps to none when that is all of them. It keeps D. It remembers
	// the slots and those that were not passed over for SubtractRow.
	SearchRow func(none LabelRef)
	// LastX sets A to the x of the last SearchRow.
	LastX func()
	// SpreadWeight takes the weight in A into a vector, for the next two.
	SpreadWeight func()
	// SubtractRow takes the weight off the slots that SearchRow did not pass over.
	SubtractRow func()
	// SubtractNode takes the weight off slot C and those behind it in the node at
	// D. It may change A, C and D.
	SubtractNode func()
}

// Registers that last.
var (
	nodes = RDI
	rows  = RSI // where row 0 of the heap would be
	total = R9  // the weight left

	word = R8  // the word at hand
	out  = R10 // where its index goes

	// Of the word at hand and of the two after it: the row, by its number in the
	// heap, and the weight before that row.
	row    = [3]GPPhysical{R11, R13, R15}
	before = [3]GPPhysical{R12, R14, RBX}
)

// Registers that last a few lines.
var A, C, D = RAX, RCX, RDX

const (
	nodeShift = 7 // a node is 16 slots, 128 bytes
	rowShift  = 8 // a row is 32 slots, 256 bytes
	fanShift  = 4 // child k of node i is number 16i + k + 1
)

const treeParams = "nodes, rows *uint64, first *uint32, firstRow int, "

// frame is what lies in memory during a function.
type frame struct {
	firstRow Mem // number of the first row in the heap
	first    Mem // where the first index of row 0 of the heap would be, less one
}

// loadTree loads the parameters of the tree.
func (v Vectors) loadTree() frame {
	for _, line := range v.Plan {
		Comment(line)
	}
	f := frame{firstRow: param("firstRow"), first: AllocLocal(8)}
	Load(Param("nodes"), nodes)
	Load(Param("rows"), rows)
	Load(Param("firstRow"), A)
	Load(Param("first"), D)
	MOVQ(A, C)
	SHLQ(Imm(rowShift), C)
	SUBQ(C, rows)
	SHLQ(Imm(2), A)
	SUBQ(A, D)
	MOVQ(D, f.first)
	return f
}

func param(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// descend sets row to the number of the row that the x in A falls on, and A to
// what is left of x there.
func (v Vectors) descend(label string, f frame, row GPPhysical) {
	XORL(row.As32(), row.As32())
	CMPQ(f.firstRow, Imm(0))
	JE(LabelRef(label + "End"))
	Label(label)
	MOVQ(row, D)
	SHLQ(Imm(nodeShift), D)
	ADDQ(nodes, D)
	v.SearchNode()
	SUBQ(slotBeforeC, A)
	v.AfterSlot()
	SHLQ(Imm(fanShift), row)
	ADDQ(C, row)
	CMPQ(row, f.firstRow)
	JB(LabelRef(label))
	Label(label + "End")
}

var (
	slotC       = Mem{Base: D, Index: C, Scale: 8}
	slotBeforeC = Mem{Base: D, Index: C, Scale: 8, Disp: -8}
)

// rowAddress sets D to the address of a row.
func rowAddress(row GPPhysical) {
	MOVQ(row, D)
	SHLQ(Imm(rowShift), D)
	ADDQ(rows, D)
}

// index sets A to the index of the weight in slot C-1 of row.
func index(f frame, row GPPhysical) {
	MOVQ(f.first, A)
	MOVL(Mem{Base: A, Index: row, Scale: 4}, A.As32())
	ADDL(C.As32(), A.As32())
}

// takeWeight sets A to the weight in slot C-1 of the row at D.
func takeWeight() {
	MOVQ(slotC, A)
	SUBQ(slotBeforeC, A)
}

// subtractAbove takes the weight off the nodes above a row. It leaves row 0.
func (v Vectors) subtractAbove(row GPPhysical) {
	TESTQ(row, row)
	JZ(LabelRef("top"))
	Label("above")
	MOVL(row.As32(), C.As32())
	ANDL(Imm(1<<fanShift-1), C.As32())
	SHRQ(Imm(fanShift), row)
	MOVQ(row, D)
	SHLQ(Imm(nodeShift), D)
	ADDQ(nodes, D)
	v.SubtractNode()
	TESTQ(row, row)
	JNZ(LabelRef("above"))
	Label("top")
}

// Find writes the function that looks numbers up.
func (v Vectors) Find() {
	name := "wideFind" + v.Name
	TEXT(name, NOSPLIT, "func("+treeParams+"x []uint64, dst *uint32)")
	Pragma("noescape")
	Doc(name + " sets dst[i] to the index that x[i], below the weight left, falls on.")
	f := v.loadTree()
	left := R12
	Load(Param("x").Base(), word)
	Load(Param("x").Len(), left)
	Load(Param("dst"), out)
	Label("loop")
	SUBQ(Imm(1), left)
	JB(LabelRef("done"))
	MOVQ(Mem{Base: word}, A)
	v.descend("down", f, row[0])
	rowAddress(row[0])
	v.SearchRow(LabelRef("done")) // never, for an x below the weight left
	index(f, row[0])
	MOVL(A.As32(), Mem{Base: out})
	ADDQ(Imm(8), word)
	ADDQ(Imm(4), out)
	JMP(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}

// Take writes the function that looks one number up and removes its weight.
func (v Vectors) Take() {
	name := "wideTake" + v.Name
	TEXT(name, NOSPLIT, "func("+treeParams+"x uint64) (index uint32, weight uint64)")
	Pragma("noescape")
	Doc(name + " removes the weight that x, below the weight left, falls on.")
	f := v.loadTree()
	Load(Param("x"), A)
	v.descend("down", f, row[0])
	rowAddress(row[0])
	v.SearchRow(LabelRef("top")) // never, for an x below the weight left
	index(f, row[0])
	Store(A.As32(), Return("index"))
	takeWeight()
	Store(A, Return("weight"))
	v.SpreadWeight()
	v.SubtractRow()
	v.subtractAbove(row[0])
	VZEROUPPER()
	RET()
}
