package noderpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/hashicorp/go-retryablehttp"
)

// A caller is the JSONRPCClient that solana-go's client stands on. Beside its
// own, it checks the reply's id, tells a null result from none, takes replies
// with fields that it does not know, bounds their size, and keeps the address out
// of errors.
type caller struct {
	url, address string // address may be shown
	base         *url.URL
	header       http.Header
	timeout      time.Duration
	maxReply     int64
	http         *retryablehttp.Client
	ids          atomic.Uint64
}

// errNull is a result that is null.
var errNull = fmt.Errorf("%w: the result is null", ErrReply)

// CallForInto calls a method and decodes its result, which must not be null.
func (c *caller) CallForInto(ctx context.Context, out any, method string, params []any) error {
	result, err := c.call(ctx, method, params)
	if err != nil {
		return err
	}
	if bytes.Equal(result, []byte("null")) {
		return c.fail(method, errNull)
	}
	if err := json.Unmarshal(result, out); err != nil {
		return c.fail(method, jsonError(err))
	}
	return nil
}

// fail says what call a reply is wrong for.
func (c *caller) fail(method string, err error) error {
	return &CallError{Address: c.address, Method: method, Err: err}
}

// CallWithCallback and CallBatch are in the interface and not used.
func (c *caller) CallWithCallback(context.Context, string, []any, func(*http.Request, *http.Response) error) error {
	return errors.ErrUnsupported
}

func (c *caller) CallBatch(context.Context, jsonrpc.RPCRequests) (jsonrpc.RPCResponses, error) {
	return nil, errors.ErrUnsupported
}

// call sends a request until it is answered, and returns the result.
func (c *caller) call(ctx context.Context, method string, params []any) (json.RawMessage, error) {
	id := c.ids.Add(1)
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(&jsonrpc.RPCRequest{JSONRPC: "2.0", ID: id, Method: method, Params: params})
	if err != nil {
		return nil, c.fail(method, err)
	}
	request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, c.url, body)
	if err != nil {
		return nil, c.fail(method, ErrAddress)
	}
	for name, values := range c.header {
		request.Header[name] = slices.Clone(values)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	var result json.RawMessage
	request.SetResponseHandler(func(response *http.Response) error {
		defer response.Body.Close()
		result, err = c.receive(response, method, id)
		return err
	})
	if _, err := c.http.Do(request); err != nil {
		return nil, c.callError(ctx, method, err)
	}
	return result, nil
}

// callError makes one error of those of the layers below.
func (c *caller) callError(ctx context.Context, method string, err error) error {
	e := &CallError{Address: c.address, Method: method, Err: err}
	var tried *attemptsError
	if errors.As(err, &tried) {
		e.Attempts, e.Err = tried.attempts, tried.err
	}
	// Its text has the address in full.
	if sent, ok := e.Err.(*url.Error); ok {
		e.Err = sent.Err
	}
	var network net.Error
	switch {
	case ctx.Err() != nil:
		e.Err = context.Cause(ctx)
	case errors.As(e.Err, &network) && network.Timeout():
		e.Err = fmt.Errorf("%w, %v", ErrTimeout, c.timeout)
	case e.Err == io.EOF || e.Err == io.ErrUnexpectedEOF:
		e.Err = fmt.Errorf("the connection closed within the reply: %w", io.ErrUnexpectedEOF)
	}
	return e
}

// A reply is the envelope of JSON-RPC 2.0.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// receive reads a response and takes the result out of it.
func (c *caller) receive(response *http.Response, method string, id uint64) (json.RawMessage, error) {
	if response.StatusCode != http.StatusOK {
		return nil, c.httpError(response, method)
	}
	body, err := readAll(response.Body, c.maxReply)
	if err != nil {
		return nil, err
	}
	var r reply
	if err := json.Unmarshal(body, &r); err != nil {
		if begin := bytes.TrimLeft(body, " \t\r\n"); len(begin) > 0 && begin[0] == '<' {
			return nil, replyError("a page instead of JSON, want the address of a JSON-RPC server")
		}
		return nil, jsonError(err)
	}
	want := strconv.FormatUint(id, 10)
	if got := string(r.ID); got != want && (r.Error == nil || got != "" && got != "null") {
		return nil, replyError("it has id %s, want %s", printable(got), want)
	}
	if r.Error != nil {
		return nil, &RPCError{Method: method, Code: r.Error.Code, Message: r.Error.Message}
	}
	if r.Result == nil {
		return nil, replyError("neither result nor error")
	}
	return r.Result, nil
}

// readAll reads to the end, and not beyond a limit.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return nil, err
	}
	if int64(len(body)) == limit {
		if n, err := io.ReadFull(r, make([]byte, 1)); n > 0 {
			return nil, fmt.Errorf("%w, want at most %d bytes", ErrTooLarge, limit)
		} else if err != io.EOF {
			return nil, err
		}
	}
	return body, nil
}

// httpError is what a response of another status than 200 says.
func (c *caller) httpError(response *http.Response, method string) error {
	const most = 64 << 10
	e := &HTTPError{Method: method, Status: response.StatusCode, RetryAfter: -1}
	if wait, ok := retryAfter(response.Header, time.Now()); ok {
		e.RetryAfter = wait
	}
	if to, err := c.base.Parse(response.Header.Get("Location")); err == nil && response.StatusCode/100 == 3 {
		e.Location = redact(to)
	}
	body, _ := io.ReadAll(io.LimitReader(response.Body, most))
	var r reply
	if json.Unmarshal(body, &r) == nil && r.Error != nil {
		e.Message = r.Error.Message
	}
	return e
}
