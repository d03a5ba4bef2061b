package splice

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Decoders that are not ours read the whole text and find nothing behind it.
func TestOtherDecoders(t *testing.T) {
	if os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
		t.Skip("starts processes, which may hang under emulation")
	}
	for _, c := range []struct {
		name string
		enc  Encoding
		args []string
	}{
		{"python3 gzip", Gzip, []string{"python3", "-c", `
import gzip, sys
sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))`}},
		{"python3 zlib", Gzip, []string{"python3", "-c", `
import sys, zlib
d = zlib.decompressobj(31)
text = d.decompress(sys.stdin.buffer.read()) + d.flush()
assert d.eof and not d.unused_data, "more than one member"
sys.stdout.buffer.write(text)`}},
		{"node zlib", Gzip, []string{"node", "-e", `
const zlib = require("zlib"), fs = require("fs");
fs.writeSync(1, zlib.gunzipSync(fs.readFileSync(0)));`}},
		{"node fetch", Gzip, []string{"node", "-e", `
const chunks = new Blob([require("fs").readFileSync(0)]).stream().pipeThrough(new DecompressionStream("gzip"));
new Response(chunks).arrayBuffer().then(b => require("fs").writeSync(1, new Uint8Array(b)));`}},
		{"gzip", Gzip, []string{"gzip", "-dc"}},
		{"zstd", Zstd, []string{"zstd", "-dc", "--memory=8MB"}},
		{"node zstd", Zstd, []string{"node", "-e", `
const zlib = require("zlib"), fs = require("fs");
if (!zlib.zstdDecompressSync) process.exit(77);
fs.writeSync(1, zlib.zstdDecompressSync(fs.readFileSync(0)));`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath(c.args[0]); err != nil {
				t.Skipf("no %s here", c.args[0])
			}
			numbers := samples()[8][:60_000] // what a pipe takes in one write
			joined, err := Join(c.enc, Literal(`{"result":`), mustMake(t, c.enc, Options{Near: true}, numbers), Literal(`,"id":"7"}`))
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(c.args[0], c.args[1:]...)
			cmd.Stdin = bytes.NewReader(joined.Bytes())
			var complaints strings.Builder
			cmd.Stderr = &complaints
			out, err := cmd.Output()
			if cmd.ProcessState.ExitCode() == 77 {
				t.Skip("this node has no zstd")
			}
			if err != nil {
				t.Fatalf("%v: %s", err, complaints.String())
			}
			if string(out) != `{"result":`+numbers+`,"id":"7"}` {
				t.Errorf("got %d bytes", len(out))
			}
		})
	}
}
