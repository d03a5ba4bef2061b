package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/schedgen/schedgen/batch/rankfile"
	"github.com/schedgen/schedgen/compare"
	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
)

const againstUsage = "in any format of derive and batch or of the network's tools, - for standard input, or the http address of a node"

// What a schedule was read from, beside the formats of package schedulefile.
const (
	formatNode     = "getLeaderSchedule" // asked of a node
	formatRankFile = "rank file"         // many epochs with their stake lists
)

// An otherSide is a schedule as somebody else has it.
type otherSide struct {
	compare.Side
	format string
	notes  []string // what was taken for granted
}

// A sideReader reads schedules of files and of standard input.
type sideReader struct {
	stdin io.Reader
	// epoch is the one to take where there are several; nil when that is not known.
	epoch *uint64
	// place, if not nil, is where the slots of that epoch are.
	place *epochRange
	// ranks reads bare ranks, which need a stake list; nil where there is none.
	ranks func(r io.Reader, name string) (*schedulefile.Observed, error)
	// identities limit the schedule to theirs.
	identities []schedule.Pubkey
}

// open reads the file of that name, or standard input.
func (s *sideReader) open(name string) (*otherSide, error) {
	if name == "-" {
		return s.read(s.stdin, "standard input")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a directory, want a file with a schedule", name)
	}
	return s.read(file, name)
}

const (
	rankFileMagic = "SGRANKS\n"
	// maxRankFile bounds a rank file that is held in memory, as one from a pipe is.
	maxRankFile = 256 << 20
)

// mayBeRanks looks for a zero byte, which text has not and ranks have: in four
// bytes each, or one of the first 256 ranks among thousands.
func mayBeRanks(head []byte) bool {
	for _, magic := range []string{"PAR1", "\xff\xfe", "\xfe\xff"} { // Parquet, UTF-16
		if bytes.HasPrefix(head, []byte(magic)) {
			return false
		}
	}
	return bytes.IndexByte(head, 0) >= 0
}

// read tells the format by the content.
func (s *sideReader) read(r io.Reader, name string) (*otherSide, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(4096)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case bytes.HasPrefix(head, []byte(rankFileMagic)):
		return s.rankFile(r, b, name)
	case s.ranks != nil && mayBeRanks(head):
		o, err := s.ranks(b, name)
		if err != nil {
			return nil, fmt.Errorf("%w (taken for ranks: it has zero bytes, which text has not)", err)
		}
		return s.observed(o), nil
	}
	o, err := schedulefile.Read(b, name)
	if err != nil {
		return nil, err
	}
	return s.observed(o), nil
}

// rankFile takes an epoch from a rank file, of which b has read the beginning.
func (s *sideReader) rankFile(r io.Reader, b *bufio.Reader, name string) (*otherSide, error) {
	f, err := openRankFile(r, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var epochs []uint64
	for e, err := range f.Epochs() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		epochs = append(epochs, e.Epoch)
	}
	if len(epochs) == 0 {
		return nil, fmt.Errorf("%s: %w: a rank file without epochs", name, compare.ErrNoLeaders)
	}
	held := fmt.Sprintf("it holds %s from %d to %d", counted(len(epochs), "epoch", "epochs"), slices.Min(epochs), slices.Max(epochs))
	epoch := epochs[0]
	switch {
	case s.epoch != nil:
		epoch = *s.epoch
	case len(epochs) > 1:
		return nil, fmt.Errorf("%s: %s, give the one that is meant with --epoch", name, held)
	}
	found, err := f.Schedule(epoch)
	switch {
	case errors.Is(err, schedule.ErrUnknownEpoch):
		return nil, fmt.Errorf("%s: not epoch %d: %s", name, epoch, held)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	side := &otherSide{Side: compare.Derived(name, found), format: formatRankFile}
	side.limit(s.identities)
	return side, nil
}

// openRankFile opens a rank file where it is, or reads it into memory where it
// cannot be read at any offset.
func openRankFile(r io.Reader, b *bufio.Reader) (*rankfile.File, error) {
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return rankfile.NewFile(file, info.Size())
		}
	}
	all, err := io.ReadAll(io.LimitReader(b, maxRankFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(all) > maxRankFile:
		return nil, fmt.Errorf("a rank file of more than %d bytes, want it as a file and not through a pipe", maxRankFile)
	}
	return rankfile.NewFile(bytes.NewReader(all), int64(len(all)))
}

