package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// errStdoutClosed says that whoever read standard output went away.
var errStdoutClosed = errors.New("standard output is closed")

// A stdoutWriter says in errors what could not be written, and turns those of a
// closed pipe into errStdoutClosed. Where standard output is the process's own, a
// Unix system ends the process before that.
type stdoutWriter struct{ w io.Writer }

func (s stdoutWriter) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	var pathErr *fs.PathError
	switch {
	case err == nil:
		return n, nil
	case isClosedPipe(err):
		return n, errStdoutClosed
	case errors.As(err, &pathErr):
		err = pathErr.Err
	}
	return n, fmt.Errorf("cannot write standard output: %w", err)
}

func isClosedPipe(err error) bool {
	if errors.Is(err, io.ErrClosedPipe) {
		return true
	}
	for _, code := range closedPipeCodes {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}
