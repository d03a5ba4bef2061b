package clienttest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	rpcclient "github.com/gagliardetto/solana-go/rpc/jsonrpc"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

func TestSolanaGo(t *testing.T) {
	for name, cluster := range clusters(t) {
		t.Run(name, func(t *testing.T) {
			c := rpc.New(serve(t, cluster, 0).HTTP)
			defer c.Close()
			all := asks(t, cluster, noderpc.Finalized)
			var answers []answer
			for i := range all {
				answers = append(answers, askSolanaGo(t, c, &all[i]))
			}
			check(t, all, answers, false)
			checkOwn(t, all, answers)
		})
	}
}

// askSolanaGo asks with the client's method where that can put the question, and
// otherwise with its RPCCallForInto.
func askSolanaGo(t *testing.T, c *rpc.Client, a *ask) answer {
	t.Helper()
	value, own, err := solanaGo(t.Context(), c, a)
	if !own {
		err = c.RPCCallForInto(t.Context(), &value, a.Method, a.Params)
	}
	var refused *rpcclient.RPCError
	switch {
	case errors.Is(err, rpc.ErrNotFound): // its word for null
		value = nil
	case errors.As(err, &refused):
		return answer{Error: &failure{refused.Code, refused.Message, refused.Data}, Own: own}
	case err != nil:
		return answer{Error: &failure{Message: err.Error()}, Own: own}
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return answer{Value: text, Own: own}
}

func solanaGo(ctx context.Context, c *rpc.Client, a *ask) (value any, own bool, err error) {
	own = true
	commitment, alone := commitmentAlone(a.Params)
	switch {
	case a.Method == "getHealth":
		value, err = c.GetHealth(ctx)
	case a.Method == "getVersion":
		value, err = c.GetVersion(ctx)
	case a.Method == "getGenesisHash":
		value, err = c.GetGenesisHash(ctx)
	case a.Method == "getEpochSchedule":
		value, err = c.GetEpochSchedule(ctx)
	case a.Method == "getSlot" && alone:
		value, err = c.GetSlot(ctx, commitment)
	case a.Method == "getSlotLeader" && alone:
		value, err = c.GetSlotLeader(ctx, commitment)
	case a.Method == "getEpochInfo" && alone:
		value, err = c.GetEpochInfo(ctx, commitment)
	case a.Method == "getSlotLeaders":
		value, err = c.GetSlotLeaders(ctx, uint64(a.Params[0].(schedule.Slot)), uint64(a.Params[1].(int)))
	case a.Method == "getLeaderSchedule":
		var o *rpc.GetLeaderScheduleOpts
		if o, own = scheduleOpts(a.Params); own {
			value, err = c.GetLeaderScheduleWithOpts(ctx, o)
		}
	case a.Method == "getVoteAccounts":
		var o *rpc.GetVoteAccountsOpts
		if o, own = votesOpts(a.Params); own {
			value, err = votes(c.GetVoteAccounts(ctx, o))
		}
	default:
		own = false
	}
	return value, own, err
}

// commitmentAlone returns the commitment of parameters that have nothing else.
func commitmentAlone(params []any) (rpc.CommitmentType, bool) {
	if len(params) == 0 {
		return "", true
	}
	c, ok := params[0].(config)
	if !ok || len(params) > 1 || len(c) != 1 || c["commitment"] == nil {
		return "", false
	}
	return rpc.CommitmentType(c["commitment"].(noderpc.Commitment)), true
}

// scheduleOpts returns the options that make parameters, if any do.
func scheduleOpts(params []any) (*rpc.GetLeaderScheduleOpts, bool) {
	o := &rpc.GetLeaderScheduleOpts{}
	for _, p := range params {
		switch p := p.(type) {
		case schedule.Slot:
			slot := uint64(p)
			o.Epoch = &slot // its name for the slot
		case config:
			for name, v := range p {
				switch name {
				case "commitment":
					o.Commitment = rpc.CommitmentType(v.(noderpc.Commitment))
				case "identity":
					key, err := solana.PublicKeyFromBase58(v.(string))
					if err != nil {
						return nil, false
					}
					o.Identity = &key
				default:
					return nil, false
				}
			}
		default:
			return nil, false
		}
	}
	return o, true
}

func votesOpts(params []any) (*rpc.GetVoteAccountsOpts, bool) {
	o := &rpc.GetVoteAccountsOpts{}
	if len(params) == 0 {
		return o, true
	}
	for name, v := range params[0].(config) {
		switch name {
		case "commitment":
			o.Commitment = rpc.CommitmentType(v.(noderpc.Commitment))
		case "keepUnstakedDelinquents":
			keep := v.(bool)
			o.KeepUnstakedDelinquents = &keep
		case "votePubkey":
			key, err := solana.PublicKeyFromBase58(v.(string))
			if err != nil {
				return nil, false
			}
			o.VotePubkey = &key
		}
	}
	return o, true
}

// votes turns vote accounts into what they were read from; the client's own JSON
// leaves out zeros.
func votes(all *rpc.GetVoteAccountsResult, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	accounts := func(results []rpc.VoteAccountsResult) []config {
		out := []config{}
		for _, r := range results {
			out = append(out, config{
				"votePubkey": r.VotePubkey, "nodePubkey": r.NodePubkey, "activatedStake": r.ActivatedStake,
				"epochVoteAccount": r.EpochVoteAccount, "epochCredits": r.EpochCredits, "commission": r.Commission,
				"lastVote": r.LastVote, "rootSlot": r.RootSlot,
			})
		}
		return out
	}
	return config{"current": accounts(all.Current), "delinquent": accounts(all.Delinquent)}, nil
}
