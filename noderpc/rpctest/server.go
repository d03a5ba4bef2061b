package rpctest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// A Server is a node of a Cluster.
type Server struct {
	URL string

	http    *httptest.Server
	mu      sync.Mutex
	cluster Cluster
	faults  map[string][]Fault // by method, in the order of calls
	always  map[string]Fault
	calls   []Call
}

// A Call is a request that came in.
type Call struct {
	Method string
	Params string // JSON; "" where there are none
	Header http.Header
}

// New starts a server, which the end of the test closes.
func New(t testing.TB, c Cluster) *Server {
	s := Start(c)
	t.Cleanup(s.Close)
	return s
}

// Start starts a server outside of a test; Close ends it.
func Start(c Cluster) *Server {
	s := &Server{cluster: c, faults: map[string][]Fault{}, always: map[string]Fault{}}
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	return s
}

// Close ends the server. Requests that it has not answered fail.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Change changes the cluster between two requests.
func (s *Server) Change(change func(*Cluster)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.cluster)
}

// Fail spoils the next answers to a method, one fault each; a nil Fault is a good
// answer.
func (s *Server) Fail(method string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[method] = append(s.faults[method], faults...)
}

// FailAlways spoils all answers to a method that [Server.Fail] does not speak of.
// A nil Fault ends that.
func (s *Server) FailAlways(method string, f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always[method] = f
}

// Calls returns the requests so far of one method, or of all for "".
func (s *Server) Calls(method string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var calls []Call
	for _, c := range s.calls {
		if method == "" || c.Method == method {
			calls = append(calls, c)
		}
	}
	return calls
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// ServeHTTP answers one JSON-RPC request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var q request
	if err != nil || r.Method != http.MethodPost {
		http.Error(w, "Used HTTP Method is not allowed. POST or OPTIONS is required", http.StatusMethodNotAllowed)
		return
	}
	if err := json.Unmarshal(body, &q); err != nil {
		write(w, envelope(nil, nil, &rpcError{-32700, "Parse error"}))
		return
	}
	s.mu.Lock()
	s.calls = append(s.calls, Call{q.Method, string(q.Params), r.Header.Clone()})
	fault := s.always[q.Method]
	if queue := s.faults[q.Method]; len(queue) > 0 {
		fault, s.faults[q.Method] = queue[0], queue[1:]
	}
	result, failed := s.cluster.answer(q.Method, params(q.Params))
	reply := envelope(q.ID, result, failed)
	s.mu.Unlock()
	if fault == nil {
		write(w, reply)
		return
	}
	fault(s, w, r, q.ID, reply)
}

func write(w http.ResponseWriter, reply []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Write(reply)
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func envelope(id json.RawMessage, result any, failed *rpcError) []byte {
	reply := map[string]any{"jsonrpc": "2.0", "id": id, "result": result}
	if failed != nil {
		delete(reply, "result")
		reply["error"] = failed
	}
	text, err := json.Marshal(reply)
	if err != nil {
		panic(err) // a mistake in this package
	}
	return append(text, '\n')
}

// params splits the parameters; those that are no list count as none.
func params(text json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if bytes.HasPrefix(text, []byte("[")) && json.Unmarshal(text, &list) != nil {
		return nil
	}
	return list
}
