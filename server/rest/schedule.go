package rest

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/splice"
)

func (h *Handler) schedule(c *call) error {
	e, err := h.epochAt(c, "/schedule")
	if err != nil {
		return err
	}
	kind, chosen, err := c.kind()
	if err != nil {
		return err
	}
	sel, err := c.selection(e, kind)
	if err != nil {
		return err
	}
	download, err := c.flag("download")
	if err != nil {
		return err
	}
	m := &meta{contentType: kind.ContentType(), cache: noCache}
	if chosen {
		m.vary = "Accept"
	}
	if download {
		name := h.fileName(strconv.FormatUint(e.Number(), 10), string(kind), sel.tag())
		m.disposition = `attachment; filename="` + name + "." + kind.Extension() + `"`
	}
	if sel.whole() {
		return h.whole(c, e, kind, m)
	}
	return h.part(c, e, kind, &sel, m)
}

// negotiable are the kinds that an Accept header can choose, the preferred ones
// first: the smallest form of each media type.
var negotiable = [...]epochs.Kind{epochs.RPC, epochs.Kind(schedule.FormatText), epochs.Kind(schedule.FormatCSV), epochs.Parquet}

// kind reads the parameter format. Without it the Accept header chooses.
func (c *call) kind() (kind epochs.Kind, chosen bool, err error) {
	accept := c.r.Header["Accept"]
	if c.query.Has("format") {
		if kind, err = epochs.ParseKind(c.query.Get("format")); err != nil {
			return "", false, badf("format", "unknown format %q, want one of %s", shorten(c.query.Get("format")), kindNames())
		}
		if mediaType := bare(kind.ContentType()); !accepts(accept, mediaType) {
			return "", false, refuseAccept(mediaType)
		}
		return kind, false, nil
	}
	best := 0.0
	var types []string
	for _, k := range negotiable {
		mediaType := bare(k.ContentType())
		if weight := weigh(accept, mediaType); weight > best {
			kind, best = k, weight
		}
		types = append(types, mediaType)
	}
	if best == 0 {
		return "", true, refuseAccept(types...)
	}
	return kind, true, nil
}

func kindNames() string {
	var names []string
	for _, k := range epochs.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// bare returns a media type without its parameters.
func bare(contentType string) string {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return mediaType
}

// formVersion counts how often what a kind prints has changed for the same schedule.
const formVersion = "1"

// entityTag names the answer: the schedule, the version of its form, and what it is
// limited to.
func entityTag(e *epochs.Epoch, kind epochs.Kind, enc splice.Encoding, limits string) string {
	tag := e.ETag(kind, enc)
	tag = tag[:len(tag)-1] + "-" + string(kind) + formVersion
	if limits != "" {
		tag += "-" + limits
	}
	return tag + `"`
}

// possible returns why a schedule has no body of a kind.
func possible(e *epochs.Epoch, kind epochs.Kind) error {
	s := e.Schedule()
	if kind == epochs.RPCByVote && s.Stakes().Keying() != schedule.KeyedByVote {
		return epochs.ErrNoVotes
	}
	return nil
}

// whole answers with a body that is kept.
func (h *Handler) whole(c *call, e *epochs.Epoch, kind epochs.Kind, m *meta) error {
	if err := possible(e, kind); err != nil {
		return err
	}
	switch kind {
	case epochs.Parquet, epochs.Kind(schedule.FormatDigest): // compressed, and short
	default:
		m.encoding = c.encoding(splice.Zstd, splice.Gzip)
	}
	m.etag = entityTag(e, kind, m.encoding, "")
	if matches(c.r.Header["If-None-Match"], m.etag) {
		c.begin(m)
		return nil
	}
	body, err := e.Body(kind, m.encoding)
	if err != nil {
		return err
	}
	m.length = body.Len()
	if c.begin(m) {
		body.WriteTo(c.w)
	}
	return nil
}

// part answers with what is limited to some slots, leaders or columns, printed while
// it is sent.
func (h *Handler) part(c *call, e *epochs.Epoch, kind epochs.Kind, sel *selection, m *meta) error {
	if err := possible(e, kind); err != nil {
		return err
	}
	if kind != epochs.Parquet {
		m.encoding = c.encoding(splice.Gzip)
	}
	if slices.Contains(sel.columns, schedulefile.ColumnTime) {
		now, err := h.current() // times move, so that there is no entity tag
		if err != nil {
			return err
		}
		sel.clock, m.cache = now.Clock, noStore
	} else {
		m.etag = entityTag(e, kind, m.encoding, sel.tag())
	}
	return h.stream(c, m, func(w io.Writer) error { return sel.write(w, e, kind) })
}
