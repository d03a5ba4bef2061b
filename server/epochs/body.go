package epochs

import (
	"encoding/hex"
	"errors"
	"io"

	"github.com/schedgen/schedgen/server/splice"
)

// A Body is a whole printed epoch in a content coding.
type Body struct {
	*splice.Text
	Encoding    splice.Encoding
	ContentType string
	ETag        string // strong, with its quotes
}

// Body returns what schedule.Write, or for other kinds their writer, prints of the
// epoch, in an encoding. It is made once and kept as long as the cache has room;
// those who ask meanwhile wait for it. Errors: ErrKind, ErrNoVotes, and those of
// the formats.
func (e *Epoch) Body(k Kind, enc splice.Encoding) (*Body, error) {
	block, err := e.block(k, enc)
	if err != nil {
		return nil, err
	}
	parts := []splice.Part{block}
	if k == RPC || k == RPCByVote { // kept without their newline, for Result
		parts = append(parts, splice.Literal("\n"))
	}
	text, err := splice.Join(enc, parts...)
	if err != nil {
		return nil, err
	}
	return &Body{Text: text, Encoding: enc, ContentType: k.ContentType(), ETag: e.ETag(k, enc)}, nil
}

// Result returns the result of getLeaderSchedule for the whole epoch, with byVote
// keyed by vote account, as a block that a reply is put around with splice.Join.
// The error is an ErrNoVotes.
func (e *Epoch) Result(byVote bool, enc splice.Encoding) (*splice.Block, error) {
	if byVote {
		return e.block(RPCByVote, enc)
	}
	return e.block(RPC, enc)
}

// ETag returns the entity tag of a body, without making it: the digest of the
// schedule, where the body shows more than the leaders a part that stands for the
// stakes and where they come from, and the encoding.
func (e *Epoch) ETag(k Kind, enc splice.Encoding) string {
	digest := e.Digest()
	tag := hex.EncodeToString(digest[:])
	if f, err := formOf(k); err != nil || !f.leaders {
		tag += "-" + e.variantTag()
	}
	if enc != splice.Identity {
		tag += "-" + enc.String()
	}
	return `"` + tag + `"`
}

// block returns a kind in an encoding, from the cache or made now.
func (e *Epoch) block(k Kind, enc splice.Encoding) (*splice.Block, error) {
	f, err := formOf(k)
	if err != nil {
		return nil, err
	}
	r := e.registry
	key := cacheKey{epoch: e.head.Epoch, version: e.head.version, kind: k, enc: enc}
	if b, ok := r.cache.get(key); ok {
		return b.(*splice.Block), nil
	}
	return r.making.do(key, func() (*splice.Block, error) {
		if b, ok := r.cache.get(key); ok { // made between the look and the call
			return b.(*splice.Block), nil
		}
		r.work <- struct{}{}
		defer func() { <-r.work }()
		b, err := splice.Make(enc, splice.Options{Near: f.near}, func(w io.Writer) error { return f.write(w, e) })
		if err != nil {
			if !errors.Is(err, ErrNoVotes) {
				r.log.Error("a body cannot be made", "epoch", e.Number(), "kind", string(k), "error", err)
			}
			return nil, err
		}
		r.makes.Add(1)
		const fixed = 512
		r.keepItem(key, b, b.Size()+fixed)
		return b, nil
	})
}
