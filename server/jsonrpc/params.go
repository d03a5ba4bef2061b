package jsonrpc

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

// maxParams is how many parameters a method has at most.
const maxParams = 2

// list returns the first parameters of an array, and how many there are.
func (v value) list() (args [maxParams]value, n int) {
	if v.null() {
		return args, 0
	}
	for w := v.over(); ; n++ {
		_, element, ok := w.next()
		if !ok {
			return args, n
		}
		if n < maxParams {
			args[n] = element
		}
	}
}

// noParams checks the parameters of a method that has none.
func noParams(v value) *rpcError {
	if v.is('{') {
		return errNoParams
	}
	if _, n := v.list(); n > 0 {
		return errNoParams
	}
	return nil
}

// upTo returns the parameters of a method that has at most most of them, all of
// which may be left out.
func upTo(most int, v value) (args [maxParams]value, err *rpcError) {
	if v.is('{') {
		return args, errNoArray
	}
	args, n := v.list()
	if n > most {
		err := paramsError("Invalid parameters: Expected from 0 to %d parameters.", most)
		err.data = fmt.Sprintf(`"\"Got: %d\""`, n)
		return args, err
	}
	return args, nil
}

// twoNumbers returns the parameters of a method that has two numbers.
func twoNumbers(v value) (a, b uint64, err *rpcError) {
	if !v.is('[') {
		return 0, 0, serdeError("invalid type: %s, expected a tuple of size 2", unexpected(v))
	}
	args, n := v.list()
	for i, to := range []*uint64{&a, &b}[:min(n, 2)] {
		if *to, err = readU64(args[i]); err != nil {
			return 0, 0, err
		}
	}
	switch {
	case n < 2:
		return 0, 0, serdeError("invalid length %d, expected a tuple of size 2", n)
	case n > 2:
		return 0, 0, serdeError("invalid length %d, expected fewer elements in array", n)
	}
	return a, b, nil
}

// number returns a whole number below 2^64.
func (v value) number() (n uint64, ok bool) {
	for _, c := range v {
		if !isDigit(c) || n > (math.MaxUint64-uint64(c-'0'))/10 {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, len(v) > 0
}

func readU64(v value) (uint64, *rpcError) {
	n, ok := v.number()
	if ok {
		return n, nil
	}
	what := "type"
	if v.is('-') {
		if i, err := strconv.ParseInt(string(v), 10, 64); err == nil && i != 0 {
			what = "value"
		}
	}
	return 0, serdeError("invalid %s: %s, expected u64", what, unexpected(v))
}

// unexpected says what a value is, as serde does.
func unexpected(v value) string {
	if v.null() {
		return "null"
	}
	switch v[0] {
	case '{':
		return "map"
	case '[':
		return "sequence"
	case 't', 'f':
		return "boolean `" + string(v) + "`"
	case '"':
		return "string " + debug(v.text())
	}
	if _, ok := v.number(); ok {
		return "integer `" + string(v) + "`"
	}
	if i, err := strconv.ParseInt(string(v), 10, 64); err == nil && i != 0 {
		return "integer `" + string(v) + "`"
	}
	f, _ := strconv.ParseFloat(string(v), 64)
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return "floating point `" + text + "`"
}

// debug quotes text as Rust prints it for debugging.
func debug(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == 0:
			b.WriteString(`\0`)
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// A config is the object that many methods take. What is not there, or null, is nil.
type config struct {
	commitment     noderpc.Commitment
	identity       *string
	byVote         *bool
	votePubkey     *string
	keepUnstaked   *bool
	slotDistance   *uint64
	minContextSlot *uint64
}

// A shape is the Rust type of a configuration: its name, and its fields beside the
// commitment. Others are left out of account.
type shape struct {
	name  string
	field func(c *config, name string) any // a pointer to what it is, or nil
}

var (
	contextShape = shape{"RpcContextConfig", func(c *config, name string) any {
		if name == "minContextSlot" {
			return &c.minContextSlot
		}
		return nil
	}}
	scheduleShape = shape{"RpcLeaderScheduleConfig", func(c *config, name string) any {
		switch name {
		case "identity":
			return &c.identity
		case "keyByVoteAccount":
			return &c.byVote
		}
		return nil
	}}
	votesShape = shape{"RpcGetVoteAccountsConfig", func(c *config, name string) any {
		switch name {
		case "votePubkey":
			return &c.votePubkey
		case "keepUnstakedDelinquents":
			return &c.keepUnstaked
		case "delinquentSlotDistance":
			return &c.slotDistance
		}
		return nil
	}}
)

// readConfig reads a configuration. A commitment that nodes do not know counts as
// none.
func readConfig(v value, s shape) (c config, err *rpcError) {
	if v.null() {
		return c, nil
	}
	if !v.is('{') {
		return c, serdeError("invalid type: %s, expected struct %s", unexpected(v), s.name)
	}
	for w := v.over(); ; {
		name, element, ok := w.next()
		if !ok {
			return c, nil
		}
		text := name.text()
		if text == "commitment" {
			c.commitment = readCommitment(element)
			continue
		}
		switch field := s.field(&c, text).(type) {
		case **string:
			err = readField(field, element, "a string", element.is('"'), func() string { return element.text() })
		case **bool:
			err = readField(field, element, "a boolean", element.is('t') || element.is('f'), func() bool { return element.is('t') })
		case **uint64:
			if *field = nil; !element.null() {
				n, failed := readU64(element)
				*field, err = &n, failed
			}
		}
		if err != nil {
			return c, err
		}
	}
}

func readField[T any](field **T, v value, want string, fits bool, read func() T) *rpcError {
	*field = nil
	if v.null() {
		return nil
	}
	if !fits {
		return serdeError("invalid type: %s, expected %s", unexpected(v), want)
	}
	t := read()
	*field = &t
	return nil
}

func readCommitment(v value) noderpc.Commitment {
	if v.is('"') {
		switch c := noderpc.Commitment(v.text()); c {
		case noderpc.Processed, noderpc.Confirmed:
			return c
		}
	}
	return noderpc.Finalized
}

// readPubkey reads an address.
func readPubkey(text string) (schedule.Pubkey, *rpcError) {
	const longest = 44 // base58 digits of 32 bytes
	if len(text) > longest {
		return schedule.Pubkey{}, errPubkeySize
	}
	key, err := schedule.ParsePubkey(text)
	switch {
	case err == nil:
		return key, nil
	case errors.Is(err, schedule.ErrPubkeyDigit):
		return key, errPubkeyDigit
	}
	return key, errPubkeySize
}
