package rest_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"time"

	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/rest"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/example"
)

// Two slots of a schedule, from the example stakes and a clock that is made up.
func Example() {
	registry, err := epochs.New(epochs.Options{Cluster: "mainnet-beta"})
	if err != nil {
		log.Fatal(err)
	}
	stakes, err := csv.ReadList(bytes.NewReader(example.CSV()), "the example stake list")
	if err != nil {
		log.Fatal(err)
	}
	epoch := uint64(950)
	stakes.Provenance.Epoch = &epoch
	if _, err := registry.Put(stakes); err != nil {
		log.Fatal(err)
	}
	noon := time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)
	clock, err := slotfeed.NewAnchor(slotclock.Assume(410_400_000, noon, 400*time.Millisecond), nil)
	if err != nil {
		log.Fatal(err)
	}
	handler, err := rest.New(rest.Config{Epochs: registry, Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	resp, err := server.Client().Get(server.URL + "/v1/epochs/950/schedule?from=410400003&to=410400004")
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(body))
	// Output: {"2U2kqsCN2ng5HJtvNN9btegAKG3kKxTzFMVgy1XjrSg9":[4],"EGguUPs53WH5PNSz1R316tdksijz1xKvWNdqdefHKasj":[3]}
}
