package jsonrpc_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/jsonrpc"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/list"
)

func Example() {
	registry, err := epochs.New(epochs.Options{Cluster: "mainnet-beta"})
	if err != nil {
		fmt.Println(err)
		return
	}
	epoch := uint64(1041)
	if _, err := registry.Put(&list.List{
		HasVotes:   true,
		Entries:    []schedule.Entry{{Key: schedule.Pubkey{1}, Node: schedule.Pubkey{2}, Stake: 1}},
		Provenance: list.Provenance{Kind: list.KindSnapshot, Source: "snapshot", Epoch: &epoch, Vintage: list.VintageExact},
	}); err != nil {
		fmt.Println(err)
		return
	}
	anchor, err := slotfeed.NewAnchor(slotclock.Assume(450_000_000, time.Now(), 400*time.Millisecond), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(jsonrpc.New(jsonrpc.Of(registry), anchor, jsonrpc.Options{}))
	defer server.Close()

	for _, call := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"getSlotLeaders","params":[450000000,2]}`,
		`{"jsonrpc":"2.0","id":"a","method":"getSlotLeaders","params":[450143999,2]}`,
		`[{"jsonrpc":"2.0","id":2,"method":"getLeaderSchedule","params":[500000000]}]`,
	} {
		response, err := http.Post(server.URL, "application/json", strings.NewReader(call))
		if err != nil {
			fmt.Println(err)
			return
		}
		var text strings.Builder
		response.Write(&text)
		fmt.Print(text.String()[strings.Index(text.String(), "\r\n\r\n")+4:])
	}
	// Output:
	// {"jsonrpc":"2.0","result":["8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh","8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh"],"id":1}
	// {"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid slot range: leader schedule for epoch 1042 is unavailable"},"id":"a"}
	// [{"jsonrpc":"2.0","result":null,"id":2}]
}
