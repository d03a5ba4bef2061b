// Command wide_avx2 writes the AVX2 functions of wsample's wide tree.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "github.com/schedgen/schedgen/wsample/_asm/wide"
)

//go:generate go run . -out ../../wide_avx2_amd64.s -stubs ../../wide_avx2_amd64.go -pkg wsample

// AVX2 compares signed numbers: slots have 2^63 added, and x is given it.
var (
	x       = Y0
	higher  = [8]VecPhysical{Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8} // ones where the slot of the row is above x
	a, b    = Y9, Y10
	weight  = Y11 // to be added: negative
	behinds Mem   // 16 zeros, 16 ones
)

func main() {
	behinds = GLOBL("behinds", RODATA|NOPTR)
	for i := range 32 {
		DATA(8*i, U64(-uint64(i/16)))
	}
	Vectors{
		Name: "AVX2",
		Plan: []string{
			"  Y0        x + 2^63 in all lanes              Y11  minus the weight to be taken off",
			"  Y1 … Y8   ones where a slot is above x       Y9, Y10  for counting them",
		},
		SearchNode: searchNode, AfterSlot: func() { BTCQ(Imm(63), A) }, SearchRow: searchRow, LastX: lastX,
		SpreadWeight: spreadWeight,
		SubtractRow:  subtractRow, SubtractNode: subtractNode,
	}.Generate()
}

// part returns four of the slots at D.
func part(i int) Mem { return Mem{Base: D, Disp: 32 * i} }

func spread() {
	MOVQ(A, C)
	BTCQ(Imm(63), C)
	VMOVQ(C, X0)
	VPBROADCASTQ(X0, x)
}

func lastX() {
	VMOVQ(X0, A)
	BTCQ(Imm(63), A)
}

// count sets r to twice the number of slots above x among sixteen.
func count(above [4]VecPhysical, r GPPhysical) {
	VPACKSSDW(above[1], above[0], a)
	VPACKSSDW(above[3], above[2], b)
	VPACKSSWB(b, a, a)
	VPMOVMSKB(a, r.As32())
	POPCNTL(r.As32(), r.As32())
}

func searchNode() {
	spread()
	for i, h := range higher[:4] {
		VMOVDQU(part(i), h)
		VPCMPGTQ(x, h, h)
	}
	count([4]VecPhysical(higher[:4]), C)
	NEGL(C.As32())
	ADDL(Imm(32), C.As32())
	SHRL(Imm(1), C.As32())
}

func searchRow(none LabelRef) {
	spread()
	for i, h := range higher {
		VMOVDQU(part(i), h)
		VPCMPGTQ(x, h, h)
	}
	count([4]VecPhysical(higher[:4]), C)
	count([4]VecPhysical(higher[4:]), A)
	ADDL(A.As32(), C.As32())
	JEQ(none)
	NEGL(C.As32())
	ADDL(Imm(64), C.As32())
	SHRL(Imm(1), C.As32())
}

func spreadWeight() {
	MOVQ(A, C)
	NEGQ(C)
	VMOVQ(C, X11)
	VPBROADCASTQ(X11, weight)
}

func subtractRow() {
	for i, h := range higher {
		VPAND(weight, h, h)
		VPADDQ(part(i), h, h)
		VMOVDQU(h, part(i))
	}
}

func subtractNode() {
	LEAQ(behinds, A)
	NEGQ(C)
	for i, h := range higher[:4] {
		VPAND(Mem{Base: A, Index: C, Scale: 8, Disp: 128 + 32*i}, weight, h)
		VPADDQ(part(i), h, h)
		VMOVDQU(h, part(i))
	}
}
