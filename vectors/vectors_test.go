package vectors

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// recordedDir holds recorded schedules, on machines that have them.
const recordedDir = "../../shared/data"

// dirWith returns recordedDir when it holds the file, else "".
func dirWith(file string) string {
	if _, err := os.Stat(filepath.Join(recordedDir, file)); err != nil {
		return ""
	}
	return recordedDir
}

func TestVectors(t *testing.T) {
	t.Parallel()
	cases, err := load(embedded(), dirWith("epoch-454-stakes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, c := range cases {
		if seen[c.name] {
			t.Errorf("two vectors are called %s", c.name)
		}
		seen[c.name] = true
	}
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				if c.heavy && testing.Short() {
					t.Skip("heavy")
				}
				err := c.run(b)
				if errors.Is(err, errSkipped) {
					t.Skipf("stake list absent: %v", err)
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
	})
}
