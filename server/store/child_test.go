package store

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// childVariable makes the test binary do one of the children's jobs in a store's
// directory instead of running tests: "job directory".
const childVariable = "SCHEDGEN_STORE_CHILD"

var children = map[string]func(dir string) error{
	"ingest": ingest,
	"hold":   hold,
	"open":   openAndRead,
}

func TestMain(m *testing.M) {
	job, dir, ok := strings.Cut(os.Getenv(childVariable), " ")
	if !ok {
		os.Exit(m.Run())
	}
	if err := children[job](dir); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child returns a process that does a job; its standard output is a pipe.
func child(t *testing.T, job, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	if emulated() {
		t.Skip("starts processes, which may hang under emulation")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childVariable+"="+job+" "+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// hold opens the store and waits to be killed.
func hold(dir string) error {
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	fmt.Println("held")
	time.Sleep(time.Hour)
	return s.Close()
}

// openAndRead opens the store and reads epoch 0.
func openAndRead(dir string) error {
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	_, _, err = s.Get(0)
	return err
}
