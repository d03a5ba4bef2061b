package clienttest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/slotfeed"
)

// manySlots is how many notifications a client waits for: enough to come into
// another epoch.
const manySlots = 30

// A notification is what a client was told of a slot, and whom it then found to
// lead it.
type notification struct {
	Slot, Parent, Root schedule.Slot
	Leader             string
}

// ticking is a cluster close before the end of an epoch, with enough epochs to come.
func ticking(t testing.TB) (*cluster, service) {
	c := warmUp(t, 60)
	c.slot = c.es.LastSlot(5) - 20
	return c, serve(t, c, 40*time.Millisecond)
}

// checkSlots compares notifications with the cluster. Slots may be missed, but each
// has its parent, its root and its leader.
func checkSlots(t *testing.T, c *cluster, told []notification) {
	t.Helper()
	if len(told) != manySlots {
		t.Fatalf("%d notifications, not %d", len(told), manySlots)
	}
	last := c.slot
	for _, n := range told {
		if n.Slot <= last || n.Parent != n.Slot-1 || n.Root != n.Slot-slotfeed.FinalizedLag {
			t.Errorf("after slot %d: %+v", last, n)
		}
		last = n.Slot
		if want := c.leaders(t, n.Slot, 1)[0]; n.Leader != want {
			t.Errorf("slot %d is led by %s, not %s", n.Slot, n.Leader, want)
		}
	}
}

func TestSlotsNode(t *testing.T) {
	folder(t)
	for name, client := range clients {
		t.Run(name, func(t *testing.T) {
			c, s := ticking(t)
			request := struct {
				service
				Slots int `json:"slots"`
			}{s, manySlots}
			var reply json.RawMessage
			node(t, client.script, request, &reply)
			var told []notification
			if err := json.Unmarshal(canonical(t, "slotSubscribe", reply, false), &told); err != nil {
				t.Fatal(err)
			}
			checkSlots(t, c, told)
		})
	}
}

// A plain WebSocket hears of slots from its subscription on until it ends that.
func TestSlotsPlain(t *testing.T) {
	c, s := ticking(t)
	ctx := t.Context()
	conn, _, err := websocket.Dial(ctx, s.WS, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	type message struct {
		ID     string
		Result json.RawMessage
		Error  *failure
		Method string
		Params struct {
			Result       notification
			Subscription int
		}
	}
	read := func() (m message) {
		t.Helper()
		if err := wsjson.Read(ctx, conn, &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	call := func(id, method string, params ...any) {
		t.Helper()
		err := wsjson.Write(ctx, conn, map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		if err != nil {
			t.Fatal(err)
		}
	}

	call("a", "slotSubscribe")
	var id int
	if m := read(); m.ID != "a" || m.Error != nil || json.Unmarshal(m.Result, &id) != nil {
		t.Fatalf("%+v", m)
	}
	var told []notification
	for range manySlots {
		m := read()
		if m.Method != "slotNotification" || m.Params.Subscription != id {
			t.Fatalf("%+v", m)
		}
		_, leaders := post(t, s, "identity", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"getSlotLeaders","params":[%d,1]}`, m.Params.Result.Slot))
		var reply struct{ Result []string }
		if err := json.Unmarshal(leaders, &reply); err != nil || len(reply.Result) != 1 {
			t.Fatalf("%s: %v", leaders, err)
		}
		m.Params.Result.Leader = reply.Result[0]
		told = append(told, m.Params.Result)
	}
	checkSlots(t, c, told)

	call("b", "slotUnsubscribe", id)
	m := read()
	for m.Method == "slotNotification" { // on its way already
		m = read()
	}
	if m.ID != "b" || string(m.Result) != "true" {
		t.Fatalf("%+v", m)
	}
	call("c", "slotUnsubscribe", id)
	m = read()
	for m.Method == "slotNotification" {
		m = read()
	}
	if m.ID != "c" || m.Error == nil || m.Error.Code != -32602 || m.Error.Message != "Invalid subscription id." {
		t.Fatalf("%+v", m)
	}
	call("d", "getVersion") // nothing is heard in between any more
	if m := read(); m.ID != "d" || m.Error != nil {
		t.Fatalf("%+v", m)
	}
}
