package noderpc_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

// body is a transport that answers everything with one text, in which ID stands
// for the id of the first request.
type body []byte

func (b body) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Body.Close()
	return &http.Response{
		Status: "200 OK", StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{}, ContentLength: -1, Body: io.NopCloser(bytes.NewReader(b)),
	}, nil
}

// Whatever a node says, the result is an error of the documented kinds, or
// holds what it promises.
func FuzzReplies(f *testing.F) {
	k := schedule.Pubkey{1}.String()
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"absoluteSlot":130,"epoch":2,"slotIndex":2,"slotsInEpoch":64}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"current":[{"votePubkey":"` + k + `","nodePubkey":"` + k + `","activatedStake":18446744073709551615}],"delinquent":[]}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"` + k + `":[0,1,2,3]}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"firstNormalEpoch":14,"firstNormalSlot":524256,"leaderScheduleSlotOffset":432000,"slotsPerEpoch":432000,"warmup":true}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":[{"lamports":1,"owner":"` + k + `","data":["AAAA","base64"]}]}}`,
		`{"jsonrpc":"2.0","id":1,"result":[{"slot":1,"numSlots":150,"samplePeriodSecs":60,"numTransactions":1}]}`,
		`{"jsonrpc":"2.0","id":1,"result":"` + k + `"}`,
		`{"jsonrpc":"2.0","id":1,"result":1791460800}`,
		`{"jsonrpc":"2.0","id":1,"result":null}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
		`<html>`, `[]`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		ask := func(call func(c *noderpc.Client) error) {
			c, err := noderpc.Dial("http://node.example/?key=secret", noderpc.Options{Retries: -1, Transport: body(text)})
			if err != nil {
				t.Fatal(err)
			}
			err = call(c)
			if err == nil {
				return
			}
			var answer *noderpc.RPCError
			if !errors.Is(err, noderpc.ErrReply) && !errors.Is(err, noderpc.ErrUnavailable) && !errors.As(err, &answer) {
				t.Fatalf("%v is of no known kind", err)
			}
			if s := err.Error(); strings.ContainsAny(s, "\r\n") || len(s) > 1000 || strings.Contains(s, "key=") {
				t.Fatalf("%q is no line", s)
			}
		}
		ask(func(c *noderpc.Client) error {
			info, err := c.EpochInfo(t.Context(), noderpc.Finalized)
			if err == nil && (info.FirstSlot() > info.AbsoluteSlot || uint64(info.SlotIndex) >= info.SlotsInEpoch) {
				t.Fatalf("%+v", info)
			}
			return err
		})
		ask(func(c *noderpc.Client) error {
			es, err := c.EpochSchedule(t.Context())
			if err == nil && es.SlotsPerEpoch < schedule.MinSlotsPerEpoch {
				t.Fatalf("%+v", es)
			}
			return err
		})
		ask(func(c *noderpc.Client) error {
			accounts, err := c.VoteAccounts(t.Context())
			seen := map[schedule.Pubkey]bool{}
			for _, a := range accounts {
				if seen[a.Vote] {
					t.Fatalf("%v twice", a.Vote)
				}
				seen[a.Vote] = true
			}
			return err
		})
		ask(func(c *noderpc.Client) error {
			leaders, err := c.LeaderSchedule(t.Context(), nil, nil)
			seen := map[schedule.Index]bool{}
			for _, indices := range leaders {
				for _, i := range indices {
					if seen[i] {
						t.Fatalf("index %d twice", i)
					}
					seen[i] = true
				}
			}
			return err
		})
		ask(func(c *noderpc.Client) error {
			accounts, err := c.Accounts(t.Context(), []schedule.Pubkey{{}}, 0, 4)
			if err == nil && (len(accounts) != 1 || accounts[0] != nil && len(accounts[0].Data) > 4) {
				t.Fatalf("%+v", accounts)
			}
			return err
		})
		ask(func(c *noderpc.Client) error { _, err := c.GenesisHash(t.Context()); return err })
		ask(func(c *noderpc.Client) error { _, err := c.Slot(t.Context(), ""); return err })
		ask(func(c *noderpc.Client) error { _, err := c.SlotLeaders(t.Context(), 0, 1); return err })
		ask(func(c *noderpc.Client) error { _, err := c.BlockTime(t.Context(), 0); return err })
		ask(func(c *noderpc.Client) error { _, err := c.PerformanceSamples(t.Context(), 1); return err })
	})
}
