package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// childVariable makes the test binary the command instead of running tests.
const childVariable = "SCHEDGEN_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "1" {
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// A child is a command in a process of its own.
type child struct {
	*exec.Cmd
	t      *testing.T
	url    string // of a service, without the slash at the end
	mu     sync.Mutex
	stderr bytes.Buffer
	ended  chan struct{}
}

func (c *child) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stderr.Write(p)
}

func (c *child) log() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stderr.String()
}

// startService starts a service and waits until it says where it is.
func startService(t *testing.T, environment []string, args ...string) *child {
	t.Helper()
	if os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
		t.Skip("starts processes, which may hang under emulation")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{Cmd: exec.Command(self, append([]string{"serve"}, args...)...), t: t, ended: make(chan struct{})}
	c.Env = append(append(os.Environ(), childVariable+"=1"), environment...)
	c.Stderr = c
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	go func() {
		io.Copy(io.Discard, out)
		c.Wait()
		close(c.ended)
	}()
	if err != nil {
		<-c.ended
		t.Fatalf("the service says %q and ends with %v: %s", line, c.ProcessState, c.log())
	}
	c.url = strings.TrimSuffix(strings.TrimSpace(line), "/")
	return c
}

// kill ends it without notice.
func (c *child) kill() {
	c.Process.Kill()
	<-c.ended
}

func (c *child) get(path string) (status int, body string) {
	c.t.Helper()
	answer, err := http.Get(c.url + path)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// waitReady waits until answers can be relied on. The deadline is for what never is.
func (c *child) waitReady() {
	c.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		status, body := c.get("/readyz")
		if status == http.StatusOK {
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("never ready: %s\n%s", body, c.log())
		}
		time.Sleep(5 * time.Millisecond)
	}
}
