package wsample

import "github.com/schedgen/schedgen/chacha20rng"

// Sample draws an index and leaves it in the list. An Indeterminate draw does
// not leave the sampler poisoned.
func (s *Sampler) Sample(r *chacha20rng.RNG) uint32 {
	if s.tree.total == 0 {
		return Empty
	}
	if s.poisoned {
		return Indeterminate
	}
	return s.at(r.RollN(s.tree.total+s.poison, s.rejection))
}

// at returns what a roll gives.
func (s *Sampler) at(roll uint64) uint32 {
	if roll >= s.tree.total {
		return Indeterminate
	}
	return uint32(s.tree.find(roll))
}

// SampleMany is len(dst) calls of Sample.
func (s *Sampler) SampleMany(r *chacha20rng.RNG, dst []uint32) {
	if s.tree.total == 0 || s.poisoned {
		for i := range dst {
			dst[i] = s.Sample(r)
		}
		return
	}
	zone := s.rejection.Zone(s.tree.total + s.poison)
	var rolls [chunk]uint64
	for len(dst) > 0 {
		x := rolls[:min(len(dst), chunk)]
		r.FillRolls(x, zone)
		for i, roll := range x {
			dst[i] = s.at(roll)
		}
		dst = dst[len(x):]
	}
}

// SampleAndRemove draws an index and removes it. After a draw that falls on the
// poisoned weight the sampler is poisoned.
func (s *Sampler) SampleAndRemove(r *chacha20rng.RNG) uint32 {
	if s.tree.total == 0 {
		return Empty
	}
	if s.poisoned {
		return Indeterminate
	}
	roll := r.RollN(s.tree.total+s.poison, s.rejection)
	if roll >= s.tree.total {
		s.poisoned = true
		return Indeterminate
	}
	leaf := s.tree.find(roll)
	s.tree.remove(leaf, s.tree.weight(leaf))
	s.left--
	return uint32(leaf)
}

// SampleAndRemoveMany is len(dst) calls of SampleAndRemove.
func (s *Sampler) SampleAndRemoveMany(r *chacha20rng.RNG, dst []uint32) {
	for i := range dst {
		dst[i] = s.SampleAndRemove(r)
	}
}
