package clienttest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/schedgen/schedgen/server"
	"github.com/schedgen/schedgen/server/feed"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/json"
)

// A service is where a cluster can be asked about: HTTP ends in a slash, and the
// WebSocket at WS is at the same port. Another one is a port above.
type service struct {
	HTTP string `json:"http"`
	WS   string `json:"ws"`
}

// serve starts the service of a cluster, whose slots take a time each, until the
// test ends. With none the clock stands still.
func serve(t testing.TB, c *cluster, perSlot time.Duration) service {
	t.Helper()
	start, o := time.Now(), server.Config{Cluster: c.name}
	if perSlot == 0 {
		perSlot, o.Now = 400*time.Millisecond, func() time.Time { return start }
	}
	clock := slotclock.Assume(c.slot, start, perSlot)
	o.Anchor = &clock
	if c.name == "" {
		o.EpochSchedule, o.Terms = c.es, electorate.Terms{KeyedBy: "vote"}
	}
	o.Stakes = stakeFiles(t, c)
	s := listening(t, o)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	for why := s.Ready(); len(why) > 0; why = s.Ready() {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("ended before it was ready: %v", err)
		case <-time.After(20 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatal(why)
		}
	}
	return service{s.URL(), "ws://" + s.Addresses()[0].String()}
}

// listening opens a service with both its ports.
func listening(t testing.TB, o server.Config) *server.Server {
	t.Helper()
	o.Listen, o.WebSocketListen = "127.0.0.1:0", server.NextPort
	for range 50 {
		s, err := server.New(o)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Addresses()) == 2 {
			return s
		}
		s.Close() // somebody has the next port
	}
	t.Fatal("no two ports in a row are free")
	return nil
}

// stakeFiles writes the lists of a cluster.
func stakeFiles(t testing.TB, c *cluster) (files []feed.File) {
	t.Helper()
	dir := t.TempDir()
	for _, e := range c.held() {
		var text bytes.Buffer
		if err := json.Write(&text, c.epochs[e].List); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, fmt.Sprintf("%d.json", e))
		if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, feed.File{Name: name})
	}
	return files
}
