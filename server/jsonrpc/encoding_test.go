package jsonrpc

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// decoded returns the body of an answer, and checks what the headers say of it.
func decoded(t testing.TB, rec *httptest.ResponseRecorder) string {
	t.Helper()
	body := rec.Body.Bytes()
	if length := rec.Result().Header.Get("Content-Length"); length != "" && length != strconv.Itoa(len(body)) {
		t.Errorf("Content-Length %s of %d bytes", length, len(body))
	}
	switch coding := rec.Result().Header.Get("Content-Encoding"); coding {
	case "":
		return string(body)
	case "gzip":
		in := bytes.NewReader(body)
		r, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		r.Multistream(false) // some clients stop after the first member
		text, err := io.ReadAll(r)
		if err != nil || in.Len() > 0 {
			t.Fatalf("%v, %d bytes left", err, in.Len())
		}
		return string(text)
	case "zstd":
		if n := bytes.Count(body, []byte("\x28\xb5\x2f\xfd")); n != 1 {
			t.Errorf("%d zstd frames", n)
		}
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		text, err := r.DecodeAll(body, nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	default:
		t.Fatalf("coding %s", coding)
		return ""
	}
}
