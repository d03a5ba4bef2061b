package store

import (
	"time"

	"pgregory.net/rapid"
)

var fixedTime = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)

func timeOf(t *rapid.T) time.Time {
	return fixedTime.Add(time.Duration(rapid.Int64Range(0, 1<<40).Draw(t, "time")))
}
