package rpctest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

// config are the options of all methods together.
type config struct {
	Commitment       noderpc.Commitment `json:"commitment"`
	Identity         string             `json:"identity"`
	KeyByVoteAccount bool               `json:"keyByVoteAccount"`
	DataSlice        *struct {
		Offset uint64 `json:"offset"`
		Length uint64 `json:"length"`
	} `json:"dataSlice"`
}

type object = map[string]any

func invalid(format string, args ...any) (any, *rpcError) {
	return nil, &rpcError{-32602, fmt.Sprintf(format, args...)}
}

// answer is what a node says to a method; c may not change meanwhile.
func (c *Cluster) answer(method string, params []json.RawMessage) (any, *rpcError) {
	o, ok := options(params)
	if !ok {
		return invalid("Invalid params: expected a configuration.")
	}
	switch method {
	case "getHealth":
		return "ok", nil
	case "getVersion":
		return object{"feature-set": 1, "solana-core": "4.4.0"}, nil
	case "getSlot":
		return c.slot(o.Commitment), nil
	case "getGenesisHash":
		return c.Genesis, nil
	case "getEpochSchedule":
		return c.EpochSchedule, nil
	case "getEpochInfo":
		return c.epochInfo(c.slot(o.Commitment)), nil
	case "getVoteAccounts":
		return c.voteAccounts(), nil
	case "getLeaderSchedule":
		return c.leaderSchedule(params, o)
	case "getSlotLeader":
		slot := c.slot(o.Commitment)
		leaders, err := c.slotLeaders(slot, 1)
		if err != nil {
			return nil, err
		}
		return leaders[0], nil
	case "getSlotLeaders":
		return c.checkedSlotLeaders(params)
	case "getBlockTime":
		return c.blockTime(params)
	case "getRecentPerformanceSamples":
		return c.samples(params)
	case "getMultipleAccounts":
		return c.multipleAccounts(params, o)
	}
	return nil, &rpcError{-32601, "Method not found"}
}

// options finds the configuration, the last parameter when that is an object.
func options(params []json.RawMessage) (o config, ok bool) {
	if len(params) == 0 {
		return o, true
	}
	last := params[len(params)-1]
	if len(last) == 0 || last[0] != '{' {
		return o, true
	}
	return o, json.Unmarshal(last, &o) == nil
}

func (c *Cluster) epochInfo(slot schedule.Slot) any {
	epoch, i := c.EpochSchedule.EpochOf(slot)
	return object{
		"absoluteSlot": slot, "blockHeight": slot, "epoch": epoch, "slotIndex": i,
		"slotsInEpoch": c.EpochSchedule.SlotsIn(epoch), "transactionCount": 2 * slot,
	}
}

func (c *Cluster) voteAccounts() any {
	current, delinquent := []any{}, []any{}
	for _, a := range c.VoteAccounts {
		text := object{
			"votePubkey": a.Vote, "nodePubkey": a.Node, "activatedStake": a.Stake, "lastVote": a.LastVote,
			"epochVoteAccount": a.InEpochStakes, "rootSlot": a.LastVote - min(a.LastVote, 31),
			"commission": 5, "epochCredits": [][3]uint64{{1, 64, 0}, {2, 128, 64}},
		}
		if a.Delinquent {
			delinquent = append(delinquent, text)
		} else {
			current = append(current, text)
		}
	}
	return object{"current": current, "delinquent": delinquent}
}

// leaderSchedule takes a slot or null first, or the configuration.
func (c *Cluster) leaderSchedule(params []json.RawMessage, o config) (any, *rpcError) {
	slot := c.Slot
	if len(params) > 0 && params[0][0] != '{' {
		if err := json.Unmarshal(params[0], &slot); err != nil {
			return invalid("Invalid params: invalid type, expected u64.")
		}
	}
	epoch, _ := c.EpochSchedule.EpochOf(slot)
	leaders, ok := c.Leaders[epoch]
	if o.KeyByVoteAccount && c.Votes != nil {
		leaders, ok = c.Votes[epoch]
	}
	if !ok {
		return nil, nil
	}
	if o.Identity == "" {
		return leaders, nil
	}
	identity, err := schedule.ParsePubkey(o.Identity)
	if err != nil {
		return invalid("Invalid param: Invalid")
	}
	one := noderpc.Leaders{}
	if o.KeyByVoteAccount && c.Votes != nil {
		for _, a := range c.VoteAccounts {
			if slots, ok := leaders[a.Vote]; ok && a.Node == identity {
				one[a.Vote] = slots
			}
		}
	} else if slots, ok := leaders[identity]; ok {
		one[identity] = slots
	}
	return one, nil
}

