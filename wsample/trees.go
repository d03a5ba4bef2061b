package wsample

import "github.com/schedgen/schedgen/chacha20rng"

// A Sampler has one of two trees. The functions of this file call it. They are
// switches: through an interface the slices of every caller would escape to the
// heap.

func (s *Sampler) find(x uint64) int {
	if s.wide != nil {
		return s.wide.find(x)
	}
	return s.tree.find(x)
}

func (s *Sampler) findAll(dst []uint32, x []uint64) {
	if s.wide != nil {
		s.wide.findAll(dst, x)
	} else {
		s.tree.findAll(dst, x)
	}
}

func (s *Sampler) take(x uint64) int {
	if s.wide != nil {
		return s.wide.take(x)
	}
	return s.tree.take(x)
}

func (s *Sampler) takeAll(dst []uint32, r *chacha20rng.RNG) {
	if s.wide != nil {
		s.wide.takeAll(dst, r, s.rejection)
	} else {
		s.tree.takeAll(dst, r, s.rejection)
	}
}

func (s *Sampler) weight(i int) uint64 {
	if s.wide != nil {
		return s.wide.weight(i)
	}
	return s.tree.weight(i)
}

func (s *Sampler) remove(i int, w uint64) {
	if s.wide != nil {
		s.wide.remove(i, w)
	} else {
		s.tree.remove(i, w)
	}
}

func (s *Sampler) save() {
	if s.wide != nil {
		s.wide.save()
	} else {
		s.tree.save()
	}
}

func (s *Sampler) restoreTree() {
	if s.wide != nil {
		s.wide.restore()
	} else {
		s.tree.restore()
	}
}
