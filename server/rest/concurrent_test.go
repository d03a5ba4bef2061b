package rest

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/schedgen/schedgen/schedulefile"
)

// While the stakes of an epoch are replaced again and again, every answer is of one
// version: its entity tag is that of its leaders.
func TestAnswersAreOfOneVersion(t *testing.T) {
	versions, asks := uint64(40), 150
	if shorter() {
		versions, asks = 6, 20
	}
	s := newService(t)
	var all sync.WaitGroup
	all.Go(func() {
		for version := range versions {
			mustPut(t, s.registry, made(5, 2+version, 12))
		}
	})
	for _, query := range []string{"format=text", "format=csv", "format=json-compact", "format=csv&columns=slot_index,leader", "format=text&from=1010&to=1210"} {
		all.Go(func() {
			for i := range asks {
				coding := []string{"", "gzip", "zstd"}[i%3]
				r := httptest.NewRequest(http.MethodGet, "/v1/epochs/5/schedule?"+query, nil)
				r.Header.Set("Accept-Encoding", coding)
				w := httptest.NewRecorder()
				s.handler.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					t.Errorf("%s: %d", query, w.Code)
					return
				}
				if strings.Contains(query, "to=") {
					continue // has another digest
				}
				o, err := schedulefile.Read(strings.NewReader(plainBody(t, w)), query)
				if err != nil {
					t.Errorf("%s: %v", query, err)
					return
				}
				digest, _ := o.Digest()
				if etag := w.Header().Get("ETag"); !strings.HasPrefix(etag, `"`+hex.EncodeToString(digest[:])) {
					t.Errorf("%s: entity tag %s of leaders with the digest %x", query, etag, digest)
				}
			}
		})
	}
	all.Go(func() {
		for i := range asks {
			got := ask[EpochSummary](s, "/v1/epochs/5")
			standings := ask[Standings](s, "/v1/epochs/5/leaders")
			total := uint64(0)
			for _, l := range standings.Leaders {
				total += l.Stake
			}
			if total != standings.TotalStake || got.Digest == nil {
				t.Errorf("ask %d: %d lamports of %d", i, total, standings.TotalStake)
			}
			s.get(fmt.Sprintf("/v1/leaders/%v/next", absent))
		}
	})
	all.Wait()
}
