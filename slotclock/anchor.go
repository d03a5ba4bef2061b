package slotclock

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/schedgen/schedgen/schedule"
)

// ParseAnchor reads a slot and when it began: SLOT@TIME, where TIME is of RFC
// 3339, seconds of Unix time, or now. The error is an [ErrAnchor].
func ParseAnchor(text string) (schedule.Slot, time.Time, error) {
	number, when, ok := strings.Cut(strings.TrimSpace(text), "@")
	if !ok {
		return 0, time.Time{}, anchorError(text, "there is no @")
	}
	slot, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return 0, time.Time{}, anchorError(text, "the slot is no number up to 18446744073709551615")
	}
	at, problem := parseTime(when)
	if problem != "" {
		return 0, time.Time{}, anchorError(text, problem)
	}
	return schedule.Slot(slot), at, nil
}

func parseTime(text string) (at time.Time, problem string) {
	if text == "now" {
		return time.Now().UTC(), ""
	}
	if sec, err := strconv.ParseInt(text, 10, 64); err == nil {
		if sec < earliest || sec > latest {
			return at, "the time is not within 1970 to 9999"
		}
		return time.Unix(sec, 0).UTC(), ""
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, "the time is neither of RFC 3339 nor seconds of Unix time"
	}
	if _, capped := seconds(at); capped {
		return at, "the time is not within 1970 to 9999"
	}
	return at.UTC(), ""
}

func anchorError(text, problem string) error {
	const most = 80
	if len(text) > most {
		text = text[:most] + "..."
	}
	return fmt.Errorf("%w %q: %s, want such as 432000@2026-10-08T12:00:00Z, 432000@1791460800 or 432000@now", ErrAnchor, text, problem)
}
