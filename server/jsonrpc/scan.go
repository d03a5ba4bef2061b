package jsonrpc

import (
	"encoding/json"
	"unicode/utf8"
)

// A value is the text of one JSON value without space around it. It was seen to be
// well-formed by wellFormed, on which the methods rely.
type value []byte

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// wellFormed returns the value that a text consists of, if it is one: UTF-8, JSON by
// RFC 8259, and nested at most depth deep.
func wellFormed(text []byte, depth int) (value, bool) {
	if !utf8.Valid(text) {
		return nil, false
	}
	begin := space(text, 0)
	end := skip(text, begin, depth)
	if end < 0 || space(text, end) != len(text) {
		return nil, false
	}
	return value(text[begin:end]), true
}

// space returns the index after space.
func space(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// skip returns the index after the value that begins at i, or -1 when there is none.
func skip(b []byte, i, depth int) int {
	if i >= len(b) {
		return -1
	}
	switch c := b[i]; c {
	case '"':
		return skipString(b, i)
	case '{', '[':
		if depth <= 0 {
			return -1
		}
		return skipList(b, i, depth-1)
	case 't':
		return skipWord(b, i, "true")
	case 'f':
		return skipWord(b, i, "false")
	case 'n':
		return skipWord(b, i, "null")
	default:
		return skipNumber(b, i)
	}
}

func skipWord(b []byte, i int, word string) int {
	if end := i + len(word); end <= len(b) && string(b[i:end]) == word {
		return end
	}
	return -1
}

// skipList skips an array or object.
func skipList(b []byte, i, depth int) int {
	object, closing := b[i] == '{', b[i]+2 // ASCII has ] and } two after [ and {
	i = space(b, i+1)
	if i < len(b) && b[i] == closing {
		return i + 1
	}
	for {
		if object {
			if i >= len(b) || b[i] != '"' {
				return -1
			}
			if i = skipString(b, i); i < 0 {
				return -1
			}
			if i = space(b, i); i >= len(b) || b[i] != ':' {
				return -1
			}
			i = space(b, i+1)
		}
		if i = skip(b, i, depth); i < 0 {
			return -1
		}
		if i = space(b, i); i >= len(b) {
			return -1
		}
		switch b[i] {
		case closing:
			return i + 1
		case ',':
			i = space(b, i+1)
		default:
			return -1
		}
	}
}

func skipString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c < ' ':
			return -1
		case c == '\\':
			if i = skipEscape(b, i+1); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// skipEscape returns the index of the last byte of an escape whose \ is before i.
func skipEscape(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i
	case 'u':
		for end := i + 4; i < end; {
			if i++; i >= len(b) || !isHex(b[i]) {
				return -1
			}
		}
		return i
	}
	return -1
}

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func skipNumber(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	begin := i
	if i = digits(b, i); i == begin || i > begin+1 && b[begin] == '0' {
		return -1
	}
	if i < len(b) && b[i] == '.' {
		begin = i + 1
		if i = digits(b, begin); i == begin {
			return -1
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		begin = i
		if i = digits(b, begin); i == begin {
			return -1
		}
	}
	return i
}

func digits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

// null reports whether v is null or is not there.
func (v value) null() bool { return len(v) == 0 || v[0] == 'n' }

func (v value) is(first byte) bool { return len(v) > 0 && v[0] == first }

// text returns what a string stands for.
func (v value) text() string {
	for _, c := range v {
		if c == '\\' {
			var s string
			json.Unmarshal(v, &s) // cannot fail
			return s
		}
	}
	return string(v[1 : len(v)-1])
}

// A walk goes through the elements of an array or the members of an object.
type walk struct {
	v value
	i int
}

// over begins a walk.
func (v value) over() walk { return walk{v, 1} }

// next returns the next element, with its name in an object; false after the last.
func (w *walk) next() (name, element value, ok bool) {
	i := space(w.v, w.i)
	if w.v[i] == ',' {
		i = space(w.v, i+1)
	}
	if i == len(w.v)-1 {
		return nil, nil, false
	}
	const depth = 1 << 30 // wellFormed has seen to it
	if w.v[0] == '{' {
		end := skipString(w.v, i)
		name = w.v[i:end]
		i = space(w.v, space(w.v, end)+1)
	}
	w.i = skip(w.v, i, depth)
	return name, w.v[i:w.i], true
}
