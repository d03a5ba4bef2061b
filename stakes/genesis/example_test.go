package genesis_test

import (
	"fmt"
	"os"

	"github.com/schedgen/schedgen/stakes/genesis"
)

func ExampleReadArchive() {
	f, err := os.Open("testdata/small.tar.bz2")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	set, err := genesis.ReadArchive(f, "small.tar.bz2")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range set.Lists {
		fmt.Println("epoch", *l.Provenance.Epoch, "of the cluster with genesis", l.Provenance.GenesisHash)
		for _, e := range l.Entries {
			fmt.Println(e.Stake, "lamports for", e.Node)
		}
	}
	// Output:
	// epoch 0 of the cluster with genesis EsShjB5qfEJf1QzfZ94xt8KCaGqcsYE2tabK6pFVjFf6
	// 70 lamports for 1115awGhtDcvEG21nfBuX6eAeG1Y2Y7ZLmKyaTNxUkG
	// 30 lamports for 1115dZzD13Qe6veChweRuDb69LkcMW8CQypspZxUtZn
	// epoch 1 of the cluster with genesis EsShjB5qfEJf1QzfZ94xt8KCaGqcsYE2tabK6pFVjFf6
	// 70 lamports for 1115awGhtDcvEG21nfBuX6eAeG1Y2Y7ZLmKyaTNxUkG
	// 30 lamports for 1115dZzD13Qe6veChweRuDb69LkcMW8CQypspZxUtZn
}
