package noderpc

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Errors of calls are wrapped in a [*CallError]; test for them with errors.Is,
// for [*RPCError] and [*HTTPError] with errors.As.
var (
	// ErrAddress: not the address of an RPC server.
	ErrAddress = errors.New("bad RPC address")
	// ErrReply: a reply that is no JSON-RPC, or not of what was asked, or lacks
	// something, or contradicts itself.
	ErrReply = errors.New("bad reply")
	// ErrTooLarge: a reply beyond Options.MaxReply.
	ErrTooLarge = errors.New("reply is too large")
	// ErrTimeout: no whole reply within Options.Timeout.
	ErrTimeout = errors.New("no reply in time")
	// ErrUnavailable: the node does not know what was asked: the leader schedule
	// of an epoch that is too old or too far ahead, or the time of a block.
	ErrUnavailable = errors.New("not available")
)

// A CallError says which call of which node failed.
type CallError struct {
	Address  string // without credentials
	Method   string // of JSON-RPC
	Attempts int    // requests that failed; 0 when one was answered, with a wrong result
	Err      error
}

func (e *CallError) Error() string {
	text := fmt.Sprintf("%s: %s: %v", e.Address, e.Method, e.Err)
	if e.Attempts > 1 {
		text += fmt.Sprintf(" (after %d attempts)", e.Attempts)
	}
	return text
}

func (e *CallError) Unwrap() error { return e.Err }

// An RPCError is the error object of a reply.
type RPCError struct {
	Method  string
	Code    int // -32602 for bad parameters, -32005 for a node that is behind
	Message string
}

func (e *RPCError) Error() string {
	return fmt.Sprintf("the node answers error %d: %s", e.Code, printable(e.Message))
}

// codeBehind is the code of a node that is behind the cluster or just starts.
const codeBehind = -32005

// An HTTPError is a reply with another status than 200.
type HTTPError struct {
	Method     string // of JSON-RPC
	Status     int
	Message    string        // of the reply, where it is a JSON-RPC error
	Location   string        // where a redirect leads, without credentials
	RetryAfter time.Duration // that the server asks to wait; negative when it does not ask
}

func (e *HTTPError) Error() string {
	text := fmt.Sprintf("status %d %s", e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		text += " " + printable(e.Message)
	}
	switch {
	case e.Location != "":
		text += fmt.Sprintf(", a redirect to %s, want the address where it ends", e.Location)
	case e.Status == http.StatusTooManyRequests:
		text += ", want fewer requests or another node"
		if e.RetryAfter > 0 {
			text += fmt.Sprintf(": the node asks to wait %v", e.RetryAfter)
		}
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		text += ", want an address with the right credentials"
	case e.Status == http.StatusNotFound, e.Status == http.StatusMethodNotAllowed:
		text += ", want the address of a JSON-RPC server"
	}
	return text
}

// printable shows text of a server in an error: on one line, and not at any
// length.
func printable(text string) string {
	const most = 200
	cut := ""
	if len(text) > most {
		text, cut = text[:most], "..."
	}
	quoted := strconv.Quote(text)
	if quoted == `"`+text+`"` && cut == "" {
		return text
	}
	return quoted + cut
}

func replyError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrReply, fmt.Sprintf(format, args...))
}
