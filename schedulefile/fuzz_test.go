package schedulefile

import (
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// FuzzRead: any bytes are a schedule, whose parts fit together, or an error of one
// line that has the name.
func FuzzRead(f *testing.F) {
	for _, in := range samples(f) {
		f.Add(in)
	}
	for _, in := range []string{
		"", "\n", "null", "# c\n10 ?\n", "slot,leader\n1," + textA + "\n", `{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}`,
		"\ufeff{}", "\xff\xfe", "SGRANKS\n", "1 " + textB + "\n1048576 ?\n", strings.Repeat("0", 64), `{"topic":"epoch"}`,
	} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		o, err := read(in)
		if err != nil {
			if msg := err.Error(); o != nil || !isTyped(err) || !strings.HasPrefix(msg, "file") || strings.ContainsAny(msg, "\r\n") {
				t.Fatalf("%+v, %q is no line with the name", o, msg)
			}
			return
		}
		if o.DigestOnly() {
			return
		}
		most := spanOfListed * max(freeSpan, 64*uint64(len(in))) // a Parquet file may have 64 rows a byte
		if uint64(len(o.Leaders)) != o.Slots || o.Votes != nil && uint64(len(o.Votes)) != o.Slots || o.Slots > most {
			t.Fatalf("%d slots, %d leaders, %d vote accounts of %d bytes", o.Slots, len(o.Leaders), len(o.Votes), len(in))
		}
		seen := map[schedule.Pubkey]bool{}
		for _, key := range o.Keys {
			if seen[key] {
				t.Fatalf("%v is there twice", key)
			}
			seen[key] = true
		}
		for i := range min(o.Slots, 1000) {
			o.Leader(schedule.Index(i))
			o.Vote(schedule.Index(i))
		}
		if o.FirstSlot != nil && uint64(*o.FirstSlot)+o.Slots-1 < uint64(*o.FirstSlot) && o.Slots > 0 {
			t.Fatalf("%d slots from %d", o.Slots, *o.FirstSlot)
		}
	})
}