func (c *Cluster) checkedSlotLeaders(params []json.RawMessage) (any, *rpcError) {
	var start schedule.Slot
	var limit uint64
	if len(params) < 2 || json.Unmarshal(params[0], &start) != nil || json.Unmarshal(params[1], &limit) != nil {
		return invalid("Invalid params: expected start and limit.")
	}
	if limit > noderpc.MaxSlotLeaders {
		return invalid("Invalid limit; max %d", noderpc.MaxSlotLeaders)
	}
	leaders, err := c.slotLeaders(start, limit)
	if err != nil {
		return nil, err
	}
	return leaders, nil
}

func (c *Cluster) slotLeaders(start schedule.Slot, limit uint64) ([]schedule.Pubkey, *rpcError) {
	leaders := make([]schedule.Pubkey, limit)
	at := map[uint64]map[schedule.Index]schedule.Pubkey{}
	for i := range leaders {
		epoch, index := c.EpochSchedule.EpochOf(start + schedule.Slot(i))
		if at[epoch] == nil {
			known, ok := c.Leaders[epoch]
			if !ok {
				return nil, &rpcError{-32602, fmt.Sprintf("Invalid slot range: leader schedule for epoch %d is unavailable", epoch)}
			}
			at[epoch] = map[schedule.Index]schedule.Pubkey{}
			for leader, indices := range known {
				for _, j := range indices {
					at[epoch][j] = leader
				}
			}
		}
		leaders[i] = at[epoch][index]
	}
	return leaders, nil
}

func (c *Cluster) blockTime(params []json.RawMessage) (any, *rpcError) {
	var slot schedule.Slot
	if len(params) == 0 || json.Unmarshal(params[0], &slot) != nil {
		return invalid("Invalid params: expected a slot.")
	}
	if c.BlockTime == nil {
		return nil, nil
	}
	if slot > c.Slot+c.Ahead {
		return nil, &rpcError{-32004, fmt.Sprintf("Block not available for slot %d", slot)}
	}
	at, ok := c.BlockTime(slot)
	if !ok {
		return nil, &rpcError{-32007, fmt.Sprintf("Slot %d was skipped, or missing due to ledger jump to recent snapshot", slot)}
	}
	return at.Unix(), nil
}

func (c *Cluster) samples(params []json.RawMessage) (any, *rpcError) {
	limit := noderpc.MaxPerformanceSamples
	if len(params) > 0 && json.Unmarshal(params[0], &limit) != nil || limit < 0 || limit > noderpc.MaxPerformanceSamples {
		return invalid("Invalid limit; max %d", noderpc.MaxPerformanceSamples)
	}
	list := []any{}
	for _, s := range c.Samples[:min(limit, len(c.Samples))] {
		list = append(list, object{
			"slot": s.Slot, "numSlots": s.Slots, "samplePeriodSecs": uint16(s.Seconds),
			"numTransactions": 3000 * s.Slots, "numNonVoteTransactions": 1000 * s.Slots,
		})
	}
	return list, nil
}

func (c *Cluster) multipleAccounts(params []json.RawMessage, o config) (any, *rpcError) {
	const most = 100
	var keys []schedule.Pubkey
	if len(params) == 0 || json.Unmarshal(params[0], &keys) != nil {
		return invalid("Invalid param: Invalid")
	}
	if len(keys) > most {
		return invalid("Too many inputs provided; max %d", most)
	}
	values := make([]any, len(keys))
	for i, key := range keys {
		a, ok := c.Accounts[key]
		if !ok {
			continue
		}
		data := a.Data
		if s := o.DataSlice; s != nil {
			data = data[min(s.Offset, uint64(len(data))):]
			data = data[:min(s.Length, uint64(len(data)))]
		}
		values[i] = object{
			"lamports": a.Lamports, "owner": a.Owner, "executable": false, "rentEpoch": uint64(1<<64 - 1),
			"space": len(a.Data), "data": []string{base64.StdEncoding.EncodeToString(data), "base64"},
		}
	}
	return object{"context": object{"apiVersion": "4.4.0", "slot": c.Slot}, "value": values}, nil
}
