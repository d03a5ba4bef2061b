// Command rolls_avx2 writes the AVX2 roll function of chacha20rng.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

//go:generate go run . -out ../../rolls_avx2_amd64.s -stubs ../../rolls_avx2_amd64.go -pkg chacha20rng

// layout is written into the function.
var layout = []string{
	"Four words x at a time. In halves of 32 bits, xn is put together from",
	"  t = xLow nHigh + (xLow nLow >> 32)          neither sum exceeds 64 bits",
	"  u = xHigh nLow + (t mod 2^32)",
	"  high = xHigh nHigh + (t >> 32) + (u >> 32)",
	"  low  = u << 32 | (xLow nLow mod 2^32)",
	"Comparison is signed in AVX2: low and limit are compared with their sign bits",
	"flipped. When all four words are accepted, the rule with a modulo zone and a small",
	"n, the products are stored as they are; otherwise the accepted ones are moved",
	"together by a permutation from a table of the 16 outcomes.",
	"  Y0, Y1  nLow, nHigh    Y2  limit, flipped    Y3  2^32-1    Y4  the sign bits",
}

func main() {
	ConstraintExpr("gc,!purego")
	accepted := acceptedTable()
	TEXT("rollsAVX2", NOSPLIT, "func(dst, src []uint64, n, limit uint64) (written, read int)")
	Pragma("noescape")
	Doc("rollsAVX2 does what rollsGeneric does for as long as there are four words in src",
		"and four places in dst. It may write to places that it does not count.")
	for _, line := range layout {
		Comment(line)
	}
	var (
		dst     = Load(Param("dst").Base(), RDI)
		places  = Load(Param("dst").Len(), R8)
		src     = Load(Param("src").Base(), RSI)
		words   = Load(Param("src").Len(), R9)
		written = R10
		read    = R11
		mask    = RAX
		table   = RDX

		nLow, nHigh, limit, low32, sign = Y0, Y1, Y2, Y3, Y4

		x, xHigh, ll, t, u, high, s = Y5, Y6, Y7, Y8, Y9, Y10, Y11
	)
	VPBROADCASTQ(param("n"), nLow)
	VPBROADCASTQ(param("limit"), limit)
	VPSRLQ(Imm(32), nLow, nHigh)
	VPCMPEQD(low32, low32, low32)
	VPSLLQ(Imm(63), low32, sign)
	VPSRLQ(Imm(32), low32, low32)
	VPXOR(sign, limit, limit)
	LEAQ(accepted, table)
	XORL(written.As32(), written.As32())
	XORL(read.As32(), read.As32())
	Comment("From here on the number of places or words at which four are left")
	SUBQ(Imm(4), places)
	JL(LabelRef("done"))
	SUBQ(Imm(4), words)
	JL(LabelRef("done"))

	Label("loop")
	VMOVDQU(Mem{Base: src, Index: read, Scale: 8}, x)
	VPSRLQ(Imm(32), x, xHigh)
	VPMULUDQ(nLow, x, ll)
	VPMULUDQ(nHigh, x, t)
	VPMULUDQ(nLow, xHigh, u)
	VPMULUDQ(nHigh, xHigh, high)
	VPSRLQ(Imm(32), ll, s)
	VPADDQ(s, t, t)
	VPAND(low32, t, s)
	VPADDQ(s, u, u)
	VPSRLQ(Imm(32), t, t)
	VPADDQ(t, high, high)
	VPSRLQ(Imm(32), u, s)
	VPADDQ(s, high, high)
	VPSLLQ(Imm(32), u, u)
	const lowerHalves = 0x55
	VPBLENDD(Imm(lowerHalves), ll, u, u)
	VPXOR(sign, u, u)
	VPCMPGTQ(limit, u, u)
	VMOVMSKPD(u, mask.As32())
	TESTL(mask.As32(), mask.As32())
	JNZ(LabelRef("some"))
	VMOVDQU(high, Mem{Base: dst, Index: written, Scale: 8})
	ADDQ(Imm(4), written)

	Label("next")
	ADDQ(Imm(4), read)
	CMPQ(written, places)
	JG(LabelRef("done"))
	CMPQ(read, words)
	JLE(LabelRef("loop"))
	Label("done")
	Store(written, Return("written"))
	Store(read, Return("read"))
	VZEROUPPER()
	RET()

	Label("some")
	XORL(Imm(0xf), mask.As32())
	POPCNTL(mask.As32(), ECX)
	SHLL(Imm(5), mask.As32())
	VMOVDQU(Mem{Base: table, Index: mask, Scale: 1}, s)
	VPERMD(high, s, high)
	VMOVDQU(high, Mem{Base: dst, Index: written, Scale: 8})
	ADDQ(RCX, written)
	JMP(LabelRef("next"))
	Generate()
}

// acceptedTable has for each of the 16 sets of lanes a permutation, of 8 halves,
// that moves the lanes of the set to the front.
func acceptedTable() Mem {
	m := GLOBL("accepted", RODATA|NOPTR)
	for set := range 16 {
		place := 0
		for lane := range 4 {
			if set>>lane&1 == 1 {
				DATA(32*set+8*place, U64(2*lane|(2*lane+1)<<32))
				place++
			}
		}
		for ; place < 4; place++ {
			DATA(32*set+8*place, U64(0))
		}
	}
	return m
}

func param(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}
