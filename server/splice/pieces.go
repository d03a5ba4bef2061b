package splice

// pieces gathers what is written without ever copying it to grow. A large text
// would otherwise take twice its size for a moment.
type pieces [][]byte

const pieceSize = 1 << 20

func (ps *pieces) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		last := len(*ps) - 1
		if last < 0 || len((*ps)[last]) == cap((*ps)[last]) {
			*ps = append(*ps, make([]byte, 0, pieceSize))
			last++
		}
		piece := (*ps)[last]
		room := min(len(p), cap(piece)-len(piece))
		(*ps)[last] = append(piece, p[:room]...)
		p = p[room:]
	}
	return n, nil
}

// trim gives back the room that the last piece does not need.
func (ps pieces) trim() {
	for i, piece := range ps {
		if cap(piece)-len(piece) > len(piece)/16 {
			ps[i] = append(make([]byte, 0, len(piece)), piece...)
		}
	}
}
