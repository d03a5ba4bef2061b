package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certificate makes one for this machine.
func certificate(t *testing.T) (certFile, keyFile string, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots = x509.NewCertPool()
	roots.AddCert(parsed)
	return certFile, keyFile, roots
}

// With a certificate the service answers over TLS alone, in HTTP/1.1 and HTTP/2, and
// counts its connections as it does others.
func TestTLS(t *testing.T) {
	c := quick(t, Limits{MaxConnections: 5})
	var roots *x509.CertPool
	c.TLSCert, c.TLSKey, roots = certificate(t)
	s := started(t, c)
	s.waitReady()
	if !strings.HasPrefix(s.URL(), "https://127.0.0.1:") {
		t.Errorf("got %s", s.URL())
	}
	for _, http2 := range []bool{false, true} {
		client := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: http2}
		r, err := http.NewRequest(http.MethodPost, s.url+"/", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"getHealth"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		answer, err := client.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil || !strings.Contains(string(body), `"result":"ok"`) || (answer.ProtoMajor == 2) != http2 {
			t.Errorf("%s: %s, %v", answer.Proto, body, err)
		}
		answer.Body.Close()
		client.CloseIdleConnections()
	}
	for range 20 {
		conn, err := net.Dial("tcp", s.address.String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	eventually(t, "idle ones gave way", func() bool {
		open, evicted, refused := s.conns.counts()
		return open <= 5 && evicted >= 15 && refused == 0
	})
	plain := &http.Client{}
	if r, err := plain.Get("http://" + s.address.String() + "/healthz"); err == nil && r.StatusCode == 200 {
		t.Error("it answers in the clear")
	}
}
