package flatparquet

import (
	"encoding/binary"
	"fmt"
)

// Null stands for a text that a row does not have.
const Null = ^uint32(0)

// Numbers returns a column of Numbers in a row group. A negative number, or none,
// is an ErrValue.
func (f *File) Numbers(group, column int) ([]uint64, error) {
	c := f.Columns[column]
	if c.Kind != Numbers {
		return nil, fmt.Errorf("%w: the column is not one of whole numbers", ErrValue)
	}
	size := 8
	if c.small {
		size = 4
	}
	values, err := readChunk(f, group, column, codec[int64]{
		plain: func(b []byte) (int64, []byte, error) {
			if len(b) < size {
				return 0, nil, damaged("a page ends early")
			}
			if c.small {
				return int64(int32(binary.LittleEndian.Uint32(b))), b[size:], nil
			}
			return int64(binary.LittleEndian.Uint64(b)), b[size:], nil
		},
		delta: func(b []byte, n int) ([]int64, error) {
			values, _, err := deltas(b, n)
			return values, err
		},
		noNull: true,
	})
	if err != nil {
		return nil, err
	}
	numbers := make([]uint64, len(values))
	for row, v := range values {
		switch {
		case v >= 0 || c.unsigned && !c.small:
			numbers[row] = uint64(v)
		case c.unsigned:
			numbers[row] = uint64(uint32(v))
		default:
			return nil, fmt.Errorf("%w: %d in row %d of row group %d, want no negative number", ErrValue, v, row, group)
		}
	}
	return numbers, nil
}

// Texts returns what number returned for the bytes of each row of a column of
// Texts or FixedRaw in a row group, or Null. Where the column has a dictionary
// number is called once for each of its entries.
func (f *File) Texts(group, column int, number func([]byte) (uint32, error)) ([]uint32, error) {
	c := f.Columns[column]
	cd := codec[uint32]{null: Null}
	switch c.Kind {
	case Texts:
		cd.plain = func(b []byte) (uint32, []byte, error) {
			if len(b) < 4 {
				return 0, nil, damaged("a page ends early")
			}
			n := uint64(binary.LittleEndian.Uint32(b))
			if b = b[4:]; n > uint64(len(b)) {
				return 0, nil, damaged("a string of %d bytes in %d", n, len(b))
			}
			v, err := number(b[:n])
			return v, b[n:], err
		}
		cd.deltaLengths = func(b []byte, n int) ([]uint32, error) { return deltaLengths(b, n, number) }
		cd.deltaTexts = func(b []byte, n int) ([]uint32, error) { return deltaTexts(b, n, number) }
	case FixedRaw:
		cd.plain = func(b []byte) (uint32, []byte, error) {
			if len(b) < c.Size {
				return 0, nil, damaged("a page ends early")
			}
			v, err := number(b[:c.Size])
			return v, b[c.Size:], err
		}
	default:
		return nil, fmt.Errorf("%w: the column is not one of strings", ErrValue)
	}
	return readChunk(f, group, column, cd)
}

// deltaLengths reads the encoding DELTA_LENGTH_BYTE_ARRAY: the lengths of all
// strings, then their bytes.
func deltaLengths(b []byte, n int, number func([]byte) (uint32, error)) ([]uint32, error) {
	lengths, b, err := deltas(b, n)
	if err != nil {
		return nil, err
	}
	values := make([]uint32, n)
	for i, length := range lengths {
		if length < 0 || length > int64(len(b)) {
			return nil, damaged("a string of %d bytes in %d", length, len(b))
		}
		if values[i], err = number(b[:length]); err != nil {
			return nil, err
		}
		b = b[length:]
	}
	return values, nil
}

// maxShared bounds what a string shares with the one before, so that a short page
// does not stand for endless text.
const maxShared = 1 << 10

// deltaTexts reads the encoding DELTA_BYTE_ARRAY: how many bytes each string has
// in common with the one before, then the rest of each as deltaLengths.
func deltaTexts(b []byte, n int, number func([]byte) (uint32, error)) ([]uint32, error) {
	shared, b, err := deltas(b, n)
	if err != nil {
		return nil, err
	}
	var text []byte
	return deltaLengths(b, n, func(rest []byte) (uint32, error) {
		common := shared[0]
		shared = shared[1:]
		if common < 0 || common > int64(min(len(text), maxShared)) {
			return 0, damaged("a string with %d bytes of one of %d", common, len(text))
		}
		text = append(text[:common], rest...)
		return number(text)
	})
}
