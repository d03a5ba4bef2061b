package snapshot

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// version is that of snapshots since 2020.
const version = "1.2.0"

// readVersion reads the file that says a snapshot's version.
func (s *source) readVersion(r io.Reader, member string) error {
	const most = 64
	text, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil {
		return &Error{Name: s.name, Member: member, Err: err}
	}
	s.version = strings.TrimSpace(string(text))
	if err := checkVersion(s.version); err != nil {
		return &Error{Name: s.name, Member: member, Err: err}
	}
	return nil
}

// checkVersion takes versions that have the same first number.
func checkVersion(text string) error {
	parts := strings.Split(text, ".")
	for _, p := range parts {
		if _, err := strconv.ParseUint(p, 10, 16); err != nil || len(parts) != 3 {
			return fmt.Errorf("%w: %.70q, want %s", ErrVersion, text, version)
		}
	}
	if parts[0] != "1" {
		return fmt.Errorf("%w: %s, want %s or another 1.x", ErrVersion, text, version)
	}
	return nil
}
