package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/server/epochs"
)

// Problem is an error as clients get it: the problem details of RFC 9457.
type Problem struct {
	Type     string `json:"type"`     // one of ProblemTypes
	Title    string `json:"title"`    // the same for all problems of a type
	Status   int    `json:"status"`   // of HTTP
	Detail   string `json:"detail"`   // what is wrong, and what would be right
	Instance string `json:"instance"` // path of the request

	Parameter string         `json:"parameter,omitempty"` // which is wrong
	Epoch     *uint64        `json:"epoch,omitempty"`     // which it is about
	Results   []StakesResult `json:"results,omitempty"`   // of each list, where several were posted

	header http.Header // of the answer
}

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// A problemType is what problems of one type have in common.
type problemType struct {
	name, title string
	status      int
}

const typePrefix = "urn:schedgen:problem:"

var (
	badParameter       = problemType{"bad-parameter", "A parameter is wrong", http.StatusBadRequest}
	unauthorized       = problemType{"unauthorized", "A token is needed", http.StatusUnauthorized}
	postsClosed        = problemType{"posts-closed", "Stakes cannot be posted", http.StatusForbidden}
	routeUnknown       = problemType{"route-unknown", "Nothing is there", http.StatusNotFound}
	epochUnknown       = problemType{"epoch-unknown", "The epoch is not held", http.StatusNotFound}
	formatUnavailable  = problemType{"format-unavailable", "The schedule cannot be had in this format", http.StatusNotFound}
	methodNotAllowed   = problemType{"method-not-allowed", "The method is not allowed", http.StatusMethodNotAllowed}
	notAcceptable      = problemType{"not-acceptable", "The answer has no acceptable media type", http.StatusNotAcceptable}
	otherCluster       = problemType{"other-cluster", "The stakes are of another cluster", http.StatusConflict}
	betterHeld         = problemType{"better-held", "Better stakes are held", http.StatusConflict}
	tooLarge           = problemType{"too-large", "The body is too large", http.StatusRequestEntityTooLarge}
	unsupportedMedia   = problemType{"unsupported-media", "The body is packed in a way that is not taken", http.StatusUnsupportedMediaType}
	stakesInvalid      = problemType{"stakes-invalid", "The body is not a source of stakes", http.StatusUnprocessableEntity}
	stakesEpoch        = problemType{"stakes-epoch", "The epoch of the stakes is not known, or another one", http.StatusUnprocessableEntity}
	notDerivable       = problemType{"not-derivable", "No schedule follows from the stakes", http.StatusUnprocessableEntity}
	internal           = problemType{"internal", "The service failed", http.StatusInternalServerError}
	epochUnreadable    = problemType{"epoch-unreadable", "What is held of the epoch cannot be read", http.StatusInternalServerError}
	clockUnknown       = problemType{"clock-unknown", "It is not known which slot it is", http.StatusServiceUnavailable}
	clockStale         = problemType{"clock-stale", "It is not known any more which epoch it is", http.StatusServiceUnavailable}
	epochLengthUnknown = problemType{"epoch-length-unknown", "It is not known how long epochs are", http.StatusServiceUnavailable}
	storeFailed        = problemType{"store-failed", "The stakes could not be stored", http.StatusInternalServerError}
	storeFull          = problemType{"store-full", "There is no room for the stakes", http.StatusInsufficientStorage}
)

func problemTypes() []problemType {
	return []problemType{
		badParameter, unauthorized, postsClosed, routeUnknown, epochUnknown, formatUnavailable, methodNotAllowed,
		notAcceptable, otherCluster, betterHeld, tooLarge, unsupportedMedia, stakesInvalid, stakesEpoch, notDerivable,
		internal, epochUnreadable, clockUnknown, clockStale, epochLengthUnknown, storeFailed, storeFull,
	}
}

// ProblemTypes returns every Problem.Type.
func ProblemTypes() []string {
	var types []string
	for _, t := range problemTypes() {
		types = append(types, typePrefix+t.name)
	}
	return types
}

func problemf(t problemType, format string, args ...any) *Problem {
	return &Problem{Type: typePrefix + t.name, Title: t.title, Status: t.status, Detail: fmt.Sprintf(format, args...)}
}

// badf is a problem with a parameter, of the path or the query.
func badf(parameter, format string, args ...any) *Problem {
	p := problemf(badParameter, format, args...)
	p.Parameter = parameter
	return p
}

// shorten keeps what a client sent from filling an answer.
func shorten(text string) string {
	const most = 80
	if len(text) > most {
		text = text[:most] + "..."
	}
	return strings.ToValidUTF8(text, "?")
}

// fail answers with a problem.
func (h *Handler) fail(c *call, err error) {
	p := *h.explain(err)
	p.Instance = shorten(c.r.URL.EscapedPath())
	header := c.w.Header()
	for name, values := range p.header {
		header[name] = values
	}
	if p.Status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "5")
	}
	body, err := json.Marshal(p)
	if err != nil { // has nothing that could fail
		h.log.Error("a problem cannot be written", "error", err)
	}
	body = append(body, '\n')
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	c.w.WriteHeader(p.Status)
	if c.r.Method != http.MethodHead {
		c.w.Write(body)
	}
}

// explain returns what an error means to a client. What it cannot act on is logged,
// and not told in detail: it may name paths of this machine.
func (h *Handler) explain(err error) *Problem {
	var p *Problem
	var unknown *schedule.UnknownEpochError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &unknown):
		p = problemf(epochUnknown, "no stakes of epoch %d are held, so that nothing is known of its leaders", unknown.Epoch)
		p.Epoch = &unknown.Epoch
		return p
	case errors.Is(err, epochs.ErrNoEpochSchedule):
		return problemf(epochLengthUnknown, "neither a setting nor a stake list told how long epochs are")
	case errors.Is(err, epochs.ErrNoVotes), errors.Is(err, schedulefile.ErrSlotRange):
		return problemf(formatUnavailable, "%v", err)
	}
	h.log.Error("a request could not be answered", "error", err)
	return problemf(internal, "the log of the service says why")
}
