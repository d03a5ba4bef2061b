package page

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func newTestPage(t *testing.T) *Page {
	t.Helper()
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func get(p *Page, method, path string, header ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) []byte {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDocument(t *testing.T) {
	p := newTestPage(t)
	r := get(p, "GET", "/")
	text := string(body(t, r))
	if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("status %d, type %q", r.StatusCode, r.Header.Get("Content-Type"))
	}
	if cache := r.Header.Get("Cache-Control"); cache != "no-cache" {
		t.Errorf("Cache-Control %q: an old document would ask for old assets", cache)
	}
	if strings.Contains(text, "VERSION") || strings.Contains(text, "PRELOADS") {
		t.Error("a mark is left in the document")
	}
	// Everything that the document links to is there, and may be kept.
	links := regexp.MustCompile(`(?:href|src)="(assets/[^"]+)"`).FindAllStringSubmatch(text, -1)
	if len(links) < 20 {
		t.Fatalf("%d links to assets, want those of all modules and styles", len(links))
	}
	for _, link := range links {
		r := get(p, "GET", "/"+link[1])
		if r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: status %d, Cache-Control %q", link[1], r.StatusCode, r.Header.Get("Cache-Control"))
		}
	}
}

func TestPolicy(t *testing.T) {
	p := newTestPage(t)
	for _, path := range []string{"/", "/assets/" + p.Version() + "/js/main.js", "/nothing"} {
		policy := get(p, "GET", path).Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "connect-src 'self';", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: policy %q, want %s", path, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
	if got := get(p, "GET", "/").Header.Get("X-Content-Type-Options"); got != "nosniff" {
		t.Errorf("X-Content-Type-Options %q", got)
	}
}

func TestCodings(t *testing.T) {
	p := newTestPage(t)
	path := "/assets/" + p.Version() + "/js/main.js"
	plain := get(p, "GET", path)
	want := body(t, plain)
	zipped := get(p, "GET", path, "Accept-Encoding", "br, gzip;q=0.8")
	packed := body(t, zipped)
	if zipped.Header.Get("Content-Encoding") != "gzip" || len(packed) >= len(want) {
		t.Fatalf("coding %q, %d bytes of %d", zipped.Header.Get("Content-Encoding"), len(packed), len(want))
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want) {
		t.Errorf("gzip holds other bytes, %v", err)
	}
	if got := zipped.ContentLength; got >= 0 && got != int64(len(packed)) {
		t.Errorf("Content-Length %d for %d bytes", got, len(packed))
	}
	if plain.Header.Get("ETag") == zipped.Header.Get("ETag") {
		t.Error("two codings share an entity tag")
	}
	for _, r := range []*http.Response{plain, zipped} {
		if r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Vary %q", r.Header.Get("Vary"))
		}
	}
	refused := get(p, "GET", path, "Accept-Encoding", "gzip;q=0")
	if refused.Header.Get("Content-Encoding") != "" || !bytes.Equal(body(t, refused), want) {
		t.Error("gzip was sent to who refuses it")
	}
}

func TestNotModified(t *testing.T) {
	p := newTestPage(t)
	for _, coding := range []string{"identity", "gzip"} {
		tag := get(p, "GET", "/", "Accept-Encoding", coding).Header.Get("ETag")
		r := get(p, "GET", "/", "Accept-Encoding", coding, "If-None-Match", `"other", `+tag)
		if r.StatusCode != http.StatusNotModified || len(body(t, r)) > 0 {
			t.Errorf("%s: status %d for the tag %s", coding, r.StatusCode, tag)
		}
		if r := get(p, "GET", "/", "Accept-Encoding", coding, "If-None-Match", `"other"`); r.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d for another tag", coding, r.StatusCode)
		}
	}
}

func TestMethods(t *testing.T) {
	p := newTestPage(t)
	head := get(p, "HEAD", "/")
	if head.StatusCode != http.StatusOK || len(body(t, head)) > 0 || head.Header.Get("ETag") == "" {
		t.Errorf("HEAD: status %d", head.StatusCode)
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		r := get(p, method, "/")
		if r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: status %d, Allow %q", method, r.StatusCode, r.Header.Get("Allow"))
		}
	}
}

func TestNotFound(t *testing.T) {
	p := newTestPage(t)
	v := p.Version()
	for _, path := range []string{
		"/index.html", "/assets/", "/assets/" + v, "/assets/" + v + "/", "/assets/" + v + "/js/", "/assets/0123456789abcdef/js/main.js",
		"/assets/" + v + "/../page.go", "/assets/" + v + "/js/../js/main.js", "/assets/" + v + "/js/%2e%2e/main.js", "/assets//js/main.js",
		"/assets/" + v + "/index.html", "/favicon.ico", "//", "/page.go",
	} {
		r := get(p, "GET", path)
		if r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
		if text := string(body(t, r)); strings.Contains(text, path) {
			t.Errorf("%s: the answer repeats it", path)
		}
		if r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: Cache-Control %q", path, r.Header.Get("Cache-Control"))
		}
	}
}

// Other contents have another version, so that nothing old is taken from a cache.
func TestVersion(t *testing.T) {
	files := func(script string) map[string][]byte {
		return map[string][]byte{document: []byte(`<script src="assets/VERSION/a.js">`), "a.js": []byte(script)}
	}
	one, err := newPage(files("1"))
	if err != nil {
		t.Fatal(err)
	}
	two, err := newPage(files("2"))
	if err != nil {
		t.Fatal(err)
	}
	if one.Version() == two.Version() {
		t.Errorf("both have version %s", one.Version())
	}
	if r := get(two, "GET", "/assets/"+one.Version()+"/a.js"); r.StatusCode != http.StatusNotFound {
		t.Errorf("an asset of another version: status %d", r.StatusCode)
	}
	if tag := get(one, "GET", "/").Header.Get("ETag"); tag == get(two, "GET", "/").Header.Get("ETag") {
		t.Errorf("both documents have the tag %s", tag)
	}
}

func TestBadFiles(t *testing.T) {
	if _, err := newPage(map[string][]byte{"a.js": nil}); err == nil {
		t.Error("a page without a document")
	}
	if _, err := newPage(map[string][]byte{document: nil, "a.exe": nil}); err == nil {
		t.Error("a file of unknown kind")
	}
}