// observed makes a side of what was read.
func (s *sideReader) observed(o *schedulefile.Observed) *otherSide {
	side := &otherSide{format: string(o.Format)}
	// What somebody limited to leaders is silent in the slots of others, also behind
	// the last one that it has.
	filtered := len(s.identities) > 0 || o.Format == schedule.FormatRPC && o.Partial && o.Slots > 0
	if s.place != nil && filtered && !o.DigestOnly() {
		if placed, err := o.Place(s.place.first, s.place.slots); err == nil {
			if o.FirstSlot == nil {
				side.notes = append(side.notes, fmt.Sprintf("%s does not say which slots it is about: taken for those of epoch %d", o.Source, s.place.epoch))
			}
			o = placed
		}
	}
	side.Side = compare.Observed(o)
	side.limit(s.identities)
	return side
}

// limit limits a side to the slots of some identities, if there are any.
func (s *otherSide) limit(identities []schedule.Pubkey) {
	if len(identities) == 0 || s.Leaders == nil {
		return
	}
	only := make(map[schedule.Pubkey]bool, len(identities))
	for _, identity := range identities {
		only[identity] = true
	}
	s.Only, s.Leaders = identities, limited{s.Leaders, only}
}

// limited are the slots of some leaders.
type limited struct {
	compare.Leaders
	only map[schedule.Pubkey]bool
}

func (l limited) Leader(i schedule.Index) (schedule.Pubkey, bool) {
	key, ok := l.Leaders.Leader(i)
	return key, ok && l.only[key]
}

func (l limited) Vote(i schedule.Index) (schedule.Pubkey, bool) {
	votes, ok := l.Leaders.(compare.Voter)
	if _, leads := l.Leader(i); !ok || !leads {
		return schedule.Pubkey{}, false
	}
	return votes.Vote(i)
}

// errNoVotes: a node that does not know keyByVoteAccount ignores it.
var errNoVotes = errors.New("the node answers by identity, as those older than keyByVoteAccount do: leave --by-vote out")

// ask asks a node for the schedule of an epoch, and with votes also for whom its
// slots were drawn.
func (n *bookNode) ask(ctx context.Context, place epochRange, identities []schedule.Pubkey, votes bool) (*otherSide, error) {
	byIdentity, err := n.leadersOf(n.client.LeaderSchedule, ctx, place, identities)
	if err != nil {
		return nil, err
	}
	observed, err := n.place(byIdentity, place)
	if err != nil {
		return nil, err
	}
	side := &otherSide{Side: compare.Observed(observed), format: formatNode}
	if votes {
		byVote, err := n.leadersOf(n.client.VoteSchedule, ctx, place, identities)
		if err != nil {
			return nil, err
		}
		for vote := range byVote {
			if _, same := byIdentity[vote]; same {
				return nil, fmt.Errorf("%s: %w", n.client.Address(), errNoVotes)
			}
		}
		drawn, err := n.place(byVote, place)
		if err != nil {
			return nil, err
		}
		side.Leaders = withVotes{side.Leaders, drawn}
	}
	side.limit(identities)
	return side, nil
}

// leadersOf asks for the whole schedule, or for the slots of few identities one by
// one.
func (n *bookNode) leadersOf(call func(context.Context, *schedule.Slot, *schedule.Pubkey) (noderpc.Leaders, error),
	ctx context.Context, place epochRange, identities []schedule.Pubkey) (noderpc.Leaders, error) {
	if len(identities) == 0 || len(identities) > mostFiltered {
		return call(ctx, &place.first, nil)
	}
	all := noderpc.Leaders{}
	for i := range identities {
		some, err := call(ctx, &place.first, &identities[i])
		if err != nil {
			return nil, err
		}
		maps.Copy(all, some)
	}
	return all, nil
}

// place takes an answer as the schedule of the epoch that was asked for.
func (n *bookNode) place(answer noderpc.Leaders, place epochRange) (*schedulefile.Observed, error) {
	o, err := schedulefile.FromRPC(answer, place.slots)
	if err != nil {
		return nil, fmt.Errorf("%s: epoch %d: %w", n.client.Address(), place.epoch, err)
	}
	o.Source, o.Epoch = n.client.Address(), &place.epoch
	return o.Place(place.first, place.slots)
}

// withVotes are two answers about one epoch: by identity, and by vote account.
type withVotes struct {
	compare.Leaders
	votes *schedulefile.Observed
}

func (w withVotes) Vote(i schedule.Index) (schedule.Pubkey, bool) { return w.votes.Leader(i) }
