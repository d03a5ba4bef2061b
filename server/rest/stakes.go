package rest

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// StakesAnswer is the answer to POST /v1/stakes.
type StakesAnswer struct {
	Results []StakesResult `json:"results"` // in the order of the source
}

// StakesResult says what became of one list.
type StakesResult struct {
	Epoch    uint64       `json:"epoch"`
	Result   string       `json:"result"` // created, replaced, unchanged or refused
	Entries  int          `json:"entries"`
	Vintage  list.Vintage `json:"vintage"`
	Digest   *string      `json:"digest"`   // of the schedule that is held now; null when none is
	Location *string      `json:"location"` // of the epoch
	Problem  *Problem     `json:"problem"`  // why it was refused
}

const (
	created   = "created"
	replaced  = "replaced"
	unchanged = "unchanged"
	refused   = "refused"
)

func closed() error {
	return problemf(postsClosed, "the service was started without a token, so that it takes no stakes from anybody")
}

// authorize checks the bearer token (RFC 6750). What was sent is compared by its
// hash, in the same time whatever it is.
func (h *Handler) authorize(r *http.Request) error {
	deny := func(challenge, detail string) error {
		p := problemf(unauthorized, "%s", detail)
		p.header = http.Header{"Www-Authenticate": {challenge}}
		return p
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return deny(`Bearer realm="stakes"`, "want the header Authorization: Bearer TOKEN")
	}
	sent := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if subtle.ConstantTimeCompare(sent[:], h.token[:]) != 1 {
		return deny(`Bearer realm="stakes", error="invalid_token"`, "the token is not the one that the service was started with")
	}
	return nil
}

func (h *Handler) postStakes(c *call) error {
	if err := h.authorize(c.r); err != nil {
		return err
	}
	epoch, hasEpoch, err := c.number("epoch", 0, math.MaxUint64)
	if err != nil {
		return err
	}
	if err := plain(c.r.Header); err != nil {
		return err
	}
	if !accepts(c.r.Header["Accept"], jsonType) {
		return refuseAccept(jsonType)
	}
	set, err := h.read(c)
	if err != nil {
		return err
	}
	lists, err := chosen(set, epoch, hasEpoch)
	if err != nil {
		return err
	}
	return h.put(c, lists)
}

// plain refuses bodies that are not the source itself. Its kind does not matter:
// that shows in the content.
func plain(header http.Header) error {
	mediaType, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	if strings.HasPrefix(mediaType, "multipart/") {
		return problemf(unsupportedMedia, "the body is a form, want the source itself, such as curl --data-binary @FILE sends")
	}
	if coding := header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		p := problemf(unsupportedMedia, "content coding %s, want none; archives are taken as they are", shorten(coding))
		p.header = http.Header{"Accept-Encoding": {"identity"}}
		return p
	}
	return nil
}

