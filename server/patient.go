package server

import (
	"io"
	"net/http"
	"time"
)

// A patient body may take long as a whole, while something comes. It counts from the
// first read on: whoever is refused before is given no more time than others.
type patient struct {
	io.ReadCloser
	control *http.ResponseController
	pause   time.Duration // for the next part
	write   time.Duration // for the answer, after the last
	end     time.Time     // of everything
	begun   bool
}

func (p *patient) Read(b []byte) (int, error) {
	if !p.begun {
		p.begun = true
		p.control.SetWriteDeadline(p.end.Add(p.write))
	}
	next := time.Now().Add(p.pause)
	if next.After(p.end) {
		next = p.end
	}
	p.control.SetReadDeadline(next)
	n, err := p.ReadCloser.Read(b)
	if err != nil {
		p.control.SetReadDeadline(time.Time{}) // what is read is worked on for as long as it takes
	}
	return n, err
}
