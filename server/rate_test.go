package server

import (
	"net/http"
	"net/netip"
	"testing"
	"time"
)

type prefixes []netip.Prefix

func (p *prefixes) add(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			t.Fatal(err)
		}
		*p = append(*p, prefix)
	}
}

func TestClientOf(t *testing.T) {
	var trusted prefixes
	trusted.add(t, "10.0.0.0/8", "fd00::/8")
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.1:5", "", "192.0.2.1"},
		{"192.0.2.1:5", "9.9.9.9", "192.0.2.1"}, // anybody can send the header
		{"10.0.0.1:5", "", "10.0.0.1"},
		{"10.0.0.1:5", "9.9.9.9", "9.9.9.9"},
		{"10.0.0.1:5", "1.1.1.1, 9.9.9.9", "9.9.9.9"},
		{"10.0.0.1:5", "1.1.1.1, 9.9.9.9, 10.2.3.4", "9.9.9.9"},
		{"10.0.0.1:5", "10.9.9.9,10.2.3.4", "10.9.9.9"},
		{"10.0.0.1:5", "1.1.1.1, nonsense", "10.0.0.1"},
		{"10.0.0.1:5", "1.1.1.1, nonsense, 10.2.3.4", "10.2.3.4"},
		{"10.0.0.1:5", "9.9.9.9:1234", "9.9.9.9"},
		{"[fd00::1]:5", "[2001:db8::1]:99", "2001:db8::1"},
		{"[fd00::1]:5", "[2001:db8::1]", "2001:db8::1"},
		{"[::ffff:10.0.0.1]:5", "::ffff:9.9.9.9", "9.9.9.9"},
		{"[fe80::1%eth0]:5", "", "fe80::1%eth0"},
		{"@", "9.9.9.9", "invalid IP"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{}}
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := clientOf(r, trusted); got.String() != c.want {
			t.Errorf("%s for %q: got %v, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}

func TestNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.77": "192.0.2.77/32", "::ffff:192.0.2.77": "192.0.2.77/32", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64",
	} {
		if got := network(netip.MustParseAddr(address)); got.String() != want {
			t.Errorf("%s: got %v, want %s", address, got, want)
		}
	}
	if got := network(netip.Addr{}); got.IsValid() {
		t.Errorf("got %v", got)
	}
}

// Only so many addresses are remembered, and those that asked last.
func TestRates(t *testing.T) {
	r := newRates(&Limits{Rate: 1, Burst: 2, MaxAddresses: 3})
	at := func(n byte) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, n}) }
	allow := func(n byte, want bool) {
		t.Helper()
		if got := r.allow(at(n), noon); got != want {
			t.Errorf("address %d: got %t", n, got)
		}
	}
	for range 2 {
		allow(1, true)
	}
	allow(1, false)
	allow(2, true)
	allow(3, true)
	allow(1, false) // is remembered as one that asked just now
	allow(4, true)  // for which 2 is forgotten
	allow(1, false)
	if n := r.remembered(); n != 3 {
		t.Errorf("%d are remembered", n)
	}
	for range 2 {
		allow(2, true)
	}
	allow(2, false)
	if !r.allow(at(2), noon.Add(time.Second)) {
		t.Error("a second later there is no room")
	}
	for n := range byte(200) {
		r.allow(at(n), noon)
	}
	if n := r.remembered(); n != 3 || r.recent.Len() != 3 {
		t.Errorf("%d are remembered", n)
	}
	if none := newRates(&Limits{}); none != nil || !none.allow(at(1), noon) || none.remembered() != 0 {
		t.Errorf("got %v", none)
	}
}
