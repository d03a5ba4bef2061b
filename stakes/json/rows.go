package json

import (
	"fmt"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/internal/text"
	"github.com/schedgen/schedgen/stakes/list"
)

// rows gathers objects that stand for an entry each.
type rows struct {
	accounts bool // balance and bls mean something
	moment   bool // of a getVoteAccounts reply

	entries  []schedule.Entry
	known    []list.Account
	hasVotes bool // as the first row says
	hasKnown bool

	unstaked int     // vote accounts without stake that were left out
	epoch    *uint64 // the largest with credits
	lastVote uint64
}

// voteNames are the names of a vote account, as text.ColumnOf knows them.
const voteNames = "vote_pubkey, vote_account, vote_account_pubkey, vote_address, vote_identity or vote"

// A row is what one object says.
type row struct {
	entry   schedule.Entry
	account list.Account
	names   [text.Columns]string // that each column has here, "" for none
	seen    map[string]bool      // members of a getVoteAccounts reply alone
	likely  string               // a member that is not known and may be meant as the vote account
}

func (rs *rows) list() *list.List {
	return &list.List{Entries: rs.entries, HasVotes: rs.hasVotes, Accounts: rs.known}
}

// read reads the rest of an array of objects.
func (rs *rows) read(d *decoder) error {
	return d.array(func(v value) error {
		if v.kind != '{' {
			return d.fail("%w: %s, want an object with vote_pubkey, node_pubkey and stake", ErrMember, v)
		}
		var r row
		if err := d.object(func(name string) error { return rs.member(d, &r, name) }); err != nil {
			return err
		}
		return rs.add(d, &r)
	})
}

// member reads a member of a row.
func (rs *rows) member(d *decoder, r *row, name string) error {
	if rs.moment && (name == "epochCredits" || name == "lastVote") {
		if r.seen[name] {
			return d.fail("%w: it is there twice", ErrMember)
		}
		if r.seen == nil {
			r.seen = map[string]bool{}
		}
		r.seen[name] = true
		return rs.voteMember(d, name)
	}
	column := text.ColumnOf(name)
	if column == text.NoColumn && mayBeVote(name) {
		r.likely = name
	}
	if column == text.NoColumn || !rs.accounts && (column == text.Balance || column == text.BLS) {
		return d.skipNext()
	}
	if first := r.names[column]; first == name {
		return d.fail("%w: it is there twice", ErrMember)
	} else if first != "" {
		return d.fail("%w: %s and %s mean the same, want one of them", ErrMember, text.Quote(first), text.Quote(name))
	}
	r.names[column] = name
	v, err := d.next()
	if err != nil {
		return err
	}
	return r.set(d, column, v)
}

// mayBeVote reports whether a name that is not known may be meant for the vote
// account. Without one the list is keyed by identity, which must not come of a
// name that is spelt otherwise.
func mayBeVote(name string) bool {
	name = strings.ToLower(name)
	switch strings.NewReplacer("_", "", "-", "", " ", "").Replace(name) {
	case "lastvote", "epochvoteaccount":
		return false
	}
	return strings.Contains(name, "vote")
}

// set keeps the value of a column.
func (r *row) set(d *decoder, column text.Column, v value) (err error) {
	switch column {
	case text.Vote:
		r.entry.Key, err = d.pubkey(v)
	case text.Node:
		r.entry.Node, err = d.pubkey(v)
	case text.Stake:
		r.entry.Stake, err = d.lamports(v, ErrStake)
	case text.Balance:
		r.account.Lamports, err = d.lamports(v, ErrAccount)
	case text.BLS:
		if v.kind != 't' {
			return d.fail("%w: %s, want true or false", ErrMember, v)
		}
		r.account.BLS = v.bool
	}
	return err
}

