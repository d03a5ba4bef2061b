package text

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Lamports reads a whole number of lamports. An amount in SOL, rounded or scaled
// would give another schedule, so that nothing but plain digits is taken. The
// error wraps bad.
func Lamports(s string, bad error) (uint64, error) {
	lamports, err := strconv.ParseUint(s, 10, 64)
	if err == nil {
		return lamports, nil
	}
	problem := "is no number"
	switch {
	case s == "":
		return 0, fmt.Errorf("%w: the field is empty, want a whole number of lamports", bad)
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%w: %s is too large, at most 18446744073709551615 lamports", bad, Quote(s))
	case isNumber(s) && strings.ContainsAny(s, "eE"):
		problem = "has an exponent"
	case isNumber(s) && s[0] == '-':
		problem = "is negative"
	case isNumber(s) && strings.Trim(s, "0123456789") == ".":
		problem = "is a fraction"
	}
	return 0, fmt.Errorf("%w: %s %s, want a whole number of lamports in decimal digits", bad, Quote(s), problem)
}

// isNumber reports whether s is a decimal number of any kind.
func isNumber(s string) bool {
	if strings.Trim(s, "+-.0123456789eE") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// Quote shows a field in an error: on one line, and not at any length.
func Quote(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}
