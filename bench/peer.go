package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// peer is the Rust program, which answers one request a line. The nil peer
// stands for a program that is not there.
type peer struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Scanner
	list  string // file of the stake list that it last loaded
	files []string
}

// startPeer starts the program; it inherits the core that this one is pinned to.
func startPeer(path string) (*peer, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	cmd := exec.Command(path)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &peer{cmd: cmd, in: in, out: bufio.NewScanner(out)}, nil
}

func (p *peer) close() {
	if p == nil {
		return
	}
	p.in.Close()
	p.cmd.Wait()
	for _, file := range p.files {
		os.Remove(file)
	}
}

// ask sends a request and returns the answer.
func (p *peer) ask(request string) (string, error) {
	if _, err := fmt.Fprintln(p.in, request); err != nil {
		return "", err
	}
	if !p.out.Scan() {
		return "", fmt.Errorf("the Rust peer ended at %q: %v", request, p.out.Err())
	}
	answer := p.out.Text()
	if problem, ok := strings.CutPrefix(answer, "error: "); ok {
		return "", fmt.Errorf("the Rust peer says to %q: %s", request, problem)
	}
	return answer, nil
}

// time asks for work and returns the time that the peer took for it.
func (p *peer) time(request string) (time.Duration, error) {
	answer, err := p.ask(request)
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseInt(answer, 10, 64)
	return time.Duration(ns), err
}

// load makes in the stake list that the peer works on.
func (p *peer) load(in *input) error {
	if in.file == "" {
		file, err := os.CreateTemp("", "schedgen-bench-*.bin")
		if err != nil {
			return err
		}
		in.file = file.Name()
		p.files = append(p.files, in.file)
		var records []byte
		for _, e := range in.entries {
			records = append(records, e.Key[:]...)
			records = binary.LittleEndian.AppendUint64(records, e.Stake)
		}
		if _, err := file.Write(records); err != nil {
			file.Close()
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	if p.list == in.file {
		return nil
	}
	p.list = in.file
	_, err := p.ask("load " + in.file)
	return err
}

// work returns a measurement of the peer at a request on a stake list.
func (p *peer) work(name, request string, in *input) *measurement {
	return &measurement{name: name, once: func() (time.Duration, error) {
		if in != nil {
			if err := p.load(in); err != nil {
				return 0, err
			}
		}
		return p.time(request)
	}}
}
