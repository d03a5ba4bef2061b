package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/schedgen/schedgen/server/splice"
)

const (
	jsonType = "application/json"
	// noCache: keep it, and ask whether it still holds. Even the schedule of a past
	// epoch may be corrected.
	noCache = "no-cache"
	noStore = "no-store"

	// Compressing a shorter answer saves no packet.
	leastCompressed = 1400
	// streamLevel is of gzip, for what is compressed while somebody waits.
	streamLevel = gzip.BestSpeed
)

// encoding returns what an answer is to be encoded in, the first of offers where the
// client likes several as much.
func (c *call) encoding(offers ...splice.Encoding) splice.Encoding {
	accepted := c.r.Header["Accept-Encoding"]
	if len(accepted) == 1 {
		return splice.Accepted(accepted[0], offers...)
	}
	return splice.Accepted(strings.Join(accepted, ","), offers...)
}

// A meta is what the header says of an answer.
type meta struct {
	contentType string
	encoding    splice.Encoding
	etag        string // with its quotes; "" when there is none
	cache       string // Cache-Control
	length      int64  // -1 when it is not known
	disposition string // Content-Disposition; "" when there is none
	vary        string // request headers that decided, beside Accept-Encoding
}

// begin sends the header. It reports whether the body is to follow: not when the
// client has it already, or asked for the header alone.
func (c *call) begin(m *meta) bool {
	header := c.w.Header()
	for _, field := range []struct{ name, value string }{
		{"Cache-Control", m.cache}, {"Content-Location", c.location}, {"Etag", m.etag},
	} {
		if field.value != "" {
			header[field.name] = []string{field.value}
		}
	}
	vary := "Accept-Encoding"
	if m.vary != "" {
		vary = m.vary + ", " + vary
	}
	header.Add("Vary", vary)
	if m.etag != "" && matches(c.r.Header["If-None-Match"], m.etag) {
		c.w.WriteHeader(http.StatusNotModified)
		return false
	}
	header["Content-Type"] = []string{m.contentType}
	if m.encoding != splice.Identity {
		header["Content-Encoding"] = []string{m.encoding.String()}
	}
	if m.length >= 0 {
		header["Content-Length"] = []string{strconv.FormatInt(m.length, 10)}
	}
	if m.disposition != "" {
		header["Content-Disposition"] = []string{m.disposition}
	}
	c.w.WriteHeader(http.StatusOK)
	return c.r.Method != http.MethodHead
}

// matches reports whether If-None-Match lists an entity tag, which is strong. The
// comparison is the weak one (RFC 9110, 13.1.2): a proxy that compressed an answer
// may have weakened its tag.
func matches(header []string, etag string) bool {
	for _, line := range header {
		for rest := line; ; {
			rest = strings.TrimLeft(rest, " \t,")
			if rest == "" {
				break
			}
			if rest[0] == '*' {
				return true
			}
			rest = strings.TrimPrefix(rest, "W/")
			if rest == "" || rest[0] != '"' {
				break // not a list of tags
			}
			end := strings.IndexByte(rest[1:], '"')
			if end < 0 {
				break
			}
			if rest[:end+2] == etag {
				return true
			}
			rest = rest[end+2:]
		}
	}
	return false
}

// json answers with a value. With noStore it has no entity tag, for it does not hold
// a moment later.
func (h *Handler) json(c *call, v any, cache string) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return h.small(c, append(body, '\n'), cache)
}

// small answers with JSON that is at hand.
func (h *Handler) small(c *call, body []byte, cache string) error {
	if !accepts(c.r.Header["Accept"], jsonType) {
		return refuseAccept(jsonType)
	}
	m := &meta{contentType: jsonType, cache: cache}
	if len(body) >= leastCompressed {
		m.encoding = c.encoding(splice.Gzip)
	}
	if cache != noStore {
		sum := sha256.Sum256(body)
		m.etag = quoted(hex.EncodeToString(sum[:16]), m.encoding)
	}
	return h.send(c, m, body)
}

// send answers with a body, which is not yet encoded.
func (h *Handler) send(c *call, m *meta, body []byte) error {
	if m.encoding == splice.Gzip {
		var packed bytes.Buffer
		if err := h.pack(&packed, body); err != nil {
			return err
		}
		body = packed.Bytes()
	}
	m.length = int64(len(body))
	if c.begin(m) {
		c.w.Write(body)
	}
	return nil
}

func quoted(tag string, enc splice.Encoding) string {
	if enc != splice.Identity {
		tag += "-" + enc.String()
	}
	return `"` + tag + `"`
}

func (h *Handler) takeGzip(w io.Writer) *gzip.Writer {
	gz := h.gzips.Get().(*gzip.Writer)
	gz.Reset(w)
	return gz
}

func (h *Handler) giveGzip(gz *gzip.Writer) {
	gz.Reset(nil) // keeps no answer
	h.gzips.Put(gz)
}

func (h *Handler) pack(w io.Writer, body []byte) error {
	gz := h.takeGzip(w)
	defer h.giveGzip(gz)
	if _, err := gz.Write(body); err != nil {
		return err
	}
	return gz.Close()
}

// stream answers with what fill writes. The header goes out before the first byte,
// so that an error of fill without any is still the client's to see.
func (h *Handler) stream(c *call, m *meta, fill func(io.Writer) error) error {
	m.length = -1
	if c.r.Method == http.MethodHead || m.etag != "" && matches(c.r.Header["If-None-Match"], m.etag) {
		c.begin(m)
		return nil
	}
	s := &streamer{c: c, m: m, w: c.w}
	if m.encoding == splice.Gzip {
		gz := h.takeGzip(c.w)
		defer h.giveGzip(gz)
		s.w, s.gz = gz, gz
	}
	err := fill(s)
	switch {
	case err != nil && s.begun:
		return nil // fill fails of itself only before it writes: the connection is gone
	case err != nil:
		return err
	case !s.begun:
		c.begin(m)
	}
	if s.gz != nil {
		s.gz.Close()
	}
	return nil
}

type streamer struct {
	c     *call
	m     *meta
	w     io.Writer
	gz    *gzip.Writer
	begun bool
}

func (s *streamer) Write(p []byte) (int, error) {
	if !s.begun {
		s.begun = true
		s.c.begin(s.m)
	}
	return s.w.Write(p)
}
