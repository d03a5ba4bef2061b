package jsonrpc

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// What is well-formed is what encoding/json takes, if it is UTF-8 and not deep; and
// walking over it finds what is there.
func FuzzWellFormed(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-0.5e+7,true,false,null,"\u00e9\"\\\/\b\f\n\r\t"],"b":{}}`, ` [ ] `, `{ "a" : 1 , "b" : [ 2 , 3 ] }`, `01`, `1.`, `1e`, `-`, `.5`, `+1`,
		`"\x"`, `"\u12g4"`, "\"\x01\"", "\"\xff\"", `tru`, `nulll`, `{"a"}`, `{"a":}`, `{,}`, `[1,]`, `[,1]`, `{"a":1,}`, `[1 2]`, `{1:2}`, `"`, `"\`, `"\u1`, `[`, `{`, "\ufeff{}", `[[[[]]]]`,
		`"\ud800"`, "", " ", `1 2`, `-01`, `1E-5`, "\u2028",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		const depth = 100
		v, ok := wellFormed(text, depth)
		if want := json.Valid(text) && utf8.Valid(text); ok != want && !(want && bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > depth) {
			t.Fatalf("well-formed: %v, want %v", ok, want)
		}
		if !ok {
			return
		}
		switch {
		case v.is('['):
			var want []json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			w := v.over()
			for i := range want {
				_, got, ok := w.next()
				if !ok || string(got) != string(want[i]) {
					t.Fatalf("element %d: %s, want %s", i, got, want[i])
				}
			}
			if _, _, ok := w.next(); ok {
				t.Fatal("too many elements")
			}
		case v.is('{'):
			var want map[string]json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for w := v.over(); ; {
				name, element, ok := w.next()
				if !ok {
					break
				}
				got[value(name).text()] = string(element)
			}
			for name, element := range want {
				if got[name] != string(element) {
					t.Fatalf("member %s: %s, want %s", name, got[name], element)
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%d members, want %d", len(got), len(want))
			}
		case v.is('"'):
			var want string
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			if got := v.text(); got != want {
				t.Fatalf("%q, want %q", got, want)
			}
		}
	})
}

// checkReply checks that a body is a response of JSON-RPC 2.0, or several.
func checkReply(t *testing.T, body string) {
	t.Helper()
	if body == "" {
		return
	}
	if !strings.HasSuffix(body, "\n") || !utf8.ValidString(body) {
		t.Fatalf("body %q", body)
	}
	var all []map[string]json.RawMessage
	if body[0] == '[' {
		if err := json.Unmarshal([]byte(body), &all); err != nil || len(all) == 0 {
			t.Fatalf("%v: %s", err, body)
		}
	} else {
		all = make([]map[string]json.RawMessage, 1)
		if err := json.Unmarshal([]byte(body), &all[0]); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
	}
	for _, one := range all {
		result, failure, id := one["result"], one["error"], one["id"]
		if len(one) != 3 || string(one["jsonrpc"]) != `"2.0"` || (result == nil) == (failure == nil) || len(id) == 0 || strings.IndexByte(`{[tf`, id[0]) >= 0 {
			t.Fatalf("no response: %s", body)
		}
		if failure == nil {
			continue
		}
		var e struct {
			Code    *int
			Message *string
		}
		if err := json.Unmarshal(failure, &e); err != nil || e.Code == nil || e.Message == nil || *e.Code > -32000 || *e.Code < -32768 {
			t.Fatalf("no error: %s", failure)
		}
	}
}

// Whatever comes in, what goes out is JSON-RPC, or nothing.
func FuzzHandler(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		for i, x := range readTranscript(f, path) {
			f.Add([]byte(x.request), byte(i))
		}
	}
	h := New(Of(smallCluster(f)), feedAt(45, 44, 40), Options{CompressAbove: 200, MaxBatch: 5, MaxReply: 2000, MaxBody: 4096})
	f.Fuzz(func(t *testing.T, body []byte, how byte) {
		r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept-Encoding", []string{"", "gzip", "zstd", "gzip, zstd"}[how%4])
		if how&4 != 0 {
			r.ContentLength = -1
		}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		if rec.Code != 200 && rec.Code != 413 {
			t.Fatalf("status %d", rec.Code)
		}
		text := decoded(t, rec)
		checkReply(t, text)
		if text == "" && !bytes.Contains(body, []byte("{")) {
			t.Fatal("no answer to what holds no request")
		}
	})
}
