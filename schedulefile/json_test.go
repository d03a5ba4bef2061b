package schedulefile

import (
	"errors"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

func TestJSONForms(t *testing.T) {
	for name, in := range map[string]string{
		"pretty":        "{\n  \"epoch\": 3,\n  \"leaderScheduleEntries\": [\n    {\n      \"slot\": 10,\n      \"leader\": \"" + textA + "\"\n    },\n {\"slot\":11,\"leader\":\"" + textB + "\"}]}\n",
		"other order":   ` {"leaderScheduleEntries":[{"leader":"` + textB + `","slot":11},{"time":{"a":[1]},"slot":10,"leader":"` + textA + `"}],"more":[{}],"epoch":3}`,
		"escapes":       `{"\u0065poch":3,"leaderScheduleEntries":[{"slot":10,"leader":"\u0034` + textA[1:] + `"},{"slot":11,"leader":"` + textB + `"}]}`,
		"order mark":    "\ufeff" + `{"epoch":3,"leaderScheduleEntries":[{"slot":10,"leader":"` + textA + `"},{"slot":11,"leader":"` + textB + `"}]}`,
		"Firedancer's":  `{"topic":"epoch","key":"new","value":{"epoch":3,"start_time_nanos":"1","end_time_nanos":null,"start_slot":10,"end_slot":11,"excluded_stake_lamports":"0","staked_pubkeys":["` + textA + `"],"staked_lamports":["1"],"leader_slots":[0]}}`,
		"in any order":  `{"value":{"leader_slots":[1],"end_slot":11,"staked_pubkeys":["` + textB + `","` + textA + `"],"new":1,"start_slot":10,"epoch":3},"key":"new","id":1,"topic":"epoch"}`,
		"with excluded": `{"topic":"epoch","key":"new","value":{"epoch":3,"start_slot":10,"end_slot":15,"excluded_stake_lamports":5,"staked_pubkeys":["` + textA + `"],"leader_slots":[0,1]}}`,
	} {
		o, err := read([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		message := strings.Contains(in, "topic")
		switch {
		case name == "with excluded":
			checkLeaders(t, o, 10, textA, textA, textA, textA, "", "")
		case message:
			checkLeaders(t, o, 10, textA, textA)
		default:
			checkLeaders(t, o, 10, textA, textB)
		}
		if o.Epoch == nil || *o.Epoch != 3 || o.AtStart != message || o.AtEnd != message || o.Partial != (o.Slots > 2) {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// Nobody leads where the network's tool prints ?.
func TestJSONGaps(t *testing.T) {
	o := mustRead(t, []byte(`{"epoch":0,"leaderScheduleEntries":[{"slot":1,"leader":"`+textA+`"},{"slot":2,"leader":"?"},{"slot":3,"leader":null}]}`))
	checkLeaders(t, o, 1, textA, "", "")
}

func TestRPCForms(t *testing.T) {
	result := `{"` + textA + `":[0,3],"` + textB + `":[1]}`
	for name, in := range map[string]string{
		"result":         result,
		"answer":         `{"jsonrpc":"2.0","result":` + result + `,"id":1}` + "\n",
		"other order":    `{"id":"x","result":` + result + `,"jsonrpc":"2.0"}`,
		"error is null":  `{"error":null,"result":` + result + `,"id":1}`,
		"with a context": `{"jsonrpc":"2.0","context":{"slot":[1]},"result":` + result + `}`,
	} {
		o, err := read([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkLeaders(t, place(t, o, derive(t, testStakes(t, 1, schedule.KeyedByVote), schedule.Params{FirstSlot: 8, Slots: 4})), 8, textA, textB, "", textA)
		if o.Format != schedule.FormatRPC || o.FirstSlot != nil || !o.AtStart || o.AtEnd || !o.Partial {
			t.Errorf("%s: %+v", name, o)
		}
	}
	for _, in := range []string{"{}", `{"jsonrpc":"2.0","result":{},"id":1}`, `{"` + textA + `":[]}`} {
		if o := mustRead(t, []byte(in)); o.Slots != 0 || !o.Partial || o.Format != schedule.FormatRPC {
			t.Errorf("%s: %+v", in, o)
		}
	}
}

func TestRPCUnavailable(t *testing.T) {
	for _, in := range []string{"null", " null\n", `{"jsonrpc":"2.0","result":null,"id":1}`} {
		o, err := read([]byte(in))
		checkError(t, in, o, err, ErrUnavailable, "null")
	}
	in := `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param: WrongSize","data":{"a":1}},"id":1}`
	o, err := read([]byte(in))
	checkError(t, "error", o, err, ErrReply, "the answer is an error: Invalid param: WrongSize (code -32602)")
	var reply *ReplyError
	if !errors.As(err, &reply) || reply.Code != -32602 || reply.Message != "Invalid param: WrongSize" {
		t.Errorf("got %v", err)
	}
}

func TestJSONErrors(t *testing.T) {
	const head = `{"epoch":0,"leaderScheduleEntries":[`
	message := func(value string) string { return `{"topic":"epoch","key":"new","value":{` + value + `}}` }
	full := `"epoch":1,"start_slot":8,"end_slot":15,"staked_pubkeys":["` + textA + `"],`
	for _, c := range []struct {
		name, in string
		want     error
		says     string
	}{
		{"array", `["` + textA + `"]`, ErrFormat, "JSON of another kind"},
		{"string", `"` + textA + `"`, ErrFormat, "JSON of another kind"},
		{"nul", "nul", ErrFormat, ""},
		{"cut", head, ErrFormat, "ends early"},
		{"no entries", `{"epoch":1}`, ErrFormat, "no leaderScheduleEntries"},
		{"twice", head + `],"epoch":1}`, ErrFormat, `duplicate`},
		{"more", head + `]} {}`, ErrFormat, "more follows"},
		{"slot is text", head + `{"slot":"1","leader":"?"}]}`, ErrFormat, `file: at byte 47: /leaderScheduleEntries/0/slot: not a schedule: "\"1\"", want a whole number`},
		{"slot is a fraction", head + `{"slot":1.0,"leader":"?"}]}`, ErrSlot, `"1.0"`},
		{"slot is negative", head + `{"slot":-1,"leader":"?"}]}`, ErrSlot, `"-1"`},
		{"leader is a number", head + `{"slot":1,"leader":5}]}`, ErrFormat, "/leaderScheduleEntries/0/leader"},
		{"no leader", head + `{"slot":1}]}`, ErrFormat, "an entry without leader"},
		{"no slot", head + `{"leader":"?"}]}`, ErrFormat, "an entry without slot"},
		{"key", head + `{"slot":1,"leader":"` + textA + `"},{"slot":2,"leader":"abc"}]}`, schedule.ErrPubkeySize, "/leaderScheduleEntries/1/leader"},
		{"two leaders", head + `{"slot":1,"leader":"` + textA + `"},{"slot":1,"leader":"` + textB + `"}]}`, ErrConflict, "/leaderScheduleEntries/1"},
		{"entry is an array", head + `[]]}`, ErrFormat, "want an object"},
		{"far apart", head + `{"slot":1,"leader":"?"},{"slot":18446744073709551615,"leader":"?"}]}`, ErrSpan, "from 1 to 18446744073709551615"},
		{"answer without either", `{"jsonrpc":"2.0","id":1}`, ErrFormat, "neither result nor error"},
		{"answer of a list", `{"jsonrpc":"2.0","result":["` + textA + `"],"id":1}`, ErrFormat, "want an object"},
		{"name is no key", `{"leaders":[1]}`, ErrFormat, "/leaders"},
		{"indices are no array", `{"` + textA + `":1}`, ErrFormat, "want an array"},
		{"one index twice", `{"` + textA + `":[1],"` + textB + `":[1]}`, ErrConflict, "of slot index 1"},
		{"leader twice", `{"` + textA + `":[1],"` + textA + `":[2]}`, ErrFormat, "duplicate"},
		{"index", `{"` + textA + `":[18446744073709551615]}`, ErrSpan, "18446744073709551615"},
		{"index far away", `{"` + textA + `":[268435455]}`, ErrSpan, "268435456"},
		{"other message", `{"topic":"epoch","key":"skip_rate","value":{}}`, ErrFormat, `topic "epoch" and key "skip_rate"`},
		{"message without ranks", message(full + `"x":0`), ErrFormat, "no leader_slots"},
		{"message without epoch", message(`"start_slot":1`), ErrFormat, "no epoch"},
		{"too few ranks", message(full + `"leader_slots":[0]`), ErrFormat, "1 leader_slots, want 2"},
		{"rank", message(full + `"leader_slots":[0,1]`), ErrFormat, "rank 1 in leader_slots"},
		{"great rank", message(full + `"excluded_stake_lamports":"1","leader_slots":[0,18446744073709551615]`), ErrFormat, "rank 4294967295"},
		{"ends before it starts", message(`"epoch":1,"start_slot":8,"end_slot":7,"staked_pubkeys":[],"leader_slots":[]`), ErrSlot, "from 8 to 7"},
		{"bomb", message(`"epoch":1,"start_slot":0,"end_slot":18446744073709551615,"staked_pubkeys":[],"leader_slots":[]`), ErrSlot, "from 0 to 18446744073709551615"},
		{"line ends in a name", "{\"a\\nb\":1}", ErrFormat, ""},
	} {
		o, err := read([]byte(c.in))
		checkError(t, c.name, o, err, c.want, c.says)
	}
}

// The place of an error counts the space before the text.
func TestJSONOffset(t *testing.T) {
	for _, space := range []string{"", "\n\n  "} {
		_, err := read([]byte(space + `{"epoch":x}`))
		var located *Error
		if !errors.As(err, &located) || located.Offset != int64(len(space)+9) {
			t.Errorf("got %v", err)
		}
	}
}
