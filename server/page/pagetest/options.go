package pagetest

import (
	"net/http"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// Options say what the service holds. The zero value is the example list in an
// epoch of mainnet-beta's shape, 43 % of it over.
type Options struct {
	// Page answers what is not below /v1/; nil answers 404.
	Page http.Handler
	// Validators is the length of a made-up list; 0 takes the example list.
	Validators int
	// Epoch is the present one; 0 is 900.
	Epoch uint64
	// Passed is how much of it is over, from 0 to 1; 0 is 0.43.
	Passed float64
	// Schedule gives epochs their slots; the zero value is mainnet-beta's.
	Schedule schedule.EpochSchedule
	// Now is when the service starts; the zero value is the present.
	Now time.Time
	// PerSlot is how long a slot takes; 0 is 397 ms.
	PerSlot time.Duration
	// Source and Reason stand in the provenance; "" is something harmless. They may
	// hold what a page must not take for markup.
	Source, Reason string
	// Without leaves epochs out, counted from the present one: 1 is the next.
	Without []int
}

func (o *Options) setDefaults() error {
	if o.Epoch == 0 {
		o.Epoch = 900
	}
	if o.Passed == 0 {
		o.Passed = 0.43
	}
	if o.PerSlot == 0 {
		o.PerSlot = 397 * time.Millisecond
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	if o.Source == "" {
		o.Source = "example"
	}
	if o.Reason == "" {
		o.Reason = "the list is made up, and so is the epoch that it leads"
	}
	if o.Schedule == (schedule.EpochSchedule{}) {
		var err error
		o.Schedule, err = schedule.ClusterSchedule("mainnet-beta")
		return err
	}
	return nil
}

// Faults are what may be wrong with the service. The zero value is nothing.
type Faults struct {
	Down       bool          // connections end without an answer
	NoClock    bool          // it is not known which slot it is
	Stale      bool          // the clock's source says nothing new
	NotReady   bool          // answers may be wrong
	Differs    bool          // a node serves another schedule
	NoLeaders  bool          // whole schedules answer, their leaders do not
	Delay      time.Duration // before every answer
	BehindHand time.Duration // by how much the Date header is late
}

// vintages are those of the epochs held, counted from the present one.
var vintages = map[int]list.Vintage{
	-8: list.VintageUnknown,
	-1: list.VintageExact,
	0:  list.VintageExact,
	1:  list.VintageApproximate,
}
