package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/schedgen/schedgen/server"
)

// A child is one of the servers, in a process of its own.
type child struct {
	address string // host:port
	stdin   io.Closer
	cmd     *exec.Cmd
}

// startChild starts a server and gives it its answers.
func startChild(role string, answers []answer) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "-role", role)
	cmd.Stderr = os.Stderr
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
	c := &child{stdin: in, cmd: cmd}
	if err := json.NewEncoder(in).Encode(answers); err != nil {
		c.stop()
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		c.stop()
		return nil, fmt.Errorf("%s does not say where it is: %w", role, err)
	}
	c.address = strings.TrimSpace(line)
	return c, nil
}

// cpu returns how long it has run on all cores together.
func (c *child) cpu() time.Duration { return cpuTime(c.cmd.Process.Pid) }

// stop lets it end: it does when its standard input does.
func (c *child) stop() {
	c.stdin.Close()
	c.cmd.Wait()
}

// serve is a child.
func serve(role string) error {
	in := json.NewDecoder(os.Stdin)
	var answers []answer
	if err := in.Decode(&answers); err != nil {
		return err
	}
	ctx, end := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		end()
	}()
	switch role {
	case "service":
		return serveSchedules(ctx)
	case "plain":
		return servePlain(ctx, answers)
	}
	return fmt.Errorf("no role %q", role)
}

func serveSchedules(ctx context.Context) error {
	s, err := server.New(server.Config{
		Example: true, Listen: "127.0.0.1:0",
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	fmt.Println(s.Addresses()[0])
	return s.Run(ctx)
}

// An answer is what the plain server writes at a path.
type answer struct {
	Path   string
	Header http.Header
	Body   []byte
}

// servePlain writes bytes that it has, as simply as net/http can.
func servePlain(ctx context.Context, answers []answer) error {
	mux := http.NewServeMux()
	for _, a := range answers {
		mux.HandleFunc(a.Path, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			for name, values := range a.Header {
				w.Header()[name] = values
			}
			w.Write(a.Body)
		})
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	plain := &http.Server{Handler: mux}
	context.AfterFunc(ctx, func() { plain.Close() })
	if err := plain.Serve(l); err != http.ErrServerClosed {
		return err
	}
	return nil
}
