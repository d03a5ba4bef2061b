package store

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// A panicError is what something panicked with; it is an ErrDamaged.
type panicError struct{ with any }

func (e *panicError) Error() string { return fmt.Sprintf("%v: %v", ErrDamaged, e.with) }

func (e *panicError) Is(target error) bool { return target == ErrDamaged }

func panicked(err error) bool {
	var p *panicError
	return errors.As(err, &p)
}

// guard runs fn and returns what it panics with as a *panicError. bbolt panics
// where a page is not what its meta page promises, and reads its file through a
// memory map: a page that is not there faults. Either must end one question, not
// the process.
func guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = &panicError{r}
		}
	}()
	return fn()
}
