package schedule

// identities numbers the distinct nodes of a stake list in the order of their
// first ranks.
type identities struct {
	count int
	// of gives the number by rank, first the first rank by number. Both are nil
	// where no two entries share a node: the number is then the rank.
	of, first []uint32
	table     keyTable // finds numbers
}

// Identities returns the number of distinct identities; several vote accounts
// may share one.
func (s *Stakes) Identities() int { return s.identities().count }

func (s *Stakes) identities() *identities {
	s.identitiesOnce.Do(func() { s.identitiesOf = numberIdentities(s.nodes) })
	return &s.identitiesOf
}

func numberIdentities(nodes []Pubkey) identities {
	first := make([]uint32, 0, len(nodes))
	of := make([]uint32, len(nodes))
	table := newKeyTable(len(nodes), func(i uint32) *Pubkey { return &nodes[first[i]] })
	for rank := range nodes {
		number, added := table.insert(&nodes[rank], uint32(len(first)))
		if added {
			first = append(first, uint32(rank))
		}
		of[rank] = number
	}
	ids := identities{count: len(first), of: of, first: first, table: table}
	if ids.count == len(nodes) {
		ids.of, ids.first = nil, nil
		ids.table.key = func(i uint32) *Pubkey { return &nodes[i] }
	}
	return ids
}

// rank returns the first rank of an identity.
func (ids *identities) rank(number int) int {
	if ids.first == nil {
		return number
	}
	return int(ids.first[number])
}

// rankOfKey returns the rank of a key.
func (s *Stakes) rankOfKey(key *Pubkey) (int, bool) {
	s.keysOnce.Do(func() {
		s.keysTable = newKeyTable(len(s.keys), func(i uint32) *Pubkey { return &s.keys[i] })
		for rank := range s.keys {
			s.keysTable.insert(&s.keys[rank], uint32(rank))
		}
	})
	rank, ok := s.keysTable.find(key)
	return int(rank), ok
}
