package compare

import "errors"

// Test for these with errors.Is.
var (
	// ErrNoLeaders: a side has neither leaders nor a digest.
	ErrNoLeaders = errors.New("nothing to compare: no leaders and no digest")
	// ErrDigestOnly: a side has a digest alone, where leaders are needed.
	ErrDigestOnly = errors.New("a digest alone cannot be compared slot by slot")
	// ErrTooLong: a side claims more slots than an epoch can have here.
	ErrTooLong = errors.New("too many slots")
)
