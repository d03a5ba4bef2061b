package noderpc

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// retryPolicy sends a request again when the same request may succeed later: the
// connection failed or timed out, the server is busy (429, 502, 503, 504), or the
// node says that it is behind (-32005). Anything else would fail again.
func retryPolicy(longest time.Duration) retryablehttp.CheckRetry {
	return func(ctx context.Context, _ *http.Response, err error) (bool, error) {
		if err == nil { // the response handler has the say
			return false, nil
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		return mayPass(err, longest), nil
	}
}

func mayPass(err error, longest time.Duration) bool {
	var (
		status      *HTTPError
		answer      *RPCError
		certificate *tls.CertificateVerificationError
		name        *net.DNSError
	)
	switch {
	case errors.As(err, &status):
		switch status.Status {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return status.RetryAfter <= longest
		}
		return false
	case errors.As(err, &answer):
		return answer.Code == codeBehind
	case errors.Is(err, ErrReply), errors.Is(err, ErrTooLarge), errors.As(err, &certificate):
		return false
	case errors.As(err, &name):
		return !name.IsNotFound
	}
	return true
}

// backoff doubles the wait with each attempt and shortens it by up to a half, so
// that clients that failed together do not come again together. A server that
// asks for a wait gets that instead.
func backoff(least, most time.Duration, attempt int, response *http.Response) time.Duration {
	if response != nil {
		if wait, ok := retryAfter(response.Header, time.Now()); ok {
			return min(wait, most)
		}
	}
	wait := most
	if attempt < 63 && least <= most>>attempt {
		wait = least << attempt
	}
	return wait - rand.N(wait/2+1)
}

// retryAfter reads the header of that name: seconds, or a time.
func retryAfter(h http.Header, now time.Time) (wait time.Duration, ok bool) {
	text := h.Get("Retry-After")
	if s, err := strconv.ParseUint(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		if s > math.MaxInt64/uint64(time.Second) {
			return math.MaxInt64, true
		}
		return time.Duration(s) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(now), 0), true
	}
	return 0, false
}

// An attemptsError tells how often a request was sent.
type attemptsError struct {
	attempts int
	err      error
}

func (e *attemptsError) Error() string { return fmt.Sprintf("%v after %d attempts", e.err, e.attempts) }

// countAttempts is the client's handler of errors.
func countAttempts(response *http.Response, err error, attempts int) (*http.Response, error) {
	if response != nil {
		response.Body.Close()
	}
	return nil, &attemptsError{attempts, err}
}
