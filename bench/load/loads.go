package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes"
)

// A load is what clients ask, in turns: the kinds of requests with how often each
// comes.
type load struct {
	name  string
	kinds []*kind
}

// A kind is a request, over the wire to the service and to the plain server.
type kind struct {
	weight         int
	service, plain []byte
	answer         answer
}

// A world is what the service should answer: the example list in the epoch that it
// says is the current one.
type world struct {
	address  string
	schedule *schedule.Schedule
}

// makeLoads asks for each kind of answer once, and checks those that say what a
// schedule does not.
func makeLoads(address string) ([]*load, error) {
	w, err := newWorld(address)
	if err != nil {
		return nil, err
	}
	first := w.schedule.FirstSlot()
	leader, _ := w.schedule.LeaderAt(first)
	whole := call("getLeaderSchedule", fmt.Sprintf("[%d]", first), "Accept-Encoding: gzip\r\n")
	hundred := call("getSlotLeaders", fmt.Sprintf("[%d,100]", first+1000), "")
	all := []*load{
		{"getLeaderSchedule, whole, gzip", []*kind{{weight: 1, service: whole}}},
		{"getSlotLeaders(100)", []*kind{{weight: 1, service: hundred}}},
		{"mixed", []*kind{
			{weight: 60, service: hundred},
			{weight: 5, service: whole},
			{weight: 10, service: call("getLeaderSchedule", fmt.Sprintf(`[%d,{"identity":"%v"}]`, first, leader), "")},
			{weight: 10, service: call("getSlotLeader", "[]", "")},
			{weight: 5, service: call("getEpochInfo", "[]", "")},
			{weight: 5, service: get(fmt.Sprintf("/v1/leaders/%v/next?n=5&from=%d", leader, first))},
			{weight: 3, service: get(fmt.Sprintf("/v1/slots/%d", first+77))},
			{weight: 1, service: get(fmt.Sprintf("/v1/epochs/%d/leaders?limit=50", w.schedule.Epoch()))},
			{weight: 1, service: get(fmt.Sprintf("/v1/epochs/%d/schedule?format=csv&from=%d&to=%d", w.schedule.Epoch(), first, first+999))},
		}},
	}
	for i, l := range all {
		for j, k := range l.kinds {
			if err := k.capture(address, fmt.Sprintf("/%d/%d", i, j)); err != nil {
				return nil, fmt.Errorf("%s: %w", l.name, err)
			}
		}
	}
	return all, w.check(all)
}

func newWorld(address string) (*world, error) {
	var status struct {
		Ready bool
		Clock struct{ Epoch uint64 }
	}
	for range 600 { // a minute
		text, err := fetch("http://" + address + "/v1/status")
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &status); err != nil {
			return nil, err
		}
		if status.Ready {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if !status.Ready {
		return nil, fmt.Errorf("the service does not become ready")
	}
	set, err := stakes.Open(context.Background(), stakes.Example, stakes.Options{})
	if err != nil {
		return nil, err
	}
	list, err := schedule.NewStakes(set.Lists[0].Entries, schedule.KeyedByVote)
	if err != nil {
		return nil, err
	}
	es, err := schedule.ClusterSchedule("mainnet-beta")
	if err != nil {
		return nil, err
	}
	epoch := status.Clock.Epoch
	s, err := schedule.Derive(list, schedule.Params{Epoch: epoch, FirstSlot: es.FirstSlot(epoch), Slots: es.SlotsIn(epoch)})
	return &world{address, s}, err
}

// check holds the first two answers against the schedule.
func (w *world) check(all []*load) error {
	unpacked, err := gzip.NewReader(bytes.NewReader(all[0].kinds[0].answer.Body))
	if err != nil {
		return err
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return err
	}
	var want bytes.Buffer
	if err := w.schedule.Write(&want, schedule.FormatRPC); err != nil {
		return err
	}
	if !bytes.Contains(text, bytes.TrimSpace(want.Bytes())) {
		return fmt.Errorf("getLeaderSchedule is not the derived schedule")
	}
	var leaders struct{ Result []schedule.Pubkey }
	if err := json.Unmarshal(all[1].kinds[0].answer.Body, &leaders); err != nil {
		return err
	}
	for i, leader := range leaders.Result {
		if want, _ := w.schedule.LeaderAt(w.schedule.FirstSlot() + 1000 + schedule.Slot(i)); leader != want || len(leaders.Result) != 100 {
			return fmt.Errorf("getSlotLeaders is not the derived schedule")
		}
	}
	return nil
}

// call is a JSON-RPC request as bytes.
func call(method, params, header string) []byte {
	return post(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`, header)
}

func post(body, header string) []byte {
	return []byte("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + header +
		"Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)
}

func get(path string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

// capture asks the service once, and makes the same request to the plain server at a
// path.
func (k *kind) capture(address, path string) error {
	c, err := dial(address)
	if err != nil {
		return err
	}
	defer c.close()
	if k.answer, err = c.whole(k.service); err != nil {
		return err
	}
	k.answer.Path = path
	line, rest, _ := strings.Cut(string(k.service), "\r\n")
	method, _, _ := strings.Cut(line, " ")
	k.plain = []byte(method + " " + path + " HTTP/1.1\r\n" + rest)
	return nil
}

func answersOf(loads []*load) []answer {
	var all []answer
	for _, l := range loads {
		for _, k := range l.kinds {
			all = append(all, k.answer)
		}
	}
	return all
}

func fetch(url string) ([]byte, error) {
	r, err := (&http.Transport{}).RoundTrip(mustRequest(url))
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	return io.ReadAll(r.Body)
}

func mustRequest(url string) *http.Request {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		panic(err) // of an address that this program made
	}
	return r
}
