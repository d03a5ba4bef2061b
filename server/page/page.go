package page

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schedgen/schedgen/server/splice"
)

const (
	document = "index.html"
	// asking anew each time is cheap: mostly the answer is 304.
	fresh   = "no-cache"
	forever = "public, max-age=31536000, immutable"
)

// A Page is an [http.Handler] that answers GET and HEAD of / and of what is below
// /assets/, and 404 for all else. It never changes and may serve many requests at
// once.
type Page struct {
	assets  map[string]*asset // by the path of the request
	version string
}

// New compresses the files. An error is one of the program itself.
func New() (*Page, error) {
	root, err := fs.Sub(static, "static")
	if err != nil {
		return nil, err
	}
	files, err := readStatic(root)
	if err != nil {
		return nil, err
	}
	return newPage(files)
}

func newPage(files map[string][]byte) (*Page, error) {
	index, ok := files[document]
	if !ok {
		return nil, fmt.Errorf("%s is missing", document)
	}
	var all bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&all, "%s %d\n%s", name, len(files[name]), files[name])
	}
	p := &Page{assets: make(map[string]*asset, len(files)), version: hash(all.Bytes())}
	for name, content := range files {
		if name == document {
			continue
		}
		a, err := newAsset(name, content, forever)
		if err != nil {
			return nil, err
		}
		p.assets["/assets/"+p.version+"/"+name] = a
	}
	var err error
	p.assets["/"], err = newAsset(document, finish(index, p.version, slices.Sorted(maps.Keys(files))), fresh)
	return p, err
}

// Version names the contents of the page: another page has another version.
func (p *Page) Version() string { return p.version }

// ServeHTTP implements [http.Handler].
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	protect(header)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed, want GET or HEAD", http.StatusMethodNotAllowed)
		return
	}
	a, ok := p.assets[r.URL.Path]
	if !ok {
		header.Set("Cache-Control", "no-store")
		http.Error(w, "no such file of the page; it may be of another version, reload the page", http.StatusNotFound)
		return
	}
	a.serve(w, r)
}

func (a *asset) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", a.mediaType)
	header.Set("Cache-Control", a.cache)
	header.Set("Vary", "Accept-Encoding")
	header.Set("ETag", a.plainTag)
	content := a.plain
	accepted := strings.Join(r.Header.Values("Accept-Encoding"), ",")
	if a.gzip != nil && splice.Accepted(accepted, splice.Gzip) == splice.Gzip {
		content = a.gzip
		header.Set("Content-Encoding", "gzip")
		header.Set("Content-Length", strconv.Itoa(len(content)))
		header.Set("ETag", a.zipTag)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}
