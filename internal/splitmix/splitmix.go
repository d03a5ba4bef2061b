// Package splitmix makes inputs that are too long to list: the same ones from the
// same seed, in any language.
package splitmix

import "encoding/binary"

// Source is SplitMix64 of Steele, Lea and Flood, "Fast splittable pseudorandom
// number generators" (2014). Its value is its state, at first the seed.
type Source uint64

// Next returns the next 64 bits.
func (s *Source) Next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Key returns the next four outputs, each as 8 little-endian bytes.
func (s *Source) Key() (key [32]byte) {
	for i := 0; i < len(key); i += 8 {
		binary.LittleEndian.PutUint64(key[i:], s.Next())
	}
	return key
}
