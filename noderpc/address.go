package noderpc

import (
	"fmt"
	"net/url"
	"strings"
)

// parseAddress checks the address of an RPC server. Its errors do not repeat the
// address, which may hold a key.
func parseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, addressError("it is no URL")
	case u.Scheme == "ws", u.Scheme == "wss":
		return nil, addressError("it is a WebSocket's")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, addressError("it does not begin with http:// or https://")
	case u.Hostname() == "":
		return nil, addressError("it names no host")
	}
	return u, nil
}

func addressError(problem string) error {
	return fmt.Errorf("%w: %s, want such as http://127.0.0.1:8899", ErrAddress, problem)
}

const hidden = "***"

// redact returns an address that may be shown: without user, query, fragment and
// those parts of the path that may be keys.
func redact(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Host: u.Host}
	text := shown.String()
	if u.User != nil {
		text = strings.Replace(text, "://", "://"+hidden+"@", 1)
	}
	if path := strings.TrimSuffix(u.EscapedPath(), "/"); path != "" {
		parts := strings.Split(path, "/")
		for i, part := range parts {
			if mayBeKey(part) {
				parts[i] = hidden
			}
		}
		text += strings.Join(parts, "/")
	}
	if u.RawQuery != "" {
		text += "?" + hidden
	}
	return text
}

// mayBeKey reports whether a part of a path looks like more than a word: it is
// long, or has digits and is not short.
func mayBeKey(part string) bool {
	const short, long = 8, 20
	return len(part) > long || len(part) > short && strings.ContainsAny(part, "0123456789")
}
