package noderpc

import (
	"net"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/hashicorp/go-retryablehttp"
)

// Options say how a client asks. A zero value of a field is its default.
type Options struct {
	// Timeout is how long one request may take, its reply included: 30 s. A
	// context limits a call with all of its attempts.
	Timeout time.Duration
	// Retries is how often a request that failed is sent again: 4 times, or not at
	// all when negative.
	Retries int
	// RetryWait is the wait before the first of them, 500 ms; each further one is
	// twice as long, all are shortened by up to a half at random.
	RetryWait time.Duration
	// MaxRetryWait limits the waits, 10 s. A node that asks for a longer one is not
	// asked again.
	MaxRetryWait time.Duration
	// MaxReply limits the bytes of a reply: 256 MiB.
	MaxReply int64
	// Header is sent with every request, such as an Authorization.
	Header http.Header
	// Transport carries the requests: one that honours HTTP_PROXY and the like.
	Transport http.RoundTripper
}

const (
	defaultTimeout      = 30 * time.Second
	defaultRetries      = 4
	defaultRetryWait    = 500 * time.Millisecond
	defaultMaxRetryWait = 10 * time.Second
	defaultMaxReply     = 256 << 20
)

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	switch {
	case o.Retries == 0:
		o.Retries = defaultRetries
	case o.Retries < 0:
		o.Retries = 0
	}
	if o.RetryWait <= 0 {
		o.RetryWait = defaultRetryWait
	}
	if o.MaxRetryWait <= 0 {
		o.MaxRetryWait = defaultMaxRetryWait
	}
	if o.MaxReply <= 0 {
		o.MaxReply = defaultMaxReply
	}
	if o.Transport == nil {
		o.Transport = &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout:   10 * time.Second,
			IdleConnTimeout:       90 * time.Second,
			ExpectContinueTimeout: time.Second,
			ForceAttemptHTTP2:     true,
		}
	}
	return o
}

// A Client asks one node, or whatever answers at an address. Its methods may be
// called from many goroutines.
type Client struct {
	rpc  *rpc.Client
	call *caller
}

// Dial returns a client of the RPC server at an address, http or https. It sends
// nothing yet. The error is an [ErrAddress].
func Dial(address string, o Options) (*Client, error) {
	u, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	o = o.withDefaults()
	call := &caller{
		url: u.String(), address: redact(u), base: u,
		header: o.Header.Clone(), timeout: o.Timeout, maxReply: o.MaxReply,
	}
	call.http = &retryablehttp.Client{
		HTTPClient: &http.Client{
			Transport: o.Transport,
			Timeout:   o.Timeout,
			// A redirect may lead to another host, and turns a POST into a GET.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		RetryMax:     o.Retries,
		RetryWaitMin: o.RetryWait,
		RetryWaitMax: o.MaxRetryWait,
		CheckRetry:   retryPolicy(o.MaxRetryWait),
		Backoff:      backoff,
		ErrorHandler: countAttempts,
	}
	return &Client{rpc: rpc.NewWithCustomRPCClient(call), call: call}, nil
}

// Address returns the address without credentials and what may be keys.
func (c *Client) Address() string { return c.call.address }

// Close closes the connections that are kept for further calls.
func (c *Client) Close() { c.call.http.HTTPClient.CloseIdleConnections() }
