package schedulefile

import (
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

func TestCSVForms(t *testing.T) {
	for name, in := range map[string]string{
		"as printed":      "slot,slot_index,leader,vote_account\n10,2," + textA + "," + textVote + "\n11,3," + textB + ",\n",
		"slots only":      "slot,leader\n10," + textA + "\n11," + textB + "\n",
		"other order":     "leader,slot\n" + textA + ",10\n" + textB + ",11\n",
		"other columns":   "epoch,time,leader,slot,rotation,name\n0,,\"" + textA + "\",10,2,\"a, b\"\n0,2026-10-08T00:00:00.000Z," + textB + ",11,2,\n",
		"other names":     "Slot Index,Node-Pubkey,absolute_slot\n2," + textA + ",10\n3," + textB + ",11\n",
		"the own name":    "identity,slot,leader\nsomebody,10," + textA + "\n,11," + textB + "\n",
		"data frame":      ",slot,leader\n0,10," + textA + "\n1,11," + textB + "\n",
		"space, comments": "# by hand\r\n slot , leader \r\n\r\n 10 , " + textA + " \r\n#\r\n11," + textB + "\r\n",
		"all columns":     "slot,slot_index,rotation,leader,vote_account,time\n10,2,0," + textA + ",,\n11,3,0," + textB + ",,\n",
	} {
		o, err := read([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		leaders, first := []string{textA, textB}, schedule.Slot(10)
		if o.AtStart {
			leaders, first = append([]string{"", ""}, leaders...), 8
		}
		checkLeaders(t, o, first, leaders...)
		if o.Format != schedule.FormatCSV || o.Partial != o.AtStart || o.AtEnd {
			t.Errorf("%s: %+v", name, o)
		}
		vote, ok := o.Vote(2)
		if known := strings.Contains(in, textVote); known != ok || known && vote != key(t, textVote) {
			t.Errorf("%s: vote account %v, %v", name, vote, ok)
		}
	}
}

// A table without absolute slots does not say where they are.
func TestCSVIndexOnly(t *testing.T) {
	o := mustRead(t, []byte("slot_index,leader\n1,"+textA+"\n"))
	if o.FirstSlot != nil || !o.AtStart || o.Slots != 2 || o.Known() != 1 {
		t.Errorf("%+v", o)
	}
	if _, ok := o.LeaderAt(1); ok {
		t.Error("the leader of an absolute slot is known")
	}
}

func TestCSVErrors(t *testing.T) {
	const head = "slot,slot_index,leader,vote_account\n"
	row := "10,2," + textA + "," + textVote + "\n"
	for _, c := range []struct {
		name, in string
		want     error
		says     string
	}{
		{"stake list", "pubkey,stake\n" + textA + ",1\n", ErrHeader, "file:1: bad columns: none is the leader"},
		{"no slot", "leader,vote_account\n", ErrHeader, "none is the slot"},
		{"no header", "10," + textA + "\n", ErrHeader, "none is the leader"},
		{"twice", "slot,leader,Leader\n", ErrHeader, `"leader" and "Leader" are the same column`},
		{"two names", "slot,identity,node_pubkey\n", ErrHeader, "same column"},
		{"fields", head + "10,2," + textA + "\n", ErrLine, "file:2: bad line: 3 fields, want 4"},
		{"slot", head + "1e1,2," + textA + ",\n", ErrSlot, `file:2: slot: bad slot: "1e1"`},
		{"no slot in a row", head + ",2," + textA + ",\n", ErrSlot, `slot: bad slot: ""`},
		{"index", head + "10,-2," + textA + ",\n", ErrSlot, `slot_index: bad slot: "-2"`},
		{"index over slot", head + "1,2," + textA + ",\n", ErrSlot, "slot 1 has the index 2"},
		{"another epoch", head + row + "11,2," + textA + ",\n", ErrSlot, "begins at slot 9; that of the first row at 8"},
		{"leader", head + "10,2,O,\n", schedule.ErrPubkeyDigit, "file:2: leader: "},
		{"vote account", head + "10,2," + textA + ",abc\n", schedule.ErrPubkeySize, "file:2: vote_account: "},
		{"two leaders", head + row + "10,2," + textB + "," + textVote + "\n", ErrConflict, "file:3: "},
		{"two vote accounts", head + row + "10,2," + textA + "," + textB + "\n", ErrConflict, "the vote accounts"},
		{"quote", head + "10,2,\"" + textA + ",\n", ErrLine, "file:2: "},
		{"header cut", "slot,leader", ErrCutShort, "file:1: "},
		{"row cut", head + row + "11,3," + textA + "," + textVote[:40], schedule.ErrPubkeySize, "file:3: "},
		{"vote account cut", head + row + "11,3," + textA + ",", ErrCutShort, "file:3: "},
		{"one row", head + row[:len(row)-1], ErrCutShort, "file:2: "},
		{"span", head + "100000000,99999999," + textA + ",\n", ErrSpan, "file:2: "},
	} {
		o, err := read([]byte(c.in))
		checkError(t, c.name, o, err, c.want, c.says)
	}
}
