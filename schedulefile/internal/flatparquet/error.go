package flatparquet

import (
	"errors"
	"fmt"
)

var (
	// ErrDamaged: no Parquet file, or one whose parts do not fit together.
	ErrDamaged = errors.New("damaged Parquet file")
	// ErrUnsupported: what Parquet has and this package does not read.
	ErrUnsupported = errors.New("unsupported kind of Parquet file")
	// ErrSize: more rows, or larger pages, than a file of its size may have.
	ErrSize = errors.New("too large a Parquet file")
	// ErrValue: a value that is not of the kind that was asked for.
	ErrValue = errors.New("bad value")
)

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnsupported, fmt.Sprintf(format, args...))
}
