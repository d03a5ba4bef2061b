package jsonrpc

import (
	"fmt"
	"strconv"
)

// Codes of JSON-RPC 2.0 and of nodes.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeMethod         = -32601
	codeParams         = -32602
	codeInternal       = -32603
	codeUnhealthy      = -32005
	codeMinContextSlot = -32016
)

// An rpcError is the error object of an answer. Its texts are those of nodes, by
// which clients tell errors apart.
type rpcError struct {
	code    int
	message string
	data    string // JSON; "" for none
}

var (
	errParse          = &rpcError{code: codeParse, message: "Parse error"}
	errInvalidRequest = &rpcError{code: codeInvalidRequest, message: "Invalid request"}
	errVersion        = &rpcError{code: codeInvalidRequest, message: "Unsupported JSON-RPC protocol version"}
	errMethod         = &rpcError{code: codeMethod, message: "Method not found"}
	errInternal       = &rpcError{code: codeInternal, message: "Internal error"}
	errBodySize       = &rpcError{code: codeInvalidRequest, message: "request body size exceeds allowed maximum"}
	errNoGenesisHash  = &rpcError{code: codeInternal, message: "Genesis hash is not known"}
	errUnhealthy      = &rpcError{code: codeUnhealthy, message: "Node is unhealthy", data: `{"numSlotsBehind":null}`}
	errNoParams       = &rpcError{code: codeParams, message: "Invalid parameters: No parameters were expected"}
	errNoArray        = &rpcError{code: codeParams, message: "`params` should be an array"}
	errPubkeySize     = &rpcError{code: codeParams, message: "Invalid param: WrongSize"}
	errPubkeyDigit    = &rpcError{code: codeParams, message: "Invalid param: Invalid"}
	errSubscription   = &rpcError{code: codeParams, message: "Invalid subscription id."}
	errSubscriptions  = &rpcError{code: codeInternal, message: "Internal Error: Subscription refused. Node subscription limit reached"}
)

func paramsError(format string, args ...any) *rpcError {
	return &rpcError{code: codeParams, message: fmt.Sprintf(format, args...)}
}

// serdeError is a message of the library that nodes read parameters with.
func serdeError(format string, args ...any) *rpcError {
	return paramsError("Invalid params: "+format+".", args...)
}

func behindError(slots uint64) *rpcError {
	return &rpcError{
		code:    codeUnhealthy,
		message: fmt.Sprintf("Node is behind by %d slots", slots),
		data:    fmt.Sprintf(`{"numSlotsBehind":%d}`, slots),
	}
}

func minContextError(slot uint64) *rpcError {
	return &rpcError{
		code:    codeMinContextSlot,
		message: "Minimum context slot has not been reached",
		data:    fmt.Sprintf(`{"contextSlot":%d}`, slot),
	}
}

func unavailableError(epoch uint64) *rpcError {
	return paramsError("Invalid slot range: leader schedule for epoch %d is unavailable", epoch)
}

// append appends the error object.
func (e *rpcError) append(b []byte) []byte {
	b = append(b, `{"code":`...)
	b = strconv.AppendInt(b, int64(e.code), 10)
	b = append(b, `,"message":`...)
	b = appendString(b, e.message)
	if e.data != "" {
		b = append(b, `,"data":`...)
		b = append(b, e.data...)
	}
	return append(b, '}')
}

// appendString appends text as a JSON string, as serde_json writes it.
func appendString(b []byte, text string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(text) {
		switch c := text[i]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\f':
			b = append(b, `\f`...)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		default:
			if c < ' ' {
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			} else {
				b = append(b, c)
			}
		}
	}
	return append(b, '"')
}
