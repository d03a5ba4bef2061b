package pagetest

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// find returns the epoch that a request is about, by number or relation, or
// answers that there is none.
func (s *Server) find(w http.ResponseWriter, r *http.Request) *epoch {
	name := r.PathValue("e")
	for _, e := range s.epochs {
		if name == e.relation || name == strconv.FormatUint(e.Epoch(), 10) {
			return e
		}
	}
	problem(w, r, http.StatusNotFound, "Epoch not known", fmt.Sprintf("no stakes are held for epoch %s", name))
	return nil
}

func (s *Server) listEpochs(w http.ResponseWriter, _ *http.Request) {
	summaries := make([]summary, 0, len(s.epochs))
	for _, e := range s.epochs {
		summaries = append(summaries, e.summary())
	}
	answer(w, map[string]any{"epochs": summaries})
}

func (s *Server) oneEpoch(w http.ResponseWriter, r *http.Request) {
	if e := s.find(w, r); e != nil {
		answer(w, e.summary())
	}
}

func (s *Server) listLeaders(w http.ResponseWriter, r *http.Request) {
	if s.current().NoLeaders {
		problem(w, r, http.StatusInternalServerError, "Stakes unreadable", "the stored stakes are damaged")
		return
	}
	if e := s.find(w, r); e != nil {
		answer(w, map[string]any{"epoch": e.Epoch(), "leaders": e.leaders})
	}
}

func (s *Server) schedule(w http.ResponseWriter, r *http.Request) {
	e := s.find(w, r)
	if e == nil {
		return
	}
	format, err := schedule.ParseFormat(r.URL.Query().Get("format"))
	if err != nil {
		problem(w, r, http.StatusBadRequest, "Unknown format", err.Error())
		return
	}
	var only []schedule.Pubkey
	for _, text := range r.URL.Query()["identity"] {
		key, err := schedule.ParsePubkey(text)
		if err != nil {
			problem(w, r, http.StatusBadRequest, "Bad identity", err.Error())
			return
		}
		only = append(only, key)
	}
	w.Header().Set("Content-Type", "application/json")
	var out io.Writer = w
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		zip := gzip.NewWriter(w)
		defer zip.Close()
		out = zip
	}
	_ = e.Write(out, format, only...)
}
