package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed static
var static embed.FS

// Marks in index.html.
const (
	versionMark = "/VERSION/"  // stands for the version of the assets
	preloadMark = "PRELOADS\n" // stands for a link to each module
)

// mediaTypes are those of the files there may be.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// An asset is a file as it is sent, in both codings.
type asset struct {
	mediaType        string
	plain, gzip      []byte // gzip is nil where it is no shorter
	plainTag, zipTag string // entity tags
	cache            string // Cache-Control
}

// readStatic returns the files below a folder by their names there.
func readStatic(from fs.FS) (map[string][]byte, error) {
	files := make(map[string][]byte)
	err := fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(from, name)
		return err
	})
	return files, err
}

// newAsset makes what is sent of a file.
func newAsset(name string, content []byte, cache string) (*asset, error) {
	a := &asset{mediaType: mediaTypes[path.Ext(name)], plain: content, cache: cache}
	if a.mediaType == "" {
		return nil, fmt.Errorf("%s: no media type is known for it", name)
	}
	tag := hash(content)
	a.plainTag, a.zipTag = `"`+tag+`"`, `"`+tag+`-gzip"`
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if out.Len() < len(content) {
		a.gzip = out.Bytes()
	}
	return a, nil
}

// hash names contents.
func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// finish puts the version of the assets in the place of its mark, and links in the
// place of theirs: with these a browser asks for all modules at once instead of
// finding them one in another. A worker's modules load with the worker.
func finish(document []byte, version string, names []string) []byte {
	var links strings.Builder
	for _, name := range names {
		folder, _ := path.Split(name)
		if path.Ext(name) == ".js" && strings.Count(folder, "/") == 2 && folder != "js/worker/" {
			fmt.Fprintf(&links, "<link rel=\"modulepreload\" href=\"assets%s%s\">\n", versionMark, name)
		}
	}
	text := strings.Replace(string(document), preloadMark, links.String(), 1)
	return []byte(strings.ReplaceAll(text, versionMark, "/"+version+"/"))
}
