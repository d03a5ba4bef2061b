package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/electorate"
	stakesjson "github.com/schedgen/schedgen/stakes/json"
	"github.com/schedgen/schedgen/stakes/list"
)

const (
	killEpochs = 8
	killToken  = "a-token-that-survives-kill-9"
)

// numbered returns list number n; every number has another list.
func numbered(n uint64) *list.List {
	rng := rand.New(rand.NewPCG(n, 9))
	key := func() (k schedule.Pubkey) {
		for i := 0; i < len(k); i += 8 {
			binary.LittleEndian.PutUint64(k[i:], rng.Uint64())
		}
		return k
	}
	epoch := rng.Uint64N(killEpochs)
	l := &list.List{HasVotes: true, Provenance: list.Provenance{Kind: list.KindJSON, Source: "made", Epoch: &epoch, Vintage: list.VintageExact}}
	for range 1 + rng.IntN(1500) {
		l.Entries = append(l.Entries, schedule.Entry{Key: key(), Node: key(), Stake: 1 + rng.Uint64()>>24})
	}
	return l
}

// digestOfNumbered derives list number n by itself.
func digestOfNumbered(t *testing.T, n uint64) string {
	t.Helper()
	l := numbered(n)
	epoch := *l.Provenance.Epoch
	drawn, err := electorate.New(&list.Set{Lists: []list.List{*l}}, electorate.Terms{KeyedBy: "vote"}).For(epoch)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Derive(drawn.Stakes, schedule.Params{Epoch: epoch, Slots: 200, FirstSlot: schedule.Slot(200 * epoch)})
	if err != nil {
		t.Fatal(err)
	}
	sum := s.Digest()
	return hex.EncodeToString(sum[:])
}

// Whenever a service is killed while it takes stakes, one that starts with the same
// data has everything that was acknowledged, serves it, and takes further stakes.
func TestServeKilled(t *testing.T) {
	rounds := 15
	if testing.Short() {
		rounds = 3
	}
	dir := t.TempDir()
	tokenFile := filepath.Join(dir, "token")
	if err := os.WriteFile(tokenFile, []byte(killToken), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--listen", "127.0.0.1:0", "--ws-listen", "off", "--data", filepath.Join(dir, "data"), "--stakes-token-file", tokenFile,
		"--epoch-schedule", "200", "--keyed-by", "vote", "--anchor", "50@now", "--slot-duration", "1h",
	}
	rng := rand.New(rand.NewPCG(3, 4))
	acknowledged := map[uint64]uint64{} // number of the last list by epoch
	last, lost := uint64(0), 0
	for round := range rounds + 1 {
		c := startService(t, nil, args...)
		last = checkAcknowledged(t, c, acknowledged, last)
		if t.Failed() {
			t.Fatalf("in round %d:\n%s", round, c.log())
		}
		if round == rounds {
			break
		}
		var sent atomic.Uint64
		done := make(chan uint64)
		go func() { done <- postUntilKilled(c, last, &sent) }()
		for first := last + uint64(rng.IntN(6)); sent.Load() < first; { // or at once
			time.Sleep(100 * time.Microsecond)
		}
		time.Sleep(time.Duration(rng.IntN(6000)) * time.Microsecond)
		c.kill()
		until := <-done
		for n := last + 1; n <= until; n++ {
			acknowledged[*numbered(n).Provenance.Epoch] = n
		}
		if sent.Load() > until {
			lost++
		}
		last = until
	}
	t.Logf("%d services killed, %d lists acknowledged, %d were being taken", rounds, last, lost)
	if last == 0 || lost == 0 {
		t.Errorf("%d lists were acknowledged and %d cut off in %d rounds: this shows little", last, lost, rounds)
	}
}

// postUntilKilled posts the lists after number last and returns the last one that was
// acknowledged.
func postUntilKilled(c *child, last uint64, sent *atomic.Uint64) uint64 {
	sent.Store(last)
	for n := last + 1; ; n++ {
		var body bytes.Buffer
		if err := stakesjson.Write(&body, numbered(n)); err != nil {
			return last
		}
		r, err := http.NewRequest(http.MethodPost, c.url+"/v1/stakes", &body)
		if err != nil {
			return last
		}
		r.Header.Set("Authorization", "Bearer "+killToken)
		sent.Store(n)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return last
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if answer.StatusCode >= 300 {
			c.t.Errorf("list %d: status %d", n, answer.StatusCode)
			return last
		}
		last = n
	}
}

// checkAcknowledged checks what a service holds. The list after the last acknowledged
// one may be there or not; the number of the last one that counts is returned.
func checkAcknowledged(t *testing.T, c *child, acknowledged map[uint64]uint64, last uint64) uint64 {
	t.Helper()
	unsure := *numbered(last + 1).Provenance.Epoch
	for epoch := range uint64(killEpochs) {
		n, has := acknowledged[epoch]
		status, body := c.get(fmt.Sprint("/v1/epochs/", epoch))
		var got struct{ Digest string }
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatalf("epoch %d: %s", epoch, body)
		}
		switch {
		case has && status == http.StatusOK && got.Digest == digestOfNumbered(t, n):
		case !has && status == http.StatusNotFound:
		case epoch == unsure && status == http.StatusOK && got.Digest == digestOfNumbered(t, last+1):
			acknowledged[epoch] = last + 1
			return checkAcknowledged(t, c, acknowledged, last+1)
		default:
			t.Errorf("epoch %d: acknowledged was list %d (%t), got %d %.300s", epoch, n, has, status, body)
		}
	}
	return last
}
