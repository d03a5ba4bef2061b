package wsample

import (
	"errors"
	"fmt"
)

// Errors that this package returns, wrapped with the index and value concerned.
var (
	ErrEmpty      = errors.New("wsample: no weights")
	ErrZeroWeight = errors.New("wsample: weight is zero")
	ErrOverflow   = errors.New("wsample: sum of the weights is above 2^64-1")
	ErrTooMany    = errors.New("wsample: too many weights")
	ErrIndex      = errors.New("wsample: index out of range")
	ErrNoRestore  = errors.New("wsample: sampler was made without WithRestore")
)

func checkLen(n, limit uint64) error {
	if n > limit {
		return fmt.Errorf("%w: %d, the limit is %d", ErrTooMany, n, limit)
	}
	return nil
}
