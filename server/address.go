package server

import (
	"net/http"
	"net/netip"
	"strings"
)

// clientOf returns the address of who asks: of the connection, or, of one from
// a trusted proxy, the last in X-Forwarded-For that is no trusted proxy. The zero
// Addr when there is none to be found.
func clientOf(r *http.Request, trusted []netip.Prefix) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	from := at.Addr().Unmap()
	if len(trusted) == 0 || !among(trusted, from) {
		return from
	}
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := parseHop(strings.TrimSpace(hops[i]))
		if err != nil {
			break // what comes before it is no better
		}
		from = hop
		if !among(trusted, hop) {
			break
		}
	}
	return from
}

// parseHop reads an address as proxies write it, some with the port.
func parseHop(text string) (netip.Addr, error) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap(), nil
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return a.Unmap(), err
}

func among(ranges []netip.Prefix, a netip.Addr) bool {
	for _, p := range ranges {
		if p.Contains(a.WithZone("")) {
			return true
		}
	}
	return false
}
