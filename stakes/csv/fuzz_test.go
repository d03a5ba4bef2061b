package csv

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// FuzzRead: any text is read or refused with one line that has its name, and
// what is read can be written and read back.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"",
		"pubkey,stake\n",
		keyA + ",1\n" + keyB + ",18446744073709551615\n",
		"\ufeffvote_pubkey,node_pubkey,stake\r\n" + keyA + "," + keyB + ",5\r\n",
		"# c\n\n stake , \"identity\"\n 7 , " + keyA + "\n",
		keyA + ",-1\n",
		keyA + ",1e9\n",
		"\"" + keyA + "\n\",1\n",
		"11111111111111111111111111111111,1",
		"a\"b,\"\"\n",
		`# schedgen: {"kind":"rpc","source":"x","epoch":9,"vintage":"approximate","notes":["n"]}` + "\npubkey,stake,balance,bls\n" + keyA + ",1,2,true\n",
		"\xff\xfe\x00",
		strings.Repeat(",", 5000),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		l, err := ReadList(bytes.NewReader(in), "fuzz")
		if err != nil {
			var located *Error
			if !errors.As(err, &located) || l != nil {
				t.Fatalf("%v is no *Error, list %v", err, l)
			}
			if msg := err.Error(); !strings.HasPrefix(msg, "fuzz") || strings.ContainsAny(msg, "\r\n") {
				t.Fatalf("%q is no line with the name", msg)
			}
			return
		}
		if len(l.Entries) == 0 {
			t.Fatal("no entries and no error")
		}
		if len(l.Provenance.Notes) == 0 {
			l.Provenance.Notes = nil
		}
		var out bytes.Buffer
		if err := WriteList(&out, l); err != nil {
			t.Fatal(err)
		}
		again, err := ReadList(&out, "again")
		if err != nil || !reflect.DeepEqual(again, l) {
			t.Fatalf("wrote %+v, read back %+v, %v", l, again, err)
		}
	})
}

// BenchmarkRead reads a list as long as the largest cluster's.
func BenchmarkRead(b *testing.B) {
	var list bytes.Buffer
	list.WriteString("vote_pubkey,node_pubkey,stake\n")
	for range 5_000 {
		list.WriteString(keyA + "," + keyB + ",123456789012345\n")
	}
	b.SetBytes(int64(list.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Read(bytes.NewReader(list.Bytes()), "bench"); err != nil {
			b.Fatal(err)
		}
	}
}