// add checks a row that has ended, and adds it.
func (rs *rows) add(d *decoder, r *row) error {
	has := func(c text.Column) bool { return r.names[c] != "" }
	first := len(rs.entries)+rs.unstaked == 0
	if first {
		rs.hasVotes, rs.hasKnown = has(text.Vote), has(text.Balance)
	}
	var problem string
	switch {
	case !has(text.Stake):
		problem = "no stake, want it as stake, activatedStake or active_stake"
	case !has(text.Node) && has(text.Vote):
		problem = "a vote account without the identity that leads for it, want it as node_pubkey, nodePubkey or identityPubkey"
	case !has(text.Node):
		problem = "no key, want it as pubkey, node_pubkey or identity"
	case rs.moment && !has(text.Vote):
		problem = "no votePubkey"
	case !has(text.Vote) && r.likely != "":
		problem = fmt.Sprintf("%s is not known, want the vote account as %s", text.Quote(r.likely), voteNames)
	case has(text.Vote) && !rs.hasVotes:
		problem = "a vote account, which the rows before do not have: want it in all or none"
	case !has(text.Vote) && rs.hasVotes:
		problem = "no vote account, which the rows before have: want it in all or none"
	case has(text.Balance) != has(text.BLS), has(text.Balance) != rs.hasKnown:
		problem = "want balance and bls together, and in all rows or none"
	}
	switch {
	case problem != "":
		return d.fail("%w: %s", ErrMember, problem)
	case !rs.hasVotes:
		r.entry.Key = r.entry.Node
	case r.entry.Node.IsZero():
		return d.fail("%w: 32 zero bytes are no identity", ErrKey)
	}
	if rs.moment && r.entry.Stake == 0 {
		rs.unstaked++
		return nil
	}
	rs.entries = append(rs.entries, r.entry)
	if rs.hasKnown {
		rs.known = append(rs.known, r.account)
	}
	return nil
}

// pubkey returns the key that a value stands for.
func (d *decoder) pubkey(v value) (schedule.Pubkey, error) {
	if v.kind != '"' {
		return schedule.Pubkey{}, d.fail("%w: %s, want a public key in base58", ErrMember, v)
	}
	key, err := schedule.ParsePubkey(v.text)
	if err != nil {
		return key, d.fail("%w", err)
	}
	return key, nil
}

// lamports returns the amount that a value stands for; its errors wrap bad.
func (d *decoder) lamports(v value, bad error) (uint64, error) {
	if v.kind != '0' && v.kind != '"' {
		return 0, d.fail("%w: %s, want a whole number of lamports", bad, v)
	}
	n, err := text.Lamports(v.text, bad)
	if err != nil {
		return 0, d.fail("%w", err)
	}
	return n, nil
}

// voteMember reads what tells when a getVoteAccounts reply was given.
func (rs *rows) voteMember(d *decoder, name string) error {
	v, err := d.next()
	if err != nil || v.kind == 'n' {
		return err
	}
	if name == "lastVote" {
		slot, err := d.uint64(v)
		rs.lastVote = max(rs.lastVote, slot)
		return err
	}
	const want = "arrays of an epoch and its credits"
	if v.kind != '[' {
		return d.fail("%w: %s, want an array of %s", ErrMember, v, want)
	}
	return d.array(func(v value) error {
		if v.kind != '[' {
			return d.fail("%w: %s, want %s", ErrMember, v, want)
		}
		first := true
		return d.array(func(v value) error {
			if !first {
				return d.skip(v)
			}
			first = false
			epoch, err := d.uint64(v)
			if err == nil && (rs.epoch == nil || epoch > *rs.epoch) {
				rs.epoch = &epoch
			}
			return err
		})
	})
}

// voteAccountsList makes the list of a getVoteAccounts reply.
func (doc *document) voteAccountsList(name string) (*list.List, error) {
	l := doc.rows.list()
	p := list.Provenance{
		Kind: list.KindVoteAccounts, Source: name, Vintage: list.VintageApproximate,
		Reason: "stakes of the moment, and no vote account has credits of an epoch to tell which",
	}
	if doc.rows.epoch != nil {
		next := *doc.rows.epoch + 1
		if next == 0 {
			return nil, doc.d.fail("%w: epochCredits has an epoch that none follows", ErrMember)
		}
		p.Epoch = &next
		p.Reason = fmt.Sprintf("taken within epoch %d, at or after slot %d; exact only if read at the epoch's first slot", next-1, doc.rows.lastVote)
	}
	if n := doc.rows.unstaked; n > 0 {
		p.Note("left out without stake: %d", n)
	}
	for _, member := range []string{"current", "delinquent"} {
		if !doc.seen[member] {
			p.Note("no %s vote accounts are in the reply, whose stake counts as that of the others does", member)
		}
	}
	l.Provenance = p
	return l, nil
}
