package noderpc

import (
	"math"
	"net/http"
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	const least, most = 100 * time.Millisecond, time.Second
	for attempt, full := range []time.Duration{100, 200, 400, 800, 1000, 1000} {
		full *= time.Millisecond
		seen := map[time.Duration]bool{}
		for range 100 {
			wait := backoff(least, most, attempt, nil)
			if wait > full || wait < full/2 {
				t.Fatalf("attempt %d: %v, want %v to %v", attempt, wait, full/2, full)
			}
			seen[wait] = true
		}
		if len(seen) < 10 {
			t.Errorf("attempt %d: %d different waits of 100", attempt, len(seen))
		}
	}
	for _, attempt := range []int{62, 63, 64, 1000} {
		if wait := backoff(least, math.MaxInt64, attempt, nil); wait < math.MaxInt64/2 {
			t.Errorf("attempt %d: %v", attempt, wait)
		}
	}
	if wait := backoff(0, 0, 5, nil); wait != 0 {
		t.Errorf("no wait: %v", wait)
	}
	for text, want := range map[string]time.Duration{"0": 0, "1": time.Second, "5": time.Second} {
		response := &http.Response{Header: http.Header{"Retry-After": {text}}}
		if got := backoff(least, most, 0, response); got != want {
			t.Errorf("Retry-After %s: %v, want %v", text, got, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		text string
		want time.Duration
		ok   bool
	}{
		{"", 0, false},
		{"0", 0, true},
		{"120", 2 * time.Minute, true},
		{"-1", 0, false},
		{"1.5", 0, false},
		{"soon", 0, false},
		{"9223372036", 9223372036 * time.Second, true},
		{"9223372037", math.MaxInt64, true},
		{"99999999999999999999", math.MaxInt64, true},
		{"Thu, 08 Oct 2026 12:00:30 GMT", 30 * time.Second, true},
		{"Thu, 08 Oct 2026 11:00:00 GMT", 0, true},
		{"Thursday, 08-Oct-26 12:00:30 GMT", 30 * time.Second, true},
	} {
		got, ok := retryAfter(http.Header{"Retry-After": {c.text}}, now)
		if got != c.want || ok != c.ok {
			t.Errorf("%q: %v, %v, want %v, %v", c.text, got, ok, c.want, c.ok)
		}
	}
	if _, ok := retryAfter(http.Header{}, now); ok {
		t.Error("no header is a wait")
	}
}
