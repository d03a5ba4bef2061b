package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
)

// A token has at least leastToken characters, so that it is not guessed, and its
// file at most mostToken bytes.
const (
	leastToken = 16
	mostToken  = 4096
)

// readToken reads the token of a file: one line, without white space. The file must
// not be for everybody to read or change. No error repeats the token.
func readToken(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", bareFile(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", bareFile(name, err)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s: want a file, not a folder or device", name)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o027 != 0:
		return "", fmt.Errorf("%s: mode %04o lets others read or change the token: chmod 600 it", name, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, mostToken+1))
	if err != nil {
		return "", bareFile(name, err)
	}
	token := strings.TrimSpace(string(text))
	switch {
	case len(text) > mostToken:
		return "", fmt.Errorf("%s: it has more than %d bytes", name, mostToken)
	case len(token) < leastToken:
		return "", fmt.Errorf("%s: a token of %d characters can be guessed, want at least %d", name, len(token), leastToken)
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", fmt.Errorf("%s: want one line of printable ASCII characters without white space", name)
	}
	return token, nil
}

// bareFile names a file once.
func bareFile(name string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
