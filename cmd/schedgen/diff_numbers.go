package main

import (
	"fmt"
	"math/big"
	"strings"
)

// percentChange writes a change as a part of what was, rounded to hundredths.
func percentChange(change, was *big.Int) string {
	switch {
	case was.Sign() == 0 && change.Sign() == 0:
		return "0.00 %"
	case was.Sign() == 0:
		return "new"
	}
	sign := "+"
	switch change.Sign() {
	case -1:
		sign = "-"
	case 0:
		sign = ""
	}
	if new(big.Int).Neg(change).Cmp(was) == 0 {
		return "gone"
	}
	hundredths := new(big.Int).Mul(new(big.Int).Abs(change), big.NewInt(20_000))
	hundredths.Div(hundredths.Add(hundredths, was), new(big.Int).Lsh(was, 1))
	whole, rest := new(big.Int).DivMod(hundredths, big.NewInt(100), new(big.Int))
	return fmt.Sprintf("%s%s.%02d %%", sign, groupedInt(whole), rest)
}

// groupedInt is grouped for a number of any size.
func groupedInt(n *big.Int) string {
	digits := new(big.Int).Abs(n).String()
	var b strings.Builder
	if n.Sign() < 0 {
		b.WriteByte('-')
	}
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// signedInt is groupedInt with a sign also where it is plus.
func signedInt(n *big.Int) string {
	if n.Sign() > 0 {
		return "+" + groupedInt(n)
	}
	return groupedInt(n)
}
