package rest

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/electorate"
	stakesjson "github.com/schedgen/schedgen/stakes/json"
	"github.com/schedgen/schedgen/stakes/list"
)

const bearer = "Bearer " + token

func (s *service) post(query, body string, header ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.do(http.MethodPost, "/v1/stakes"+query, body, append([]string{"Authorization", bearer}, header...)...)
}

// ownForm is a list as JSON, which says its epoch.
func ownForm(t testing.TB, l *list.List) string {
	t.Helper()
	var out bytes.Buffer
	if err := stakesjson.Write(&out, l); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func asCSV(t testing.TB, l *list.List) string {
	t.Helper()
	var out bytes.Buffer
	if err := csv.Write(&out, l.Entries, l.HasVotes); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPost(t *testing.T) {
	s := newService(t)
	for _, step := range []struct {
		query, body, result string
		code                int
		version             uint64
	}{
		{"", ownForm(t, made(7, 1, 12)), "created", http.StatusCreated, 1},
		{"", ownForm(t, made(7, 1, 12)), "unchanged", http.StatusOK, 1},
		{"?epoch=7", ownForm(t, made(7, 2, 12)), "replaced", http.StatusOK, 2},
	} {
		w := s.post(step.query, step.body)
		if w.Code != step.code || w.Header().Get("Cache-Control") != "no-store" {
			t.Fatalf("%s: %d %s", step.result, w.Code, w.Body)
		}
		got := parsed[StakesAnswer](t, w).Results
		digest := s.epoch(7).Digest()
		if len(got) != 1 || got[0].Epoch != 7 || got[0].Result != step.result || got[0].Entries != 12 || got[0].Vintage != "exact" ||
			*got[0].Digest != hex.EncodeToString(digest[:]) || *got[0].Location != "/v1/epochs/7" || got[0].Problem != nil {
			t.Errorf("%s: %+v", step.result, got)
		}
		if location := w.Header().Get("Location"); (location == "/v1/epochs/7") != (step.code == http.StatusCreated) {
			t.Errorf("Location %q", location)
		}
		if s.epoch(7).List().Entries[0] != made(7, step.version, 12).Entries[0] {
			t.Errorf("%s: not the list that was posted", step.result)
		}
	}
}

func TestPostWithoutAnEpoch(t *testing.T) {
	s := newService(t)
	body := asCSV(t, made(9, 1, 12))
	if p := mustRefuse(t, "no epoch", s.post("", body), http.StatusUnprocessableEntity, "stakes-epoch"); p.Parameter != "epoch" {
		t.Errorf("%+v", p)
	}
	w := s.post("?epoch=9", body, "Content-Type", "application/x-www-form-urlencoded")
	if w.Code != http.StatusCreated {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if p := s.epoch(9).Provenance(); p.Source != "posted stakes" || *p.Epoch != 9 || p.Vintage != "unknown" {
		t.Errorf("%+v", p)
	}
	p := mustRefuse(t, "another epoch", s.post("?epoch=8", ownForm(t, made(7, 1, 3))), http.StatusUnprocessableEntity, "stakes-epoch")
	if *p.Epoch != 8 || !strings.Contains(p.Detail, "7") {
		t.Errorf("%+v", p)
	}
	mustRefuse(t, "bad epoch", s.post("?epoch=x", body), http.StatusBadRequest, "bad-parameter")
}

// Sources of several epochs: all of them are taken, or one.
func TestPostArchives(t *testing.T) {
	if shorter() {
		t.Skip("archives are slow to read with -short or SCHEDGEN_TEST_EMULATED=1")
	}
	for name, one := range map[string]uint64{
		"test-ledger-genesis.tar.bz2":                                        1,
		"snapshot-2300-7rokPwXP7odY3X9jjrjV2B22bZJNY5kRExuJdqpFPtUg.tar.zst": 0,
	} {
		file, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", name))
		if errors.Is(err, os.ErrNotExist) {
			t.Skipf("no ../shared/data/%s beside the repository: this check needs it", name)
		}
		if err != nil {
			t.Fatal(err)
		}
		set, err := stakes.Open(t.Context(), stakes.Stdin, stakes.Options{Stdin: bytes.NewReader(file)})
		if err != nil {
			t.Fatal(err)
		}
		if one == 0 {
			one = set.Epochs()[0]
		}
		for query, want := range map[string][]uint64{"": set.Epochs(), fmt.Sprintf("?epoch=%d", one): {one}, "?epoch=77777": nil} {
			registry, err := epochs.New(epochs.Options{Terms: electorate.Terms{KeyedBy: "vote"}})
			if err != nil {
				t.Fatal(err)
			}
			s := serviceOf(t, registry)
			w := s.post(query, string(file))
			if want == nil {
				mustRefuse(t, query, w, http.StatusUnprocessableEntity, "stakes-epoch")
				continue
			}
			if w.Code != http.StatusCreated {
				t.Fatalf("%s%s: %d %s", name, query, w.Code, w.Body)
			}
			var got []uint64
			for _, r := range parsed[StakesAnswer](t, w).Results {
				if r.Result != "created" || r.Vintage != "exact" {
					t.Errorf("%s%s: %+v", name, query, r)
				}
				got = append(got, r.Epoch)
			}
			if held := ask[Status](s, "/v1/status").Held; !slices.Equal(got, want) || !slices.Equal(held, want) {
				t.Errorf("%s%s: took %v, holds %v, want %v", name, query, got, held, want)
			}
		}
	}
}

func TestWhoMayPost(t *testing.T) {
	body := ownForm(t, made(7, 1, 3))
	s := newService(t)
	for _, header := range [][]string{
		nil, {"Authorization", ""}, {"Authorization", token}, {"Authorization", "Basic " + token}, {"Authorization", "Bearer"},
		{"Authorization", "Bearer "}, {"Authorization", "Bearer " + token[1:]}, {"Authorization", "Bearer " + token + "x"},
		{"Authorization", "Bearer " + strings.ToUpper(token)}, {"Authorization", "Bearer x", "Authorization", bearer},
	} {
		w := s.do("POST", "/v1/stakes", body, header...)
		mustRefuse(t, fmt.Sprint(header), w, http.StatusUnauthorized, "unauthorized")
		if got := w.Header().Get("WWW-Authenticate"); !strings.HasPrefix(got, `Bearer realm="stakes"`) {
			t.Errorf("WWW-Authenticate %q", got)
		}
		if text := w.Body.String() + fmt.Sprint(w.Header()) + s.log.String(); strings.Contains(text, token[1:]) {
			t.Errorf("the token is told: %s", text)
		}
	}
	if w := s.do("POST", "/v1/stakes", body, "Authorization", "bearer  "+token); w.Code != http.StatusCreated {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := newService(t, func(c *Config) { c.Token += "\r\n" }).post("", body); w.Code != http.StatusCreated {
		t.Errorf("a token with the end of its line: %d %s", w.Code, w.Body)
	}
	for _, none := range []string{"", " \n"} {
		closed := newService(t, func(c *Config) { c.Token = none })
		for _, header := range []string{"", "Bearer ", "Bearer " + token, "Bearer " + none} {
			w := closed.do("POST", "/v1/stakes", body, "Authorization", header)
			mustRefuse(t, header, w, http.StatusForbidden, "posts-closed")
		}
		if _, ok := closed.registry.Summary(7); ok {
			t.Error("taken without a token")
		}
	}
	if text := fmt.Sprintf("%+v %#v", s.handler.c, s.handler.c); strings.Contains(text, token) {
		t.Error("the token can be printed")
	}
}

func TestPostedNonsense(t *testing.T) {
	s := newService(t)
	for what, body := range map[string]string{
		"nothing": "", "text": "hello\n", "object": "{}", "cut": ownForm(t, made(7, 1, 12))[:300], "array": "[]", "null": "null",
		"bytes": "\x00\x01\x02\x03\xff\xfe", "zip": "PK\x03\x04", "gzip": "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	} {
		p := mustRefuse(t, what, s.post("?epoch=7", body), http.StatusUnprocessableEntity, "stakes-invalid")
		if strings.Contains(p.Detail, "standard input") {
			t.Errorf("%s: %s", what, p.Detail)
		}
	}
	none := made(7, 1, 3)
	for i := range none.Entries {
		none.Entries[i].Stake = 0
	}
	p := mustRefuse(t, "no stake", s.post("", ownForm(t, none)), http.StatusUnprocessableEntity, "not-derivable")
	if *p.Epoch != 7 {
		t.Errorf("%+v", p)
	}
	if _, ok := s.registry.Summary(7); ok {
		t.Error("something was taken")
	}
}

func TestPostedPacked(t *testing.T) {
	s := newService(t)
	body := ownForm(t, made(7, 1, 3))
	mustRefuse(t, "form", s.post("", body, "Content-Type", "multipart/form-data; boundary=x"), http.StatusUnsupportedMediaType, "unsupported-media")
	w := s.post("", body, "Content-Encoding", "gzip")
	mustRefuse(t, "gzip", w, http.StatusUnsupportedMediaType, "unsupported-media")
	if w.Header().Get("Accept-Encoding") != "identity" {
		t.Errorf("%v", w.Header())
	}
	mustRefuse(t, "accept", s.post("", body, "Accept", "text/html"), http.StatusNotAcceptable, "not-acceptable")
	if w := s.post("", body, "Content-Encoding", "identity", "Content-Type", "application/json"); w.Code != http.StatusCreated {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestPostedTooMuch(t *testing.T) {
	body := ownForm(t, made(7, 1, 12))
	for _, most := range []int64{1, 100, int64(len(body)) - 1, int64(len(body))} {
		s := newService(t, func(c *Config) { c.MaxBody = most })
		for _, length := range []int64{int64(len(body)), -1} {
			r := httptest.NewRequest("POST", "/v1/stakes", io.NopCloser(strings.NewReader(body)))
			r.ContentLength = length
			r.Header.Set("Authorization", bearer)
			w := httptest.NewRecorder()
			s.handler.ServeHTTP(w, r)
			if most == int64(len(body)) {
				if w.Code >= 300 {
					t.Errorf("%d of %d bytes: %d %s", len(body), most, w.Code, w.Body)
				}
				continue
			}
			mustRefuse(t, fmt.Sprint(most), w, http.StatusRequestEntityTooLarge, "too-large")
		}
	}
}

// Who waits for another post to be read may leave.
func TestPostsWait(t *testing.T) {
	s := newService(t)
	s.handler.ingest <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequest("POST", "/v1/stakes", strings.NewReader(ownForm(t, made(7, 1, 3)))).WithContext(ctx)
	r.Header.Set("Authorization", bearer)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	if w.Code < 400 {
		t.Errorf("%d", w.Code)
	}
	<-s.handler.ingest
	if w := s.post("", ownForm(t, made(7, 1, 3))); w.Code != http.StatusCreated {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A failing registry refuses every list, or some.
type failing struct {
	*epochs.Registry
	put func(*list.List) error
}

func (f failing) Put(l *list.List) (store.Put, error) {
	if err := f.put(l); err != nil {
		return store.Put{}, err
	}
	return f.Registry.Put(l)
}

// putErrors are of every status that a post is refused with by the registry.
var putErrors = []error{
	&epochs.BetterHeldError{Epoch: 7}, schedule.ErrNoStake, store.ErrFull, store.ErrReadOnly, epochs.ErrNoEpochSchedule,
}

func TestRefusedPosts(t *testing.T) {
	const secret = "/var/lib/secret/epochs.db"
	in := func(err error) error { return &store.Error{Path: secret, Err: err} }
	for _, c := range []struct {
		err    error
		status int
		name   string
		logged bool
	}{
		{&epochs.BetterHeldError{Epoch: 7, Why: "because"}, 409, "better-held", false},
		{&store.ClusterError{What: "cluster", Have: "a", Want: "b"}, 409, "other-cluster", false},
		{in(&store.ClusterError{What: "cluster"}), 409, "other-cluster", false},
		{fmt.Errorf("list: %w", schedule.ErrDuplicateKey), 422, "not-derivable", false},
		{fmt.Errorf("list: %w", electorate.ErrNotExact), 422, "not-derivable", false},
		{fmt.Errorf("list: %w", schedule.ErrKeyingUnknown), 422, "not-derivable", false},
		{epochs.ErrNoEpoch, 422, "stakes-epoch", false},
		{epochs.ErrNoEpochSchedule, 503, "epoch-length-unknown", false},
		{in(fmt.Errorf("%w: %w", store.ErrFull, syscall.ENOSPC)), 507, "store-full", true},
		{in(store.ErrReadOnly), 500, "store-failed", true},
		{in(store.ErrDamaged), 500, "store-failed", true},
		{errors.New(secret), 500, "internal", true},
	} {
		s := newService(t)
		s.handler.c.Epochs = failing{s.registry, func(*list.List) error { return c.err }}
		w := s.post("", ownForm(t, made(7, 1, 3)))
		p := mustRefuse(t, c.name, w, c.status, c.name)
		if strings.Contains(w.Body.String(), "secret") && !errors.Is(c.err, store.ErrCluster) {
			t.Errorf("%s tells a path: %s", c.name, w.Body)
		}
		if logged := strings.Contains(s.log.String(), "secret"); logged != c.logged {
			t.Errorf("%s: log %q", c.name, s.log)
		}
		if *p.Epoch != 7 || p.Results != nil {
			t.Errorf("%+v", p)
		}
	}
}

// Of a source of several epochs some lists may be taken and others not.
func TestSomeRefused(t *testing.T) {
	s := newService(t)
	var refuse []uint64
	s.handler.c.Epochs = failing{s.registry, func(l *list.List) error {
		for _, epoch := range refuse {
			if *l.Provenance.Epoch == epoch {
				return &epochs.BetterHeldError{Epoch: epoch, Why: "because"}
			}
		}
		return nil
	}}
	post := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		c := &call{w: w, r: httptest.NewRequest("POST", "/v1/stakes", nil)}
		if err := s.handler.put(c, []*list.List{made(8, 1, 3), made(9, 1, 3)}); err != nil {
			s.handler.fail(c, err)
		}
		return w
	}
	refuse = []uint64{8, 9}
	p := mustRefuse(t, "both", post(), http.StatusConflict, "better-held")
	if len(p.Results) != 2 || p.Results[1].Result != "refused" || *p.Results[1].Problem.Epoch != 9 || p.Results[1].Location != nil {
		t.Errorf("%+v", p)
	}
	refuse = []uint64{8}
	w := post()
	got := parsed[StakesAnswer](t, w).Results
	if w.Code != http.StatusCreated || w.Header().Get("Location") != "" || got[0].Result != "refused" || got[0].Problem.Status != 409 || got[1].Result != "created" {
		t.Errorf("%d %+v", w.Code, got)
	}
}
