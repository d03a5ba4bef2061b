package main

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/schedgen/schedgen/server"
	"github.com/schedgen/schedgen/server/store"
)

// The example is one command, and ends when it is told to.
func TestServeExample(t *testing.T) {
	c := startService(t, nil, "--example", "--listen", "127.0.0.1:0", "--log-format", "json")
	c.waitReady()
	if status, body := c.get("/"); status != 200 || !strings.Contains(strings.ToLower(body), "<!doctype html>") {
		t.Errorf("got %d %.100s", status, body)
	}
	answer, err := http.Post(c.url, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"getSlotLeader"}`))
	if err != nil || answer.StatusCode != 200 {
		t.Errorf("got %v, %v", answer, err)
	} else {
		answer.Body.Close()
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Skipf("this system has no such signal: %v", err)
	}
	<-c.ended
	if code := c.ProcessState.ExitCode(); code != exitDone {
		t.Errorf("exit code %d", code)
	}
	for _, line := range []string{`"msg":"serving"`, `"msg":"ended"`} {
		if !strings.Contains(c.log(), line) {
			t.Errorf("%s is not in the log:\n%s", line, c.log())
		}
	}
}

// configOf returns what flags and environment make of a service.
func configOf(args ...string) (server.Config, error) {
	f := newServeFlags()
	cmd := &cobra.Command{Use: "serve"}
	f.add(cmd)
	cmd.SetErr(os.Stderr)
	if err := cmd.ParseFlags(args); err != nil {
		return server.Config{}, err
	}
	if err := environment(cmd); err != nil {
		return server.Config{}, err
	}
	return f.config(cmd)
}

func TestServeEnvironment(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("a-token-of-a-test\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"LISTEN": "127.0.0.1:1", "DATA": "from-environment", "STAKES": "5=a.csv, 6=b.csv", "MAX_BATCH": "7", "RATE": "2.5", "CORS": "true",
		"HEADER_TIMEOUT": "3s", "MAX_BODY": "2MiB", "TRUSTED_PROXY": "10.0.0.0/8,::1", "TRACK": keyNode + "," + keyShort,
		"STAKES_TOKEN_FILE": token, "ANCHOR": "100@2026-10-08T12:00:00Z", "SLOT_DURATION": "400ms", "CLUSTER": "testnet", "WATCH": "", "RPC": "",
	} {
		t.Setenv("SCHEDGEN_"+name, value)
	}
	c, err := configOf("--listen", "127.0.0.1:2", "--max-batch", "9", "--data", "from-flag", "--ws-listen", "off")
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:2" || c.Data != "from-flag" || c.Limits.MaxBatch != 9 || c.WebSocketListen != "" {
		t.Errorf("flags do not go before the environment: %+v", c)
	}
	if len(c.Stakes) != 2 || *c.Stakes[0].Epoch != 5 || c.Stakes[1].Name != "b.csv" || c.Limits.Rate != 2.5 || !c.CORS ||
		c.Limits.HeaderTimeout != 3*time.Second || c.Limits.MaxBody != 2<<20 || c.Cluster != "testnet" || c.Watch != "" || c.Token != "a-token-of-a-test" {
		t.Errorf("the environment is not taken: %+v", c)
	}
	if len(c.TrustedProxies) != 2 || c.TrustedProxies[1].String() != "::1/128" || len(c.Track) != 2 || c.Track[0].String() != keyNode {
		t.Errorf("got %v, %v", c.TrustedProxies, c.Track)
	}
	if c.Anchor == nil || c.Anchor.Slot != 100 || c.Anchor.PerSlot != 400*time.Millisecond {
		t.Errorf("got %+v", c.Anchor)
	}
}

// Every flag has a variable, and no two share one.
func TestServeVariables(t *testing.T) {
	f := newServeFlags()
	cmd := &cobra.Command{Use: "serve"}
	f.add(cmd)
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := variableOf(f.Name)
		if slices.Contains(names, name) || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
			t.Errorf("--%s: %s", f.Name, name)
		}
		names = append(names, name)
		if nearest(name, otherVariables) != "" {
			t.Errorf("%s looks like another variable", name)
		}
	})
	for _, name := range names {
		t.Setenv(name, "")
	}
	if _, err := configOf(); err != nil {
		t.Errorf("empty variables: %v", err)
	}
}

func TestServeEnvironmentRefused(t *testing.T) {
	for _, c := range []struct{ name, value, says string }{
		{"SCHEDGEN_LISTN", "x", "SCHEDGEN_LISTEN"},
		{"SCHEDGEN_MAXBATCH", "5", "SCHEDGEN_MAX_BATCH"},
		{"SCHEDGEN_BACKENDS", "generic", "SCHEDGEN_BACKEND"},
		{"SCHEDGEN_RATE", "s3cret", "SCHEDGEN_RATE"},
		{"SCHEDGEN_MAX_BATCH", "0x10", "whole number"},
		{"SCHEDGEN_TRACK", keyNode + ",s3cret", "SCHEDGEN_TRACK"},
		{"SCHEDGEN_EXAMPLE", "s3cret", "SCHEDGEN_EXAMPLE"},
		{"SCHEDGEN_MAX_BODY", "s3cret", "bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			_, err := configOf()
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "s3cret") && c.name != "SCHEDGEN_TRACK" {
				t.Errorf("got %v", err)
			}
		})
	}
	for name, value := range map[string]string{"SCHEDGEN_TEST_EMULATED": os.Getenv("SCHEDGEN_TEST_EMULATED"), "SCHEDGEN_SOMETHING_ELSE": "1", "SCHEDGEN_LISTN": "", "SCHEDGEN_REQUIRE_BACKENDS": "generic"} {
		t.Setenv(name, value)
	}
	if _, err := configOf("--example"); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestServeRefuses(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	held, err := store.Open(filepath.Join(dir, "held"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	free := []string{"--listen", "127.0.0.1:0", "--ws-listen", "off"}
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"argument":        {[]string{"x"}, []string{`"x"`}},
		"port":            {[]string{"--example", "--listen", taken.Addr().String()}, []string{taken.Addr().String(), "address already in use", "--listen"}},
		"second port":     {[]string{"--example", "--listen", "127.0.0.1:0", "--ws-listen", taken.Addr().String()}, []string{"--ws-listen"}},
		"address":         {[]string{"--example", "--listen", "8899"}, []string{"cannot listen on 8899", "ADDR:PORT"}},
		"data":            {append(free, "--data", filepath.Join(dir, "held")), []string{"in use by another process", "epochs.db"}},
		"no folder":       {append(free, "--watch", filepath.Join(dir, "none")), []string{"none", "folder"}},
		"example":         {append(free, "--example", "--data", dir), []string{"--example", "--data"}},
		"clocks":          {append(free, "--rpc", "http://127.0.0.1:1", "--anchor", "5@now"), []string{"--rpc and --anchor"}},
		"anchor":          {append(free, "--anchor", "5@now"), []string{"--slot-duration"}},
		"node":            {append(free, "--rpc", "ftp://user:s3cret@host"), []string{"node"}},
		"cluster":         {append(free, "--cluster", "mainnet"), []string{"--cluster", "mainnet-beta"}},
		"epochs":          {append(free, "--cluster", "testnet", "--epoch-schedule", "432"), []string{"--cluster and --epoch-schedule"}},
		"epoch schedule":  {append(free, "--epoch-schedule", "x"), []string{"--epoch-schedule"}},
		"keying":          {append(free, "--keyed-by", "x"), []string{"--keyed-by"}},
		"admission":       {append(free, "--admission", "x"), []string{"--admission"}},
		"stakes":          {append(free, "--stakes", filepath.Join(dir, "none.csv")), []string{"none.csv", "no such file"}},
		"stakes' epoch":   {append(free, "--stakes", "example", "--epoch-schedule", "432"), []string{"--stakes EPOCH=example"}},
		"epoch lengths":   {append(free, "--stakes", "5=example"), []string{"--cluster", "--epoch-schedule"}},
		"keys":            {append(free, "--stakes", "5=example", "--epoch-schedule", "432"), []string{"--keyed-by"}},
		"rate":            {append(free, "--rate", "-1"), []string{"--rate"}},
		"burst":           {append(free, "--burst", "5"), []string{"--burst", "--rate"}},
		"size":            {append(free, "--max-body", "10X"), []string{"--max-body", "64MiB"}},
		"count":           {append(free, "--max-batch", "-1"), []string{"--max-batch"}},
		"time":            {append(free, "--read-timeout", "0s"), []string{"--read-timeout"}},
		"max store":       {append(free, "--max-store", "1MiB"), []string{"--data"}},
		"TLS":             {append(free, "--tls-cert", "x"), []string{"--tls-key"}},
		"TLS files":       {append(free, "--tls-cert", filepath.Join(dir, "x"), "--tls-key", "y"), []string{"TLS", "no such file"}},
		"proxy":           {append(free, "--trusted-proxy", "everybody"), []string{"--trusted-proxy", "10.0.0.0/8"}},
		"track":           {append(free, "--track", "nobody"), []string{"--track"}},
		"level":           {append(free, "--log-level", "loud"), []string{"--log-level", "debug, info, warn or error"}},
		"format":          {append(free, "--log-format", "xml"), []string{"--log-format", "text or json"}},
		"token":           {append(free, "--stakes-token-file", filepath.Join(dir, "none")), []string{"--stakes-token-file", "no such file"}},
		"open token":      {append(free, "--stakes-token-file", file("open", "a-token-for-everybody", 0o644)), []string{"mode 0644", "chmod 600"}},
		"changed token":   {append(free, "--stakes-token-file", file("group", "a-token-for-a-group", 0o660)), []string{"mode 0660"}},
		"short token":     {append(free, "--stakes-token-file", file("short", "s3cret", 0o600)), []string{"6 characters", "at least 16"}},
		"token of lines":  {append(free, "--stakes-token-file", file("lines", "s3cret-s3cret-s3cret\ns3cret", 0o600)), []string{"one line"}},
		"endless token":   {append(free, "--stakes-token-file", file("endless", strings.Repeat("s3cret", 1000), 0o600)), []string{"4096 bytes"}},
		"folder of token": {append(free, "--stakes-token-file", dir), []string{"want a file"}},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := runCommand(t, "", append([]string{"serve"}, c.args...)...)
			last := stderr[strings.LastIndex(strings.TrimSuffix(stderr, "\n"), "\n")+1:]
			if code != exitError || !strings.HasPrefix(last, "schedgen: ") {
				t.Errorf("exit code %d, %q", code, stderr)
			}
			if strings.Contains(stdout+stderr, "s3cret") {
				t.Errorf("the secret is told: %q", stderr)
			}
			for _, part := range c.says {
				if !strings.Contains(last, part) {
					t.Errorf("%q does not mention %q", last, part)
				}
			}
		})
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "4096": 4096, "50KiB": 50 << 10, "64MiB": 64 << 20, "2GiB": 2 << 30} {
		var b byteSize
		if err := b.Set(text); err != nil || b.bytes != want || b.String() != text {
			t.Errorf("%s: got %d, %v", text, b.bytes, err)
		}
	}
	for _, text := range []string{"", "0", "KiB", "-1", "1.5MiB", "1KB", "0x10", "1 KiB", "99999999999GiB", "18446744073709551616"} {
		var b byteSize
		if err := b.Set(text); err == nil {
			t.Errorf("%q: got %d", text, b.bytes)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"LISTEN", "LISTEN", 0}, {"LISTN", "LISTEN", 1}, {"", "ABC", 3}, {"RATE", "DATA", 2}, {"ABC", "CBA", 2}} {
		if got := editDistance(c.a, c.b); got != c.want || editDistance(c.b, c.a) != got {
			t.Errorf("%s, %s: got %d", c.a, c.b, got)
		}
	}
}
