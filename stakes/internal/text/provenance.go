package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/schedgen/schedgen/stakes/list"
)

// MaxProvenance is the greatest length of a provenance's JSON in bytes.
const MaxProvenance = 1 << 20

// ErrProvenance: what says where a list comes from is wrong.
var ErrProvenance = errors.New("bad provenance")

var vintages = []list.Vintage{list.VintageUnknown, list.VintageExact, list.VintageApproximate}

// AppendProvenance appends the JSON of p, on one line, to b. Where p is blank, it
// takes the given kind, and a vintage that is unknown.
func AppendProvenance(b []byte, p list.Provenance, kind list.Kind) ([]byte, error) {
	if p.Kind == "" {
		p.Kind = kind
	}
	if p.Vintage == "" {
		p.Vintage = list.VintageUnknown
	}
	if err := check(&p); err != nil {
		return b, err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // shows addresses as they are
	if err := encoder.Encode(p); err != nil {
		return b, fmt.Errorf("%w: %w", ErrProvenance, err)
	}
	if text.Len() > MaxProvenance {
		return b, fmt.Errorf("%w: %d bytes of JSON, at most %d", ErrProvenance, text.Len(), MaxProvenance)
	}
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...), nil
}

// ParseProvenance reads the JSON of a provenance. Members that it does not know
// are left out; one that is there twice is an error.
func ParseProvenance(b []byte) (list.Provenance, error) {
	var p list.Provenance
	if err := unrepeated(b); err != nil {
		return p, fmt.Errorf("%w: %w", ErrProvenance, err)
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return p, fmt.Errorf("%w: %w", ErrProvenance, err)
	}
	return p, check(&p)
}

func check(p *list.Provenance) error {
	if p.Kind == "" {
		return fmt.Errorf("%w: no kind", ErrProvenance)
	}
	if !slices.Contains(vintages, p.Vintage) {
		return fmt.Errorf("%w: vintage %s, want unknown, exact or approximate", ErrProvenance, Quote(string(p.Vintage)))
	}
	return nil
}

// unrepeated refuses JSON in which an object has a name twice, in upper or lower
// case: which of the two counts would depend on the reader.
func unrepeated(b []byte) error {
	type level struct {
		names map[string]bool // nil in an array
		key   bool            // a name is due
	}
	var levels []level
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var top *level
		if n := len(levels); n > 0 {
			top = &levels[n-1]
		}
		switch {
		case token == json.Delim('}'), token == json.Delim(']'):
			levels = levels[:len(levels)-1]
			continue
		case top != nil && top.key:
			name := token.(string)
			folded := strings.ToLower(strings.ToUpper(name))
			if top.names[folded] {
				return fmt.Errorf("%s is there twice", Quote(name))
			}
			top.names[folded] = true
			top.key = false
			continue
		case top != nil && top.names != nil:
			top.key = true
		}
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{names: map[string]bool{}, key: true})
		case json.Delim('['):
			levels = append(levels, level{})
		}
	}
}
