package noderpc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/noderpc"
)

func TestAddress(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:8899":                              "http://127.0.0.1:8899",
		"http://127.0.0.1:8899/":                             "http://127.0.0.1:8899",
		"HTTPS://rpc.example:443/v2/solana":                  "https://rpc.example:443/v2/solana",
		"http://[::1]:8899":                                  "http://[::1]:8899",
		"https://user:secret@rpc.example":                    "https://***@rpc.example",
		"https://secret@rpc.example/":                        "https://***@rpc.example",
		"https://rpc.example/?api-key=secret":                "https://rpc.example?***",
		"https://rpc.example/v2/sEcReT0123456789#secret":     "https://rpc.example/v2/***",
		"https://rpc.example/solana-mainnet/secret12345/rpc": "https://rpc.example/solana-mainnet/***/rpc",
		"https://rpc.example/secretsecretsecretsecret":       "https://rpc.example/***",
		"https://rpc.example/%73ecret12345":                  "https://rpc.example/***",
	} {
		c, err := noderpc.Dial(address, noderpc.Options{})
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if got := c.Address(); got != want {
			t.Errorf("%s: shown as %s, want %s", address, got, want)
		}
		c.Close()
	}
}

func TestBadAddress(t *testing.T) {
	for _, address := range []string{
		"", "secret", "secret:8899", "127.0.0.1:8899", "localhost:8899", "/secret", "http://", "http:secret", "http://:8899",
		"ftp://secret", "ws://secret", "wss://secret", "http://sec ret", "http://secret:port", "http://%zzsecret", "http://host\nsecret",
	} {
		_, err := noderpc.Dial(address, noderpc.Options{})
		if !errors.Is(err, noderpc.ErrAddress) {
			t.Errorf("%q: got %v, want ErrAddress", address, err)
			continue
		}
		if text := err.Error(); strings.Contains(text, "secret") || strings.Contains(text, "\n") || !strings.Contains(text, "http://127.0.0.1:8899") {
			t.Errorf("%q: got %q", address, text)
		}
	}
}
