package feed

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// Snapshots as validators wrote them, in a folder, full before what is newer is there.
func TestRealSnapshots(t *testing.T) {
	data := filepath.Join("..", "..", "..", "shared", "data")
	for name, slot := range map[string]schedule.Slot{
		"snapshot-100-HsFVd9m9URPdb2HpZXkxsnYMMrKU3nBFr1SCo2SoQS6W.tar.zst":  100,
		"snapshot-2300-7rokPwXP7odY3X9jjrjV2B22bZJNY5kRExuJdqpFPtUg.tar.zst": 2300,
	} {
		content, err := os.ReadFile(filepath.Join(data, name))
		if errors.Is(err, fs.ErrNotExist) {
			t.Skipf("no ../shared/data/%s beside the repository: this check needs it", name)
		}
		if err != nil {
			t.Fatal(err)
		}
		watching(t, schedule.EpochSchedule{}, func(t *testing.T, g *rig, w *Watch, dir string) {
			write(t, dir, name, content[:len(content)/3])
			after(settled)
			write(t, dir, name, content)
			touch(t, dir, name, 1)
			after(settled)
			es := g.registry.EpochSchedule()
			epoch, _ := es.EpochOf(slot)
			for _, e := range []uint64{epoch, epoch + 1} {
				held, ok := g.registry.Summary(e)
				if p := held.Provenance; !ok || p.Vintage != list.VintageExact || p.Source != name || *p.Slot != slot || strings.Contains(strings.Join(p.Notes, " "), "name") {
					t.Errorf("epoch %d: %v, %+v", e, ok, held)
				}
			}
			if leader, err := g.registry.LeaderAt(slot); err != nil || leader.IsZero() {
				t.Errorf("slot %d: %v, %v", slot, leader, err)
			}
		})
	}
}
