package flatparquet

import "encoding/binary"

// runs reads n numbers of width bits in the encoding RLE: runs of one number, and
// groups of eight that are packed.
func runs(b []byte, width uint, n int) ([]uint32, error) {
	values := make([]uint32, 0, n) // n is at most the rows that are left
	if width == 0 {
		return values[:n], nil // all are 0
	}
	for len(values) < n {
		header, rest, err := uvarint(b)
		if err != nil {
			return nil, err
		}
		b = rest
		count, left := header>>1, uint64(n-len(values))
		if header&1 == 0 {
			size := int(width+7) / 8
			if len(b) < size {
				return nil, damaged("a run without its value")
			}
			var value [4]byte
			copy(value[:], b[:size])
			b = b[size:]
			for range min(count, left) {
				values = append(values, binary.LittleEndian.Uint32(value[:]))
			}
			continue
		}
		// Of the last group only what is wanted need be there.
		here := min(count, left/8+1) * 8
		for i := range min(here, left) {
			v, ok := packed(b, uint64(width)*i, width)
			if !ok {
				return nil, damaged("packed numbers end early")
			}
			values = append(values, uint32(v))
		}
		b = b[min(uint64(len(b)), min(count, 1<<32)*uint64(width)):]
	}
	return values, nil
}

// packed returns the number of width bits, at most 64, that begins at a bit,
// counted from the lowest of the first byte; false when b does not have it all.
func packed(b []byte, bit uint64, width uint) (uint64, bool) {
	first, shift := bit/8, uint(bit%8)
	end := (bit + uint64(width) + 7) / 8
	if end > uint64(len(b)) {
		return 0, false
	}
	var low [8]byte
	n := copy(low[:], b[first:end])
	v := binary.LittleEndian.Uint64(low[:]) >> shift
	if first+uint64(n) < end { // it touches nine bytes
		v |= uint64(b[first+8]) << (64 - shift)
	}
	if width < 64 {
		v &= 1<<width - 1
	}
	return v, true
}

// deltas reads n numbers in the encoding DELTA_BINARY_PACKED: the first, then
// blocks of packed differences. It returns what follows.
func deltas(b []byte, n int) (values []int64, rest []byte, err error) {
	var header [3]uint64 // values of a block, parts of a block, values in all
	for i := range header {
		if header[i], b, err = uvarint(b); err != nil {
			return nil, nil, err
		}
	}
	value, b, err := zigzag(b)
	if err != nil {
		return nil, nil, err
	}
	block, parts, total := header[0], header[1], header[2]
	if block == 0 || block > 1<<20 || parts == 0 || parts > block || block%parts != 0 || block/parts%8 != 0 || total != uint64(n) {
		return nil, nil, damaged("%d differences in blocks of %d in %d parts, want %d", total, block, parts, n)
	}
	if n == 0 {
		return nil, b, nil
	}
	values = append(make([]int64, 0, n), value) // n is at most the rows that are left
	part := block / parts
	for len(values) < n {
		var least int64
		if least, b, err = zigzag(b); err != nil {
			return nil, nil, err
		}
		if uint64(len(b)) < parts {
			return nil, nil, damaged("differences without their widths")
		}
		widths := b[:parts]
		b = b[parts:]
		for _, width := range widths {
			if len(values) == n {
				break
			}
			size := part / 8 * uint64(width)
			if width > 64 || uint64(len(b)) < size {
				return nil, nil, damaged("packed differences end early")
			}
			for i := range min(part, uint64(n-len(values))) {
				difference, _ := packed(b, i*uint64(width), uint(width))
				value += least + int64(difference)
				values = append(values, value)
			}
			b = b[size:]
		}
	}
	return values, b, nil
}
