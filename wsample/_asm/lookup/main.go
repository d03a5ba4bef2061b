// Command lookup writes the functions of wsample's Table: those that look numbers
// up and the one that makes a guide.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

//go:generate go run . -out ../../lookup_amd64.s -stubs ../../lookup_amd64.go -pkg wsample

// Registers of the lookups.
var (
	dst, x = RDI, RSI // behind the last place and the last number
	place  = RBX      // of the first number at hand, from there: negative
	guide  = R8
	sums   = R9
	shift  = RCX

	at    = [4]GPPhysical{RAX, RDX, R10, R11} // an index for each number at hand
	value = [4]GPPhysical{R12, R13, R14, R15} // the numbers
)

func main() {
	ConstraintExpr("gc,!purego")
	for _, l := range []lookup{2, 4} {
		l.step()
		l.compare()
	}
	makeGuide()
	Generate()
}

// lookup is the width in bytes of indices and guide entries.
type lookup int

func (l lookup) start(name, what string, comment ...string) {
	bits := 8 * l
	name = fmt.Sprintf("%s%d", name, bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst []uint%d, x, sums []uint64, entries []uint%d, shift uint)", bits, bits))
	Pragma("noescape")
	Doc(name + " sets dst[i] to the index that x[i], below the total, gives." + what)
	for _, line := range comment {
		Comment(line)
	}
	Load(Param("dst").Base(), dst)
	Load(Param("x").Base(), x)
	Load(Param("x").Len(), place)
	Load(Param("sums").Base(), sums)
	Load(Param("entries").Base(), guide)
	Load(Param("shift"), shift)
	LEAQ(Mem{Base: x, Index: place, Scale: 8}, x)
	LEAQ(Mem{Base: dst, Index: place, Scale: uint8(l)}, dst)
	NEGQ(place)
	JZ(LabelRef("done"))
}

// end goes on with the next numbers.
func (l lookup) end(together int) {
	ADDQ(Imm(uint64(together)), place)
	JNZ(LabelRef("loop"))
	Label("done")
	if together == 1 {
		VZEROUPPER()
	}
	RET()
}

func number(i int) Mem { return Mem{Base: x, Index: place, Scale: 8, Disp: 8 * i} }

func sum(at GPPhysical) Mem { return Mem{Base: sums, Index: at, Scale: 8} }

// entry sets to to the guide's entry for bucket, or the one after it.
func (l lookup) entry(bucket, to GPPhysical, next int) {
	m := Mem{Base: guide, Index: bucket, Scale: uint8(l), Disp: next * int(l)}
	if l == 2 {
		MOVWLZX(m, to.As32())
	} else {
		MOVL(m, to.As32())
	}
}

func (l lookup) store(at GPPhysical, i int) {
	m := Mem{Base: dst, Index: place, Scale: uint8(l), Disp: i * int(l)}
	if l == 2 {
		MOVW(at.As16(), m)
	} else {
		MOVL(at.As32(), m)
	}
}

// step writes the lookup for a fine guide.
func (l lookup) step() {
	const together = 4
	l.start("step", " Four at a time.",
		"Four numbers at a time: guide entry, then one step without a branch. The compare",
		"sets the carry flag when the sum is above the number; subtracting -1 with borrow",
		"adds 1 when it is not. A number that needs more steps is searched by halves.")
	Label("loop")
	for i := range together {
		MOVQ(number(i), value[i])
		SHRXQ(shift, value[i], at[i])
		l.entry(at[i], at[i], 0)
	}
	for i := range together {
		CMPQ(value[i], sum(at[i]))
		SBBQ(I8(-1), at[i])
	}
	for i := range together {
		CMPQ(value[i], sum(at[i]))
		JAE(LabelRef(fmt.Sprintf("far%d", i)))
		Label(fmt.Sprintf("near%d", i))
		l.store(at[i], i)
	}
	l.end(together)
	for i := range together {
		Label(fmt.Sprintf("far%d", i))
		INCQ(at[i])
		temporaries := [3]GPPhysical{value[(i+1)%4], value[(i+2)%4], value[(i+3)%4]}
		l.search(fmt.Sprintf("search%d", i), value[i], at[i], temporaries)
		for j := i + 1; j < together; j++ {
			MOVQ(number(j), value[j])
		}
		JMP(LabelRef(fmt.Sprintf("near%d", i)))
	}
}

