package slotfeed

import (
	"errors"
	"strings"
	"testing"
)

func TestWebSocketAddress(t *testing.T) {
	for rpc, want := range map[string]string{
		"http://127.0.0.1:8899":              "ws://127.0.0.1:8900",
		"http://[::1]:8899/":                 "ws://[::1]:8900/",
		"https://rpc.example/v1?key=secret":  "wss://rpc.example/v1?key=secret",
		"https://user:word@rpc.example:443/": "wss://user:word@rpc.example:443/",
		"http://rpc.example":                 "ws://rpc.example",
		"http://rpc.example:80/a":            "ws://rpc.example:80/a",
		"https://rpc.example:80":             "wss://rpc.example:81",
	} {
		if got, err := WebSocketAddress(rpc); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", rpc, got, err, want)
		}
	}
	for _, rpc := range []string{"", "secret", "ws://secret:1", "http://", "http://secret:65535", "http://secret:x", "file:///secret"} {
		_, err := WebSocketAddress(rpc)
		if !errors.Is(err, ErrAddress) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v", rpc, err)
		}
	}
}
