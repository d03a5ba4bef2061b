package main

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/schedule"
)

const keyedByAuto = "auto"

// An epochRange is what the flags say about the slots of the epoch.
type epochRange struct {
	epoch   uint64
	first   schedule.Slot
	slots   uint64
	fits    bool   // first is the epoch's first slot; otherwise that is over 2^64-1
	cluster string // "" when the epochs are no public cluster's
	flag    string // that says so, for messages
}

// epochs reads --cluster, --epoch-schedule and --slots, of which one may be given.
func (f *deriveFlags) epochs(cmd *cobra.Command) (epochRange, error) {
	var given []string
	for _, name := range []string{"cluster", "epoch-schedule", "slots"} {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return epochRange{}, fmt.Errorf("%s and %s both say how long an epoch is, give one of them", given[0], given[1])
	}
	r := epochRange{epoch: f.epoch.value}
	if len(given) == 1 {
		r.flag = given[0]
	}
	switch r.flag {
	case "--slots":
		high, low := bits.Mul64(f.epoch.value, f.slots.value)
		r.slots, r.first = f.slots.value, schedule.Slot(low)
		_, carry := bits.Add64(low, r.slots-1, 0)
		r.fits = high == 0 && carry == 0
		return r, nil
	case "--epoch-schedule":
		es, err := parseEpochSchedule(f.epochSchedule)
		if err != nil {
			return r, fmt.Errorf("--epoch-schedule: %w", err)
		}
		r.place(es)
		return r, nil
	}
	es, err := schedule.ClusterSchedule(f.cluster)
	if err != nil {
		return r, fmt.Errorf("--cluster: %w", err)
	}
	r.cluster = f.cluster
	r.place(es)
	return r, nil
}

// place finds the epoch in an epoch schedule. That saturates: only a first slot
// below the limit leads back to its epoch.
func (r *epochRange) place(es schedule.EpochSchedule) {
	r.slots, r.first = es.SlotsIn(r.epoch), es.FirstSlot(r.epoch)
	epoch, index := es.EpochOf(r.first)
	_, carry := bits.Add64(uint64(r.first), r.slots-1, 0)
	r.fits = epoch == r.epoch && index == 0 && carry == 0
}

// firstSlotFor returns the epoch's first slot. One that has no number does not
// matter to a format without absolute slots.
func (r epochRange) firstSlotFor(format schedule.Format) (schedule.Slot, error) {
	switch {
	case r.fits:
		return r.first, nil
	case !format.Absolute():
		return 0, nil
	}
	return 0, fmt.Errorf("--epoch %d: its slots are over 18446744073709551615, so that --format %s cannot print them, only rpc and digest can",
		r.epoch, format)
}

// keying reads --keyed-by. A list without vote accounts needs no choice: its
// keys are what the schedule is keyed by.
func (f *deriveFlags) keying(hasVotes bool, r epochRange) (schedule.Keying, error) {
	if f.keyedBy != keyedByAuto {
		keying, err := schedule.ParseKeying(f.keyedBy)
		if err != nil {
			return 0, fmt.Errorf("--keyed-by: %w, or auto", err)
		}
		return keying, nil
	}
	if !hasVotes {
		return schedule.KeyedByIdentity, nil
	}
	keying, err := schedule.KeyingFor(r.cluster, r.epoch)
	if errors.Is(err, schedule.ErrKeyingUnknown) {
		from := r.flag
		if r.cluster != "" {
			from = "--cluster " + r.cluster
		}
		return 0, fmt.Errorf("--keyed-by auto does not know what keys a schedule with %s: give --keyed-by vote (since SIMD-0180) or --keyed-by identity", from)
	}
	return keying, err
}