// compare writes the lookup for a coarse guide.
func (l lookup) compare() {
	l.start("compare", "",
		"The number is compared with eight sums from the guide's entry on; as many as are",
		"not above it are passed over. After eight the rest is searched by halves.")
	at, passed := at[0], at[1]
	Label("loop")
	SHRXQ(shift, number(0), at)
	l.entry(at, at, 0)
	VPBROADCASTQ(number(0), Z0)
	const notLess = 5
	VPCMPUQ(Imm(notLess), sum(at), Z0, K1)
	KMOVB(K1, passed.As32())
	POPCNTL(passed.As32(), passed.As32())
	ADDL(passed.As32(), at.As32())
	CMPL(passed.As32(), Imm(8))
	JEQ(LabelRef("far"))
	Label("near")
	l.store(at, 0)
	l.end(1)
	Label("far")
	MOVQ(number(0), value[0])
	l.search("search", value[0], at, [3]GPPhysical(value[1:]))
	JMP(LabelRef("near"))
}

// search moves at to the first sum above value, between it and the guide's entry
// for the next bucket.
func (l lookup) search(label string, value, at GPPhysical, temporaries [3]GPPhysical) {
	high, middle, above := temporaries[0], temporaries[1], temporaries[2]
	SHRXQ(shift, value, high)
	l.entry(high, high, 1)
	JMP(LabelRef(label + "Test"))
	Label(label)
	LEAQ(Mem{Base: at, Index: high, Scale: 1}, middle)
	SHRQ(Imm(1), middle)
	LEAQ(Mem{Base: middle, Disp: 1}, above)
	CMPQ(value, sum(middle))
	CMOVQCC(above, at)
	CMOVQCS(middle, high)
	Label(label + "Test")
	CMPQ(at, high)
	JB(LabelRef(label))
}

// makeGuide writes the function that makes a guide of 16-bit entries.
func makeGuide() {
	TEXT("makeGuideAVX2", NOSPLIT, "func(entries []uint16, sums []uint64, first int, shift uint)")
	Pragma("noescape")
	Doc("makeGuideAVX2 does what makeGuide does. It may write to 16 entries more.")
	Comment("An index fills its buckets 16 at a time, beginning at the first; what is too many",
		"the next index overwrites.")
	var (
		guide, sums, n = RDI, RSI, RDX
		i, shift       = RBX, RCX

		bucket = R8 // the first of the index at hand
		end    = R9 // its last one
		more   = R10

		index, ones = Y0, Y1
	)
	Load(Param("entries").Base(), guide)
	Load(Param("sums").Base(), sums)
	Load(Param("sums").Len(), n)
	Load(Param("first"), i)
	Load(Param("shift"), shift)
	MOVL(i.As32(), end.As32())
	VMOVD(end.As32(), X0)
	VPBROADCASTW(X0, index)
	VPCMPEQW(ones, ones, ones)
	XORL(bucket.As32(), bucket.As32())
	Label("loop")
	CMPQ(i, n)
	JAE(LabelRef("done"))
	MOVQ(Mem{Base: sums, Index: i, Scale: 8}, end)
	DECQ(end)
	SHRXQ(shift, end, end)
	VMOVDQU(index, Mem{Base: guide, Index: bucket, Scale: 2})
	LEAQ(Mem{Base: bucket, Disp: 16}, more)
	CMPQ(more, end)
	JBE(LabelRef("fill"))
	Label("next")
	LEAQ(Mem{Base: end, Disp: 1}, bucket)
	VPSUBW(ones, index, index) // ones are -1
	INCQ(i)
	JMP(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
	Label("fill")
	VMOVDQU(index, Mem{Base: guide, Index: more, Scale: 2})
	ADDQ(Imm(16), more)
	CMPQ(more, end)
	JBE(LabelRef("fill"))
	JMP(LabelRef("next"))
}
