package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// A decimal is a flag with a whole number from min to max in decimal digits. The
// number types of package pflag take hexadecimal and octal numbers too, and a
// 0x10 or 010 is more often a mistake than meant.
type decimal struct {
	value    uint64
	min, max uint64
}

func (d *decimal) Set(s string) error {
	value, err := parseDecimal(s)
	if err != nil || value < d.min || value > d.max {
		return fmt.Errorf("want a whole number from %d to %d in decimal digits", d.min, d.max)
	}
	d.value = value
	return nil
}

func (d *decimal) String() string { return strconv.FormatUint(d.value, 10) }
func (d *decimal) Type() string   { return "N" }

// parseDecimal reads plain decimal digits: no sign, no underscore, no prefix.
func parseDecimal(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) }

// An epochInterval is a flag with a first and a last epoch, A..B, or with one.
type epochInterval struct {
	first, last uint64
	text        string // as it was given
}

func (e *epochInterval) Set(s string) error {
	first, last, both := strings.Cut(s, "..")
	if !both {
		last = first
	}
	a, errA := parseDecimal(first)
	b, errB := parseDecimal(last)
	switch {
	case errA != nil || errB != nil:
		return fmt.Errorf("want A..B or one epoch, whole numbers up to %d in decimal digits", uint64(math.MaxUint64))
	case b < a:
		return fmt.Errorf("epoch %d comes before %d, want the first epoch first", b, a)
	}
	e.first, e.last, e.text = a, b, s
	return nil
}

func (e *epochInterval) String() string { return e.text }
func (e *epochInterval) Type() string   { return "A..B" }

// count returns the number of epochs, 2^64-1 also where there are 2^64.
func (e *epochInterval) count() uint64 {
	if n := e.last - e.first; n < math.MaxUint64 {
		return n + 1
	}
	return math.MaxUint64
}

// A pubkeys is a flag that may be repeated, each time with a public key.
type pubkeys []schedule.Pubkey

func (p *pubkeys) Set(s string) error {
	key, err := schedule.ParsePubkey(s)
	if err != nil {
		return err
	}
	*p = append(*p, key)
	return nil
}

func (p *pubkeys) String() string {
	texts := make([]string, len(*p))
	for i, key := range *p {
		texts[i] = key.String()
	}
	return strings.Join(texts, ",")
}

func (p *pubkeys) Type() string { return "KEY" }

// parseEpochSchedule reads the value of --epoch-schedule: a number of slots, or
// slots=N with offset=N and warmup, separated by commas. The offset is by
// default an epoch.
func parseEpochSchedule(spec string) (schedule.EpochSchedule, error) {
	slots, offset, warmup := uint64(0), uint64(0), false
	seen := map[string]bool{}
	for part := range strings.SplitSeq(spec, ",") {
		name, value, hasValue := strings.Cut(strings.TrimSpace(part), "=")
		if _, err := parseDecimal(name); err == nil && !hasValue {
			name, value, hasValue = "slots", name, true
		}
		if seen[name] {
			return schedule.EpochSchedule{}, fmt.Errorf("%s is given twice", name)
		}
		seen[name] = true
		var err error
		switch {
		case name == "slots" && hasValue:
			slots, err = parseDecimal(value)
		case name == "offset" && hasValue:
			offset, err = parseDecimal(value)
		case name == "warmup" && hasValue:
			warmup, err = strconv.ParseBool(value)
		case name == "warmup":
			warmup = true
		default:
			return schedule.EpochSchedule{}, fmt.Errorf("cannot read %q, want SLOTS or slots=N,offset=N,warmup", part)
		}
		if err != nil {
			return schedule.EpochSchedule{}, fmt.Errorf("cannot read %q, want %s", part, wantOf(name))
		}
	}
	if !seen["slots"] {
		return schedule.EpochSchedule{}, fmt.Errorf("no number of slots in %q, want SLOTS or slots=N,offset=N,warmup", spec)
	}
	if !seen["offset"] {
		offset = slots
	}
	return schedule.NewEpochSchedule(slots, offset, warmup)
}

func wantOf(name string) string {
	if name == "warmup" {
		return "warmup, warmup=true or warmup=false"
	}
	return name + "=N with a whole number in decimal digits"
}
