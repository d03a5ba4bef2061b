package epochs

import (
	"encoding/hex"
	"fmt"
	"time"

	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/list"
)

// Put takes the list of an epoch, which must not be changed afterwards. It is
// published when its schedule is derived and it is stored; until then, and after an
// error, what was held is. Put.Same tells that these stakes were held already: then
// at most what is told of them changes, and that only for the better.
//
// Errors: ErrNoEpoch, ErrNoEpochSchedule, a *store.ClusterError, a
// *BetterHeldError, those of electorate.For and schedule.Derive, and those of the
// store.
func (r *Registry) Put(l *list.List) (store.Put, error) {
	if l == nil || l.Provenance.Epoch == nil {
		return store.Put{}, ErrNoEpoch
	}
	epoch := *l.Provenance.Epoch
	r.puts.Lock()
	defer r.puts.Unlock()
	s := r.state.Load()
	cluster, err := s.cluster.With(store.ClusterOf(&l.Provenance))
	if err != nil {
		return store.Put{}, fmt.Errorf("%s: %w", l.Provenance.Source, err)
	}
	cluster = completed(cluster)
	meta, err := store.Describe(l, time.Now())
	if err != nil {
		return store.Put{}, fmt.Errorf("%s: %w", l.Provenance.Source, err)
	}
	old := s.find(epoch)
	if refused, same := refuse(old, &meta, cluster); refused != nil || same {
		put := store.Put{Epoch: epoch, Same: same}
		if same {
			put.Meta = old.Meta
		}
		return put, refused
	}
	h := &head{Meta: meta, version: r.versions.Add(1)}
	e, err := r.derive(l, h, cluster)
	if err != nil {
		return store.Put{}, err
	}
	digest, before := e.Digest(), r.digestOf(old, cluster)
	put, err := r.keep.Put(l)
	if err != nil {
		return store.Put{}, err
	}
	h.Meta = put.Meta
	r.state.Store(r.state.Load().with(h, cluster))
	r.cache.drop(epoch, h.version)
	r.cache.add(cacheKey{epoch: epoch, version: h.version}, e, e.bytes())
	r.tell(put, e, digest, before)
	return put, nil
}

// refuse decides by what is held of the epoch: an error that says why that stays,
// or that the list brings nothing new.
func refuse(old *head, meta *store.Meta, c store.Cluster) (refused error, same bool) {
	if old == nil || old.Err != nil {
		return nil, false
	}
	if old.Content == meta.Content && rank(old.Provenance.Vintage) >= rank(meta.Provenance.Vintage) {
		return nil, true
	}
	if c.EpochSchedule == nil {
		return nil, false
	}
	recorded := c.EpochSchedule.FirstSlot(max(meta.Epoch, 1) - 1)
	if why := better(&old.Provenance, &meta.Provenance, recorded); why != "" {
		return &BetterHeldError{Epoch: meta.Epoch, Held: old.Provenance, New: meta.Provenance, Why: why}, false
	}
	return nil, false
}

// digestOf returns the digest of what is held of an epoch as text, for the log.
func (r *Registry) digestOf(old *head, c store.Cluster) string {
	if old == nil {
		return ""
	}
	digest := old.digest.Load()
	if digest == nil {
		l, _, err := r.keep.Get(old.Epoch)
		if err != nil {
			return "unknown"
		}
		e, err := r.derive(l, old, c)
		if err != nil {
			return "unknown"
		}
		sum := e.Digest()
		digest = &sum
	}
	return hex.EncodeToString(digest[:])
}

// tell logs and passes on what was published.
func (r *Registry) tell(put store.Put, e *Epoch, digest [32]byte, before string) {
	p := e.Provenance()
	about := []any{
		"epoch", put.Epoch, "digest", hex.EncodeToString(digest[:]),
		"source", p.Source, "kind", string(p.Kind), "vintage", string(vintage(&p)), "entries", len(e.list.Entries),
	}
	switch {
	case put.Same:
		r.log.Info("more is known of a stake list", append(about, "digest_before", before)...)
	case before != "":
		r.log.Warn("stake list replaced", append(about, "digest_before", before)...)
	default:
		r.log.Info("stake list taken", about...)
	}
	if r.options.OnPublish != nil {
		s := r.state.Load()
		r.options.OnPublish(s.summary(e.head))
	}
}
