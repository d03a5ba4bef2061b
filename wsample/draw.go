package wsample

import "github.com/schedgen/schedgen/chacha20rng"

// Sample draws an index and leaves it in the list. An Indeterminate draw does
// not leave the sampler poisoned.
func (s *Sampler) Sample(r *chacha20rng.RNG) uint32 {
	total := s.Total()
	if total == 0 {
		return Empty
	}
	if s.poisoned {
		return Indeterminate
	}
	roll := r.RollN(total+s.poison, s.rejection)
	if roll >= total {
		return Indeterminate
	}
	return uint32(s.find(roll))
}

// SampleMany is len(dst) calls of Sample.
func (s *Sampler) SampleMany(r *chacha20rng.RNG, dst []uint32) {
	total := s.Total()
	if total == 0 || s.poisoned {
		s.fillWithout(dst)
		return
	}
	zone := s.rejection.Zone(total + s.poison)
	var rolls [256]uint64
	for len(dst) > 0 {
		x := rolls[:min(len(dst), len(rolls))]
		r.FillRolls(x, zone)
		s.mapAll(dst[:len(x)], x, total)
		dst = dst[len(x):]
	}
}

// mapAll sets dst[i] to what the roll x[i] gives.
func (s *Sampler) mapAll(dst []uint32, x []uint64, total uint64) {
	if s.poison == 0 {
		s.findAll(dst, x)
		return
	}
	from := 0 // the first roll not looked up yet
	for i, roll := range x {
		if roll >= total {
			s.findAll(dst[from:i], x[from:i])
			dst[i] = Indeterminate
			from = i + 1
		}
	}
	s.findAll(dst[from:], x[from:])
}

// fillWithout sets dst to what draws give that use no word.
func (s *Sampler) fillWithout(dst []uint32) {
	draw := Indeterminate
	if s.Total() == 0 {
		draw = Empty
	}
	for i := range dst {
		dst[i] = draw
	}
}

// SampleAndRemove draws an index and removes it. After a draw that falls on the
// poisoned weight the sampler is poisoned.
func (s *Sampler) SampleAndRemove(r *chacha20rng.RNG) uint32 {
	total := s.Total()
	if total == 0 {
		return Empty
	}
	if s.poisoned {
		return Indeterminate
	}
	roll := r.RollN(total+s.poison, s.rejection)
	if roll >= total {
		s.poisoned = true
		return Indeterminate
	}
	s.left--
	return uint32(s.take(roll))
}

// SampleAndRemoveMany is len(dst) calls of SampleAndRemove.
func (s *Sampler) SampleAndRemoveMany(r *chacha20rng.RNG, dst []uint32) {
	for len(dst) > 0 && s.poison > 0 && s.left > 0 && !s.poisoned {
		dst[0] = s.SampleAndRemove(r) // each draw may be the last one that uses words
		dst = dst[1:]
	}
	if !s.poisoned {
		draws := min(len(dst), s.left)
		s.takeAll(dst[:draws], r)
		s.left -= draws
		dst = dst[draws:]
	}
	s.fillWithout(dst)
}
