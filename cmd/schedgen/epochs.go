package main

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/electorate"
)

// epochFlags say how long epochs are and what keys their schedules.
type epochFlags struct {
	slots         decimal
	cluster       string
	epochSchedule string
	repeat        decimal
	keyedBy       string
}

func (f *epochFlags) add(cmd *cobra.Command) {
	f.slots = decimal{min: 1, max: math.MaxUint64}
	f.repeat = decimal{value: schedule.DefaultRepeat, min: 1, max: math.MaxInt32}
	flags := cmd.Flags()
	flags.StringVar(&f.cluster, "cluster", "mainnet-beta", "cluster whose epochs these are, `NAME`: "+strings.Join(schedule.Clusters(), ", "))
	flags.StringVar(&f.epochSchedule, "epoch-schedule", "", "epochs of another cluster: `SPEC` is SLOTS or slots=N,offset=N,warmup")
	flags.Var(&f.slots, "slots", "epochs of N slots each, counted from slot 0")
	flags.Var(&f.repeat, "repeat", "consecutive slots of a leader")
	flags.StringVar(&f.keyedBy, "keyed-by", electorate.KeyedByAuto, "what an entry stands for, `KEYING`: vote, identity or auto")
}

// An epochPlan places every epoch.
type epochPlan struct {
	slots    uint64                 // of each epoch, from slot 0 on; 0: schedule tells
	schedule schedule.EpochSchedule // of the cluster or of --epoch-schedule
	cluster  string                 // "" when the epochs are no public cluster's
	flag     string                 // that says so, for messages
	source   string                 // the stake list that says so where no flag does
}

// An epochRange is what is known about the slots of an epoch.
type epochRange struct {
	epoch uint64
	first schedule.Slot
	slots uint64
	fits  bool // first is the epoch's first slot; otherwise that is over 2^64-1
}

// plan reads --cluster, --epoch-schedule and --slots, of which one may be given.
func (f *epochFlags) plan(cmd *cobra.Command) (epochPlan, error) {
	var given []string
	for _, name := range []string{"cluster", "epoch-schedule", "slots"} {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return epochPlan{}, fmt.Errorf("%s and %s both say how long an epoch is, give one of them", given[0], given[1])
	}
	var p epochPlan
	if len(given) == 1 {
		p.flag = given[0]
	}
	var err error
	switch p.flag {
	case "--slots":
		p.slots = f.slots.value
	case "--epoch-schedule":
		if p.schedule, err = parseEpochSchedule(f.epochSchedule); err != nil {
			return p, fmt.Errorf("--epoch-schedule: %w", err)
		}
	default:
		if p.schedule, err = schedule.ClusterSchedule(f.cluster); err != nil {
			return p, fmt.Errorf("--cluster: %w", err)
		}
		p.cluster = f.cluster
	}
	return p, nil
}

// at places an epoch. An epoch schedule saturates: only a first slot below the
// limit leads back to its epoch.
func (p epochPlan) at(epoch uint64) epochRange {
	r := epochRange{epoch: epoch}
	if p.slots > 0 {
		high, low := bits.Mul64(epoch, p.slots)
		r.slots, r.first = p.slots, schedule.Slot(low)
		_, carry := bits.Add64(low, r.slots-1, 0)
		r.fits = high == 0 && carry == 0
		return r
	}
	r.slots, r.first = p.schedule.SlotsIn(epoch), p.schedule.FirstSlot(epoch)
	back, index := p.schedule.EpochOf(r.first)
	_, carry := bits.Add64(uint64(r.first), r.slots-1, 0)
	r.fits = back == epoch && index == 0 && carry == 0
	return r
}

// firstSlot returns the epoch's first slot. One that has no number does not
// matter to what shows no absolute slots; the error names this as others.
func (r epochRange) firstSlot(absolute bool, format, others string) (schedule.Slot, error) {
	switch {
	case r.fits:
		return r.first, nil
	case !absolute:
		return 0, nil
	}
	return 0, fmt.Errorf("%d: its slots are over 18446744073709551615, so that --format %s cannot print them, only %s can",
		r.epoch, format, others)
}

// checkKeyedBy checks the value of --keyed-by.
func (f *epochFlags) checkKeyedBy() error {
	if f.keyedBy == electorate.KeyedByAuto {
		return nil
	}
	if _, err := schedule.ParseKeying(f.keyedBy); err != nil {
		return fmt.Errorf("--keyed-by: %w, or auto", err)
	}
	return nil
}
