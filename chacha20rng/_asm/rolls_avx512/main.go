// Command rolls_avx512 writes the AVX-512 roll function of chacha20rng.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

//go:generate go run . -out ../../rolls_avx512_amd64.s -stubs ../../rolls_avx512_amd64.go -pkg chacha20rng

// layout is written into the function.
var layout = []string{
	"Eight words x at a time. In halves of 32 bits, xn is put together from",
	"  t = xLow nHigh + (xLow nLow >> 32)          neither sum exceeds 64 bits",
	"  u = xHigh nLow + (t mod 2^32)",
	"  high = xHigh nHigh + (t >> 32) + (u >> 32)",
	"  low  = u << 32 | (xLow nLow mod 2^32)",
	"Where u mod 2^32 < limit >> 32 in all eight, low < limit in all: the products are",
	"stored as they are. This is the rule with a modulo zone and a small n. Otherwise",
	"low is made and compared, and the accepted products are moved together.",
	"  Z0, Z1  nLow, nHigh    Z2  limit        Z3  2^32-1",
	"  Z4      limit >> 32    K1  the lower half of each 64-bit lane",
}

func main() {
	ConstraintExpr("gc,!purego")
	TEXT("rollsAVX512", NOSPLIT, "func(dst, src []uint64, n, limit uint64) (written, read int)")
	Pragma("noescape")
	Doc("rollsAVX512 does what rollsGeneric does for as long as there are eight words in",
		"src and eight places in dst. It may write to places that it does not count.")
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

		nLow, nHigh, limit, mask, limitHigh = Z0, Z1, Z2, Z3, Z4

		x, xHigh, ll, t, u, high, s = Z5, Z6, Z7, Z8, Z9, Z10, Z11
	)
	VPBROADCASTQ(param("n"), nLow)
	VPBROADCASTQ(param("limit"), limit)
	VPSRLQ(Imm(32), nLow, nHigh)
	VPSRLQ(Imm(32), limit, limitHigh)
	VPTERNLOGD(Imm(0xff), mask, mask, mask)
	VPSRLQ(Imm(32), mask, mask)
	VPTESTMD(mask, mask, K1)
	XORL(written.As32(), written.As32())
	XORL(read.As32(), read.As32())
	Comment("From here on the number of places or words at which eight are left")
	SUBQ(Imm(8), places)
	JL(LabelRef("done"))
	SUBQ(Imm(8), words)
	JL(LabelRef("done"))

	Label("loop")
	VMOVDQU64(Mem{Base: src, Index: read, Scale: 8}, x)
	VPSRLQ(Imm(32), x, xHigh)
	VPMULUDQ(nLow, x, ll)
	VPMULUDQ(nHigh, x, t)
	VPMULUDQ(nLow, xHigh, u)
	VPMULUDQ(nHigh, xHigh, high)
	VPSRLQ(Imm(32), ll, s)
	VPADDQ(s, t, t)
	VPANDQ(mask, t, s)
	VPADDQ(s, u, u)
	VPSRLQ(Imm(32), t, t)
	VPADDQ(t, high, high)
	VPSRLQ(Imm(32), u, s)
	VPADDQ(s, high, high)
	const lessEqual, notLess = 2, 5
	VPCMPUD(Imm(notLess), limitHigh, u, K1, K2)
	KORTESTW(K2, K2)
	JNZ(LabelRef("some"))
	VMOVDQU64(high, Mem{Base: dst, Index: written, Scale: 8})
	ADDQ(Imm(8), written)

	Label("next")
	ADDQ(Imm(8), read)
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
	VPSLLQ(Imm(32), u, u)
	const aOrBAndC = 0xf8
	VPTERNLOGQ(Imm(aOrBAndC), mask, ll, u)
	VPCMPUQ(Imm(lessEqual), limit, u, K2)
	VPCOMPRESSQ(high, K2, high)
	VMOVDQU64(high, Mem{Base: dst, Index: written, Scale: 8})
	KMOVB(K2, EAX)
	POPCNTL(EAX, EAX)
	ADDQ(RAX, written)
	JMP(LabelRef("next"))
	Generate()
}

func param(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}
