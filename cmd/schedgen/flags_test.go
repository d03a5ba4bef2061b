package main

import (
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

func TestParseEpochSchedule(t *testing.T) {
	for _, c := range []struct {
		spec          string
		slots, offset uint64
		warmup        bool
	}{
		{"8192", 8192, 8192, false},
		{"slots=8192", 8192, 8192, false},
		{"8192,warmup", 8192, 8192, true},
		{"slots=8192,offset=100,warmup", 8192, 100, true},
		{"warmup=true, offset=0, slots=32", 32, 0, true},
		{"slots=432000,warmup=false", 432_000, 432_000, false},
		{"18446744073709551615", 18446744073709551615, 18446744073709551615, false},
	} {
		got, err := parseEpochSchedule(c.spec)
		want, wantErr := schedule.NewEpochSchedule(c.slots, c.offset, c.warmup)
		if err != nil || wantErr != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v, %v", c.spec, got, err, want, wantErr)
		}
	}
}

func TestParseEpochScheduleErrors(t *testing.T) {
	for spec, says := range map[string]string{
		"":                                 "SLOTS",
		"many":                             `"many"`,
		"slots":                            `"slots"`,
		"slots=":                           `"slots="`,
		"slots=-1":                         `"slots=-1"`,
		"slots=1e3":                        `"slots=1e3"`,
		"slots=0x20":                       `"slots=0x20"`,
		"slots=64,slots=64":                "slots is given twice",
		"64,slots=64":                      "slots is given twice",
		"warmup":                           "no number of slots",
		"slots=64,warmup=perhaps":          `"warmup=perhaps"`,
		"slots=64,offset":                  `"offset"`,
		"slots=64,":                        `""`,
		"slots=64,epochs=3":                `"epochs=3"`,
		"31":                               "at least 32",
		"18446744073709551616":             `"18446744073709551616"`,
		"slots=9223372036854775809,warmup": "at most",
	} {
		if got, err := parseEpochSchedule(spec); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %+v, %v, want an error with %q", spec, got, err, says)
		}
	}
}

// FuzzParseEpochSchedule: any text is an epoch schedule that its own rules allow, or
// refused.
func FuzzParseEpochSchedule(f *testing.F) {
	for _, seed := range []string{"8192", "slots=8192,offset=100,warmup", "warmup=false, slots=32", "slots=,", "slots=18446744073709551615,warmup", "\x00="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		got, err := parseEpochSchedule(spec)
		if err != nil {
			if got != (schedule.EpochSchedule{}) {
				t.Fatalf("%q: %v beside %v", spec, got, err)
			}
			return
		}
		want, err := schedule.NewEpochSchedule(got.SlotsPerEpoch, got.LeaderScheduleSlotOffset, got.Warmup)
		if err != nil || want != got {
			t.Fatalf("%q: got %+v, %v, want %+v", spec, got, err, want)
		}
	})
}
