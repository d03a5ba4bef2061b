package main

import (
	"errors"
	"math"
	"net/netip"
	"strconv"
	"strings"
)

// A byteSize is a flag with a number of bytes, such as 4096, 50KiB or 1GiB.
type byteSize struct {
	bytes int64
	text  string // as it was given
}

var sizeUnits = []struct {
	name  string
	shift uint
}{{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"", 0}}

func (b *byteSize) Set(s string) error {
	for _, unit := range sizeUnits {
		digits, ok := strings.CutSuffix(s, unit.name)
		if !ok {
			continue
		}
		n, err := parseDecimal(digits)
		if err != nil || n == 0 || n > math.MaxInt64>>unit.shift {
			break
		}
		b.bytes, b.text = int64(n<<unit.shift), s
		return nil
	}
	return errors.New("want a number of bytes, such as 4096, 50KiB, 64MiB or 1GiB")
}

// String returns what was given; "" is the zero value, for which there is a default.
func (b *byteSize) String() string {
	if b.text == "" && b.bytes != 0 {
		return strconv.FormatInt(b.bytes, 10)
	}
	return b.text
}

func (b *byteSize) Type() string { return "SIZE" }

// A texts is a flag that may be repeated, each time with a text.
type texts []string

func (t *texts) Set(s string) error {
	if s == "" {
		return errors.New("is empty")
	}
	*t = append(*t, s)
	return nil
}

func (t *texts) String() string { return strings.Join(*t, ",") }
func (t *texts) Type() string   { return "SOURCE" }

// A prefixes is a flag that may be repeated, each time with an address or a range of
// them.
type prefixes []netip.Prefix

func (p *prefixes) Set(s string) error {
	if a, err := netip.ParseAddr(s); err == nil {
		*p = append(*p, netip.PrefixFrom(a, a.BitLen()))
		return nil
	}
	parsed, err := netip.ParsePrefix(s)
	if err != nil {
		return errors.New("want an address or a range of addresses, such as 127.0.0.1 or 10.0.0.0/8")
	}
	*p = append(*p, parsed.Masked())
	return nil
}

func (p *prefixes) String() string {
	all := make([]string, len(*p))
	for i, prefix := range *p {
		all[i] = prefix.String()
	}
	return strings.Join(all, ",")
}

func (p *prefixes) Type() string { return "RANGE" }
