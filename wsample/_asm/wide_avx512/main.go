// Command wide_avx512 writes the AVX-512 functions of wsample's wide tree.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "github.com/schedgen/schedgen/wsample/_asm/wide"
)

//go:generate go run . -out ../../wide_avx512_amd64.s -stubs ../../wide_avx512_amd64.go -pkg wsample

const less = 1

var (
	x      = Z0
	slots  = [4]VecPhysical{Z1, Z2, Z3, Z4} // of the row
	higher = [4]OpmaskPhysical{K1, K2, K3, K4}
	weight = Z5
)

func main() {
	Vectors{
		Name: "AVX512",
		Plan: []string{
			"  Z0        x in all lanes          Z5   the weight to be taken off",
			"  Z1 … Z4   the slots of the row    K1 … K4   those above x",
		},
		SearchNode: searchNode, AfterSlot: func() {}, SearchRow: searchRow, LastX: func() { VMOVQ(X0, A) },
		SpreadWeight: func() { VPBROADCASTQ(A, weight) },
		SubtractRow:  subtractRow, SubtractNode: subtractNode,
	}.Generate()
}

// part returns eight of the slots at D.
func part(i int) Mem { return Mem{Base: D, Disp: 64 * i} }

// Slots are ordered, so those above x end the node: the lowest bit of their mask
// is the number of the others.
func searchNode() {
	VPBROADCASTQ(A, x)
	VPCMPUQ(Imm(less), part(0), x, K1)
	VPCMPUQ(Imm(less), part(1), x, K2)
	KUNPCKBW(K1, K2, K1)
	KMOVW(K1, C.As32())
	TZCNTL(C.As32(), C.As32())
}

func searchRow(none LabelRef) {
	VPBROADCASTQ(A, x)
	for i, s := range slots {
		VMOVDQU64(part(i), s)
	}
	for i, s := range slots {
		VPCMPUQ(Imm(less), s, x, higher[i])
	}
	KUNPCKBW(K1, K2, K5)
	KUNPCKBW(K3, K4, K6)
	KUNPCKWD(K5, K6, K5)
	KMOVD(K5, C.As32())
	TZCNTL(C.As32(), C.As32())
	JCS(none) // no bit was set
}

func subtractRow() {
	for i, s := range slots {
		VPSUBQ(weight, s, higher[i], s)
		VMOVDQU64(s, part(i))
	}
}

func subtractNode() {
	MOVL(U32(0xffff), A.As32())
	SHLXL(C.As32(), A.As32(), A.As32())
	KMOVW(A.As32(), K1)
	KSHIFTRW(Imm(8), K1, K2)
	for i, s := range slots[:2] {
		VMOVDQU64(part(i), s)
		VPSUBQ(weight, s, higher[i], s)
		VMOVDQU64(s, part(i))
	}
}
