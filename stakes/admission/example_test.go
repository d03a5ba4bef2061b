package admission_test

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/admission"
	"github.com/schedgen/schedgen/stakes/list"
)

func Example() {
	l := &list.List{
		HasVotes: true,
		Entries:  []schedule.Entry{{Key: schedule.Pubkey{1}, Stake: 500}, {Key: schedule.Pubkey{2}, Stake: 900}},
		Accounts: []list.Account{{Lamports: 1_000_000_000, BLS: true}, {Lamports: 1_000_000_000}},
	}
	fmt.Println("in epoch 1006:", admission.Applies(admission.Auto, "mainnet-beta", 1006))
	fmt.Println("in epoch 1007:", admission.Applies(admission.Auto, "mainnet-beta", 1007))
	_, report := admission.Apply(l, admission.Options{})
	fmt.Println(report)
	// Output:
	// in epoch 1006: false
	// in epoch 1007: true
	// admission (SIMD-0357): 1 of 2 vote accounts; left out: 1 no BLS key
}
