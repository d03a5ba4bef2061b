package jsonrpc

import (
	"cmp"
	"errors"
	"iter"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// maxSlotLeaders is the most that nodes answer to getSlotLeaders.
const maxSlotLeaders = 5000

// leadersError is what clients hear when leaders are not known.
func (w *work) leadersError(start schedule.Slot, err error) *rpcError {
	var unknown *schedule.UnknownEpochError
	if errors.As(err, &unknown) {
		return unavailableError(unknown.Epoch)
	}
	if errors.Is(err, schedule.ErrNoSlot) { // the slot numbers end within the range
		epoch, _ := w.h.epochs.EpochSchedule().EpochOf(start)
		return unavailableError(epoch + 1)
	}
	w.h.o.Log.Error("leaders cannot be told", "slot", uint64(start), "error", err)
	return errInternal
}

func getSlotLeader(w *work, params value) *rpcError {
	slot, err := w.context(params)
	if err != nil {
		return err
	}
	if _, err := w.epochSchedule(); err != nil {
		return err
	}
	if err := w.leaders(slot, 1); err != nil {
		return err
	}
	w.out = appendKey(w.out, w.texts[0])
	return nil
}

func getSlotLeaders(w *work, params value) *rpcError {
	start, limit, err := twoNumbers(params)
	if err != nil {
		return err
	}
	if limit > maxSlotLeaders {
		return paramsError("Invalid limit; max %d", maxSlotLeaders)
	}
	if _, err := w.epochSchedule(); err != nil {
		return err
	}
	if err := w.leaders(schedule.Slot(start), int(limit)); err != nil {
		return err
	}
	w.out = append(w.out, '[')
	for i, text := range w.texts {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = appendKey(w.out, text)
	}
	w.out = append(w.out, ']')
	return nil
}

// leaders puts who leads n slots into w.texts.
func (w *work) leaders(start schedule.Slot, n int) *rpcError {
	texts, err := w.h.epochs.AppendLeaderTexts(w.texts[:0], start, n)
	if err != nil {
		return w.leadersError(start, err)
	}
	w.texts = texts
	return nil
}

// appendKey appends base58, which has nothing to escape.
func appendKey(b []byte, text string) []byte {
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// scheduleParams reads the parameters of getLeaderSchedule: a slot or null, and then
// a configuration, or the configuration alone.
func scheduleParams(params value) (slot *uint64, c config, err *rpcError) {
	args, err := upTo(2, params)
	if err != nil {
		return nil, c, err
	}
	first, second := args[0], args[1]
	// The first one is read as one of two types, whose errors get lost.
	const neither = "data did not match any variant of untagged enum RpcLeaderScheduleConfigWrapper"
	configured := false
	switch {
	case first.null():
	case first.is('{'):
		if c, err = readConfig(first, scheduleShape); err != nil {
			return nil, c, serdeError(neither)
		}
		configured = true
	default:
		n, ok := first.number()
		if !ok {
			return nil, c, serdeError(neither)
		}
		slot = &n
	}
	other, err := readConfig(second, scheduleShape)
	if err != nil {
		return nil, c, err
	}
	if !configured {
		c = other
	}
	return slot, c, nil
}

func getLeaderSchedule(w *work, params value) *rpcError {
	asked, c, err := scheduleParams(params)
	if err != nil {
		return err
	}
	var identity *schedule.Pubkey
	if c.identity != nil {
		key, err := readPubkey(*c.identity)
		if err != nil {
			return err
		}
		identity = &key
	}
	es, err := w.epochSchedule()
	if err != nil {
		return err
	}
	var slot schedule.Slot
	if asked != nil {
		slot = schedule.Slot(*asked)
	} else if slot, err = w.slotAt(c.commitment); err != nil {
		return err
	}
	n, _ := es.EpochOf(slot)
	epoch, failed := w.h.epochs.Epoch(n)
	switch {
	case errors.Is(failed, schedule.ErrUnknownEpoch):
		w.out = append(w.out, "null"...)
		return nil
	case failed != nil:
		w.h.o.Log.Error("an epoch cannot be told", "epoch", n, "error", failed)
		return errInternal
	}
	return w.schedule(epoch, c.byVote != nil && *c.byVote, identity)
}

// schedule appends an epoch, or the slots of one identity in it.
func (w *work) schedule(epoch Epoch, byVote bool, identity *schedule.Pubkey) *rpcError {
	s := epoch.Schedule()
	if byVote && s.Stakes().Keying() != schedule.KeyedByVote {
		return paramsError("Invalid param: leader schedule for epoch %d is not keyed by vote account", s.Epoch())
	}
	switch {
	case identity == nil:
		block, err := epoch.Result(byVote, w.coding())
		if err != nil {
			w.h.o.Log.Error("a leader schedule cannot be printed", "epoch", s.Epoch(), "error", err)
			return errInternal
		}
		w.keep(block)
	case byVote:
		w.votesOf(s, *identity)
	default:
		w.out = append(w.out, '{')
		w.slots(true, identity.String(), s.FirstSlot(), s.SlotsOf(*identity))
		w.out = append(w.out, '}')
	}
	return nil
}

// votesOf appends the slots of an identity by vote account.
func (w *work) votesOf(s *schedule.Schedule, identity schedule.Pubkey) {
	type vote struct {
		text string
		key  schedule.Pubkey
	}
	var votes []vote
	for _, e := range s.Stakes().All() {
		if e.Node == identity {
			votes = append(votes, vote{e.Key.String(), e.Key})
		}
	}
	slices.SortFunc(votes, func(a, b vote) int { return cmp.Compare(a.text, b.text) })
	w.out = append(w.out, '{')
	first := true
	for _, v := range votes {
		if w.slots(first, v.text, s.FirstSlot(), s.SlotsOfVote(v.key)) {
			first = false
		}
	}
	w.out = append(w.out, '}')
}

// slots appends a key and its slot indices as a member of an object, and reports
// whether there are any; without any it appends nothing.
func (w *work) slots(first bool, key string, from schedule.Slot, slots iter.Seq[schedule.Slot]) bool {
	some := false
	for slot := range slots {
		switch {
		case some:
			w.out = append(w.out, ',')
		case first:
			w.out = append(appendKey(w.out, key), ":["...)
		default:
			w.out = append(appendKey(append(w.out, ','), key), ":["...)
		}
		some = true
		w.uint(uint64(slot - from))
	}
	if some {
		w.out = append(w.out, ']')
	}
	return some
}
