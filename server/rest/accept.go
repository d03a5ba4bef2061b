package rest

import (
	"strconv"
	"strings"
)

// accepts reports whether an Accept header takes a media type.
func accepts(header []string, mediaType string) bool { return weigh(header, mediaType) > 0 }

// weigh returns how much an Accept header (RFC 9110, 12.5.1) likes a media type, 0
// for not at all. The most specific range that it has for the type decides; without
// a header, everything is liked. Parameters of a type other than q are left out of
// account.
func weigh(header []string, mediaType string) float64 {
	main, _, _ := strings.Cut(mediaType, "/")
	best, weight, ranges := 0, 0.0, 0
	for _, line := range header {
		for item := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(item, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			if name == "" {
				continue
			}
			ranges++
			specific := 0
			switch name {
			case "*/*":
				specific = 1
			case main + "/*":
				specific = 2
			case mediaType:
				specific = 3
			}
			if specific > best {
				best, weight = specific, qualityOf(params)
			}
		}
	}
	if ranges == 0 {
		return 1
	}
	return weight
}

func qualityOf(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(param, "=")
		if strings.ToLower(strings.TrimSpace(name)) != "q" {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}

func refuseAccept(types ...string) error {
	return problemf(notAcceptable, "the header Accept takes none of %s", strings.Join(types, ", "))
}
