package list

import (
	"fmt"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// A Kind names a form in which stakes come.
type Kind string

const (
	KindExample      Kind = "example"           // the list that is part of the program
	KindCSV          Kind = "csv"               // stakes/csv
	KindJSON         Kind = "json"              // our own form, stakes/json
	KindRows         Kind = "json-rows"         // an array of objects, stakes/json
	KindVoteAccounts Kind = "get-vote-accounts" // a saved getVoteAccounts reply, stakes/json
	KindEpochNew     Kind = "epoch-new"         // Firedancer's epoch.new message, stakes/json
	KindRPC          Kind = "rpc"               // asked of a node, stakes/rpc
	KindGenesis      Kind = "genesis"           // genesis.bin or its archive, stakes/genesis
	KindSnapshot     Kind = "snapshot"          // a snapshot's manifest, stakes/snapshot
)

// A Vintage says whether a list holds the stakes that the network draws with.
type Vintage string

const (
	// VintageUnknown: the source does not say.
	VintageUnknown Vintage = "unknown"
	// VintageExact: taken from the epoch stakes of the epoch, or at the very slot
	// at which they were recorded.
	VintageExact Vintage = "exact"
	// VintageApproximate: taken at another time, or from a source that contradicts
	// itself or leaves something out; the schedule is another one.
	VintageApproximate Vintage = "approximate"
)

// Provenance is what is known of where a list comes from. Pointers are nil and
// strings empty where that is not known.
type Provenance struct {
	Kind          Kind                    `json:"kind"`
	Source        string                  `json:"source"`                  // path, address without credentials, or what else to call it
	Cluster       string                  `json:"cluster,omitempty"`       // of schedule.Clusters
	GenesisHash   *schedule.Pubkey        `json:"genesisHash,omitempty"`   // of the cluster; printed as base58, as keys are
	EpochSchedule *schedule.EpochSchedule `json:"epochSchedule,omitempty"` // of the cluster
	Epoch         *uint64                 `json:"epoch,omitempty"`         // whose schedule the stakes lead
	Slot          *schedule.Slot          `json:"slot,omitempty"`          // at which they were read
	Vintage       Vintage                 `json:"vintage"`
	Reason        string                  `json:"reason,omitempty"` // why they are exact, approximate or unknown
	Notes         []string                `json:"notes,omitempty"`  // what a user should know: accounts left out, names that do not fit
}

// Note adds a note.
func (p *Provenance) Note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// String returns one line: source, epoch, slot and vintage.
func (p *Provenance) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)", p.Source, p.Kind)
	if p.Cluster != "" {
		fmt.Fprintf(&b, ", %s", p.Cluster)
	}
	if p.Epoch != nil {
		fmt.Fprintf(&b, ", stakes of epoch %d", *p.Epoch)
	}
	if p.Slot != nil {
		fmt.Fprintf(&b, ", read at slot %d", *p.Slot)
	}
	fmt.Fprintf(&b, ", vintage %s", p.Vintage)
	if p.Reason != "" {
		fmt.Fprintf(&b, ": %s", p.Reason)
	}
	return b.String()
}
