package rest

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// A call is a request and where its answer goes.
type call struct {
	w        http.ResponseWriter
	r        *http.Request
	query    url.Values
	location string // of the same answer when the path has no moving name in it; "" when it has none
}

// many are the parameters that may be given more than once.
const many = "identity"

// parseQuery reads a query, of which the parameters must be those of params.
func parseQuery(raw string, params []string) (url.Values, error) {
	if raw == "" {
		return nil, nil
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, badf("", "the query does not parse: %s", shorten(err.Error()))
	}
	for name, given := range values {
		switch {
		case !slices.Contains(params, name) && len(params) == 0:
			return nil, badf(shorten(name), "unknown parameter %q, there are none here", shorten(name))
		case !slices.Contains(params, name):
			return nil, badf(shorten(name), "unknown parameter %q, want %s", shorten(name), strings.Join(params, ", "))
		case len(given) > 1 && name != many:
			return nil, badf(name, "parameter %s is given %d times, want it once", name, len(given))
		}
	}
	return values, nil
}

// number reads a parameter; ok is false when it is not given.
func (c *call) number(name string, least, most uint64) (n uint64, ok bool, err error) {
	if !c.query.Has(name) {
		return 0, false, nil
	}
	text := c.query.Get(name)
	if n, err = strconv.ParseUint(text, 10, 64); err != nil || n < least || n > most {
		return 0, false, badf(name, "%s is %q, want a number from %d to %d", name, shorten(text), least, most)
	}
	return n, true, nil
}

// flag reads a parameter that is on or off.
func (c *call) flag(name string) (bool, error) {
	switch text := c.query.Get(name); text {
	case "1", "true":
		return true, nil
	case "", "0", "false":
		return false, nil
	default:
		return false, badf(name, "%s is %q, want 1 or 0", name, shorten(text))
	}
}

// key reads the key in the path.
func (c *call) key() (schedule.Pubkey, error) {
	return parseKey("key", c.r.PathValue("key"))
}

func parseKey(parameter, text string) (schedule.Pubkey, error) {
	key, err := schedule.ParsePubkey(text)
	if err != nil {
		return key, badf(parameter, "%q is no key: %v; want an address of 32 to 44 base58 digits", shorten(text), err)
	}
	return key, nil
}
