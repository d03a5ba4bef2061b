package clienttest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
)

// folder returns where the scripts are, with what they need.
func folder(t *testing.T) string {
	t.Helper()
	if emulated() {
		t.Skip("processes are not started under emulation")
	}
	dir := os.Getenv("SCHEDGEN_CLIENTS")
	if dir == "" {
		t.Skip("needs Node.js and packages of npm: scripts/clients.sh installs them and runs this (SCHEDGEN_CLIENTS is not set)")
	}
	return dir
}

// node runs a script on a request and decodes what it prints.
func node(t *testing.T, script string, request, reply any) {
	t.Helper()
	in, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var out, told bytes.Buffer
	command := exec.CommandContext(ctx, "node", "--no-warnings", filepath.Join(folder(t), script))
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(in), &out, &told
	if err := command.Run(); err != nil {
		t.Fatalf("node %s: %v\n%s", script, err, short(told.Bytes()))
	}
	if told.Len() > 0 {
		t.Errorf("node %s: %s", script, short(told.Bytes()))
	}
	if err := json.Unmarshal(out.Bytes(), reply); err != nil {
		t.Fatalf("node %s: %v", script, err)
	}
}

// clients are the scripts, and the commitment of what they are not told.
var clients = map[string]struct {
	script    string
	byDefault noderpc.Commitment
	floats    bool
	without   []string // methods of everyMethod that it has none for
}{
	"web3.js": {"web3.mjs", noderpc.Finalized, true, []string{"getHealth"}},
	"kit":     {"kit.mjs", noderpc.Confirmed, false, nil},
}

func TestNode(t *testing.T) {
	folder(t)
	for name, c := range clients {
		t.Run(name, func(t *testing.T) {
			for name, cluster := range clusters(t) {
				t.Run(name, func(t *testing.T) {
					all := asks(t, cluster, c.byDefault)
					request := struct {
						service
						Asks []ask `json:"asks"`
					}{serve(t, cluster, 0), all}
					var answers []answer
					node(t, c.script, request, &answers)
					check(t, all, answers, c.floats)
					checkOwn(t, all, answers, c.without...)
				})
			}
		})
	}
}
