package feed_test

import (
	"context"
	"fmt"

	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/feed"
)

func Example() {
	registry, err := epochs.New(epochs.Options{Cluster: "mainnet-beta"})
	if err != nil {
		fmt.Println(err)
		return
	}
	f := feed.New(feed.Options{Registry: registry, OnIngest: func(in feed.Ingested) {
		for _, l := range in.Lists {
			fmt.Println(in.Name, "epoch", *l.Epoch, l.Result, l.Entries, "entries")
		}
	}})
	file, err := feed.ParseFile("812=example") // as in --stakes 812=example
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := f.Load(context.Background(), []feed.File{file}); err != nil {
		fmt.Println(err)
		return
	}
	leader, err := registry.LeaderAt(registry.EpochSchedule().FirstSlot(812))
	fmt.Println(leader, err)
	// Output:
	// example epoch 812 taken 1400 entries
	// A4rHaXrSPyH1N9fW8JxjXe8oMGw5eUJBMA7CZpgFW6vp <nil>
}
