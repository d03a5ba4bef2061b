package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// interruptGrace is how long a second signal is taken for the first: some programs
// that pass signals on, such as timeout, send each one twice.
const interruptGrace = time.Second

// interrupted returns an error when ctx was cancelled.
func interrupted(ctx context.Context) error {
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return nil
}

// An interruptibleWriter writes no more once ctx is cancelled.
type interruptibleWriter struct {
	ctx context.Context
	w   io.Writer
}

func (i interruptibleWriter) Write(p []byte) (int, error) {
	if err := interrupted(i.ctx); err != nil {
		return 0, err
	}
	return i.w.Write(p)
}

// interruptible returns a context that Ctrl-C, or a request to terminate, cancels.
// A later signal ends the process at once, so that a write that hangs does not
// keep it. stop gives signals their usual effect back.
func interruptible(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	ctx, stop = signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { time.AfterFunc(interruptGrace, stop) })
	return ctx, stop
}