// read reads the body, whatever kind of source it is, one body after another.
func (h *Handler) read(c *call) (*list.Set, error) {
	tooMuch := func() error {
		return problemf(tooLarge, "the body has more than %d bytes", h.c.MaxBody)
	}
	if c.r.ContentLength > h.c.MaxBody {
		return nil, tooMuch()
	}
	ctx := c.r.Context()
	select {
	case h.ingest <- struct{}{}:
		defer func() { <-h.ingest }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	body := &limited{r: http.MaxBytesReader(c.w, c.r.Body, h.c.MaxBody)}
	set, err := stakes.Open(ctx, stakes.Stdin, stakes.Options{Stdin: body})
	switch {
	case body.over:
		return nil, tooMuch()
	case err != nil:
		return nil, problemf(stakesInvalid, "%s", renamed(err.Error()))
	}
	for i := range set.Lists {
		set.Lists[i].Name = posted
		set.Lists[i].Provenance.Source = renamed(set.Lists[i].Provenance.Source)
	}
	return set, nil
}

// posted is what a body is called. Package stakes has another name for what it
// reads without one.
const posted = "posted stakes"

func renamed(text string) string {
	const standardInput = "standard input"
	if rest, ok := strings.CutPrefix(text, standardInput); ok {
		return posted + rest
	}
	return strings.Replace(text, " "+standardInput, " "+posted, 1)
}

// A limited reader remembers that its body was too large: whoever reads it may make
// another error of that.
type limited struct {
	r    io.Reader
	over bool
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	var tooMuch *http.MaxBytesError
	l.over = l.over || errors.As(err, &tooMuch)
	return n, err
}

// chosen returns the lists of a source, or that of an epoch, each with its epoch.
func chosen(set *list.Set, epoch uint64, only bool) ([]*list.List, error) {
	var lists []*list.List
	for i := range set.Lists {
		l := set.Lists[i]
		switch own := l.Provenance.Epoch; {
		case own == nil && !only:
			p := problemf(stakesEpoch, "the stakes do not say which epoch they lead: add the parameter epoch=N")
			p.Parameter = "epoch"
			return nil, p
		case own == nil:
			l.Provenance.Epoch = &epoch
		case only && *own != epoch:
			continue
		}
		lists = append(lists, &l)
	}
	if len(lists) > 0 {
		return lists, nil
	}
	_, err := set.For(epoch)
	if err == nil { // a source without any list
		return nil, problemf(stakesInvalid, "%s hold no list", posted)
	}
	p := problemf(stakesEpoch, "%v", err)
	p.Parameter, p.Epoch = "epoch", &epoch
	return nil, p
}

// put gives the lists to the registry and answers. A request of which nothing was
// taken has failed, with the problem of the first list.
func (h *Handler) put(c *call, lists []*list.List) error {
	var answer StakesAnswer
	code, taken := http.StatusOK, false
	for _, l := range lists {
		r := h.putOne(l)
		taken = taken || r.Problem == nil
		if r.Result == created {
			code = http.StatusCreated
		}
		answer.Results = append(answer.Results, r)
	}
	if !taken {
		p := *answer.Results[0].Problem
		if len(lists) > 1 {
			p.Results = answer.Results
		}
		return &p
	}
	if code == http.StatusCreated && len(lists) == 1 {
		c.w.Header().Set("Location", *answer.Results[0].Location)
	}
	body, err := json.Marshal(&answer)
	if err != nil {
		return err
	}
	header := c.w.Header()
	header.Set("Content-Type", jsonType)
	header.Set("Cache-Control", noStore)
	header.Set("Content-Length", strconv.Itoa(len(body)+1))
	c.w.WriteHeader(code)
	c.w.Write(append(body, '\n'))
	return nil
}

func (h *Handler) putOne(l *list.List) StakesResult {
	epoch := *l.Provenance.Epoch
	r := StakesResult{Epoch: epoch, Result: created, Entries: len(l.Entries), Vintage: l.Provenance.Vintage}
	if r.Vintage == "" {
		r.Vintage = list.VintageUnknown
	}
	put, err := h.c.Epochs.Put(l)
	switch {
	case err != nil:
		r.Result, r.Problem = refused, h.explainPut(err)
		if r.Problem.Epoch == nil {
			r.Problem.Epoch = &epoch
		}
	case put.Same:
		r.Result = unchanged
	case put.Replaced:
		r.Result = replaced
	}
	if held, ok := h.c.Epochs.Summary(epoch); ok {
		place := epochPath(epoch)
		r.Location = &place
		if held.Digest != nil {
			digest := hex.EncodeToString(held.Digest[:])
			r.Digest = &digest
		}
	}
	return r
}

// notDerived are the errors of stakes that no schedule follows from.
var notDerived = []error{
	schedule.ErrNoStake, schedule.ErrStakeOverflow, schedule.ErrDuplicateKey, schedule.ErrTooManyEntries,
	schedule.ErrKeying, schedule.ErrKeyingUnknown, schedule.ErrSlots, electorate.ErrNotExact, electorate.ErrNoList,
}

// explainPut returns why a list was refused.
func (h *Handler) explainPut(err error) *Problem {
	var own *store.Error
	switch {
	case errors.Is(err, epochs.ErrNoEpoch), errors.Is(err, store.ErrNoEpoch):
		return problemf(stakesEpoch, "%v", err)
	case errors.Is(err, store.ErrCluster):
		return problemf(otherCluster, "%v", err)
	case errors.Is(err, epochs.ErrBetterHeld):
		return problemf(betterHeld, "%v", err)
	case errors.Is(err, store.ErrFull):
		h.log.Error("posted stakes were not stored", "error", err)
		return problemf(storeFull, "the store of the service is full; what it held it still holds")
	case errors.As(err, &own), errors.Is(err, store.ErrReadOnly), errors.Is(err, store.ErrClosed):
		h.log.Error("posted stakes were not stored", "error", err)
		return problemf(storeFailed, "the log of the service says why; what it held it still holds")
	}
	for _, known := range notDerived {
		if errors.Is(err, known) {
			return problemf(notDerivable, "%v", err)
		}
	}
	return h.explain(err)
}
