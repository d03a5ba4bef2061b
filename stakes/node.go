package stakes

import (
	"context"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/rpc"
)

// ask reads the stakes that a node tells.
func ask(ctx context.Context, address string, o noderpc.Options) (*list.Set, error) {
	client, err := noderpc.Dial(address, o)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return rpc.Read(ctx, client)
}
