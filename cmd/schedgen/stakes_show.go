package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/summary"
)

const stakesShowLong = `Print what a source of stakes holds: for each epoch entries, identities, total,
the largest, the Nakamoto coefficient (how many identities hold more than a third),
ties (which the keys decide), and where the list comes from.

Whether it is exact: the schedule of epoch E follows from the stakes recorded at
the first block of epoch E-1, and from no others.`

const stakesShowExample = `  schedgen stakes show example
  schedgen stakes show genesis.bin
  schedgen stakes show snapshot-SLOT-HASH.tar.zst --format json
  schedgen stakes show https://api.testnet.solana.com`

type stakesShowFlags struct {
	epoch  decimal
	format string
}

func newStakesShowCommand() *cobra.Command {
	f := &stakesShowFlags{epoch: decimal{max: math.MaxUint64}}
	cmd := &cobra.Command{
		Use:     "show SOURCE",
		Short:   "Print a summary of a stake list",
		Long:    stakesShowLong,
		Example: stakesShowExample,
		Args:    sourceArgument,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(&f.epoch, "epoch", "only the stakes of this epoch (default: of every epoch that the source holds)")
	flags.StringVar(&f.format, "format", "text", "`FORMAT` of the output: text or json")
	return cmd
}

// A shownList is what is printed of one list.
type shownList struct {
	Provenance list.Provenance `json:"provenance"`
	KeyedBy    string          `json:"keyedBy"` // what an entry stands for: vote or identity
	summary.Summary
	Error string `json:"error,omitempty"` // why it cannot be drawn from; then there is no summary

	name string
}

func (f *stakesShowFlags) run(cmd *cobra.Command, source string) error {
	if f.format != "text" && f.format != "json" {
		return fmt.Errorf("--format: unknown format %q, want text or json", f.format)
	}
	set, err := openStakes(cmd, source)
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("epoch") {
		l, err := set.For(f.epoch.value)
		if err != nil {
			return err
		}
		set = &list.Set{Lists: []list.List{*l}}
	}
	shown := make([]shownList, len(set.Lists))
	for i := range set.Lists {
		l := &set.Lists[i]
		shown[i] = shownList{Provenance: l.Provenance, KeyedBy: schedule.KeyedByIdentity.String()}
		if l.HasVotes {
			shown[i].KeyedBy = schedule.KeyedByVote.String()
		}
		shown[i].name = l.Title()
		if shown[i].Summary, err = summary.Of(l); err != nil && len(shown) == 1 {
			return fmt.Errorf("%s: %w", l.Title(), err)
		} else if err != nil {
			shown[i].Error = err.Error()
		}
	}
	out := stdoutWriter{cmd.OutOrStdout()}
	if f.format == "json" {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(shown)
	}
	for i := range shown {
		if err := shown[i].print(out, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// print writes a list for people; the first one with what all have in common.
func (s *shownList) print(out io.Writer, first bool) error {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(w, name+"\t"+format+"\n", args...) }
	p := &s.Provenance
	if first {
		row("source", "%s (%s)", oneLine(s.name), p.Kind)
		if p.Cluster != "" {
			row("cluster", "%s", p.Cluster)
		}
		if p.GenesisHash != nil {
			row("genesis hash", "%v", *p.GenesisHash)
		}
		if es := p.EpochSchedule; es != nil {
			row("epochs", "%s slots%s", grouped(es.SlotsPerEpoch), warmupText(*es))
		}
		if p.Slot != nil {
			row("slot", "%d", *p.Slot)
		}
	}
	w.Flush()
	b.WriteByte('\n')
	s.printEpoch(row)
	w.Flush()
	text := b.String()
	if !first {
		text = strings.TrimPrefix(text, "\n")
		text = "\n" + text
	}
	_, err := io.WriteString(out, text)
	return err
}

func (s *shownList) printEpoch(row func(name, format string, args ...any)) {
	p := &s.Provenance
	epoch := "not known"
	if p.Epoch != nil {
		epoch = strconv.FormatUint(*p.Epoch, 10)
	}
	row("stakes of epoch", "%s", epoch)
	vintage := string(p.Vintage)
	if p.Reason != "" {
		vintage += ": " + p.Reason
	}
	row("vintage", "%s", oneLine(vintage))
	if s.Error != "" {
		row("cannot be drawn", "%s", s.Error)
		return
	}
	zero := ""
	if s.ZeroStakes > 0 {
		zero = fmt.Sprintf(", and %s without stake", grouped(uint64(s.ZeroStakes)))
	}
	one, many := "identity", "identities"
	if s.KeyedBy == schedule.KeyedByVote.String() {
		one, many = "vote account", "vote accounts"
	}
	row("entries", "%s%s", counted(s.Entries, one, many), zero)
	row("identities", "%s", grouped(uint64(s.Identities)))
	row("total", "%s lamports (%s SOL)", grouped(s.Total), sol(s.Total))
	row("largest", "%v with %s lamports, %s", s.Largest.Identity, grouped(s.Largest.Stake), percent(s.Largest.Stake, s.Total))
	row("Nakamoto coefficient", "%d (the fewest identities with more than a third)", s.Nakamoto)
	if s.Ties == 0 {
		row("ties", "none")
	} else {
		row("ties", "%s entries share %s", grouped(uint64(s.Ties)), counted(s.TieGroups, "stake", "stakes"))
	}
	for _, text := range p.Notes {
		row("note", "%s", oneLine(text))
	}
}

// sol writes lamports as SOL, of 1e9 lamports, exactly.
func sol(lamports uint64) string {
	const lamportsPerSol = 1_000_000_000
	text := grouped(lamports / lamportsPerSol)
	if rest := lamports % lamportsPerSol; rest > 0 {
		text += strings.TrimRight(fmt.Sprintf(".%09d", rest), "0")
	}
	return text
}

// percent writes part of whole, rounded to hundredths.
func percent(part, whole uint64) string {
	if whole == 0 {
		return "0.00 %"
	}
	high, low := bits.Mul64(part, 10_000)
	hundredths, rest := bits.Div64(high, low, whole)
	if rest >= whole-rest {
		hundredths++
	}
	return fmt.Sprintf("%d.%02d %%", hundredths/100, hundredths%100)
}

// grouped writes a number with commas between its thousands.
func grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// counted writes a number of things.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(uint64(n)) + " " + many
}

// joinNumbers lists numbers with commas.
func joinNumbers(numbers []uint64) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatUint(n, 10)
	}
	return strings.Join(texts, ", ")
}
