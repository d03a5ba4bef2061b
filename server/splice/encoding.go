package splice

import (
	"strconv"
	"strings"
)

// Encoding is a content coding of HTTP.
type Encoding uint8

const (
	Identity Encoding = iota // as it is
	Gzip                     // RFC 1952
	Zstd                     // RFC 8878
)

// Encodings returns every encoding.
func Encodings() []Encoding { return []Encoding{Identity, Gzip, Zstd} }

// String returns the name that HTTP has for the encoding: identity, gzip or zstd.
func (e Encoding) String() string {
	switch e {
	case Identity:
		return "identity"
	case Gzip:
		return "gzip"
	case Zstd:
		return "zstd"
	}
	return "Encoding(" + strconv.Itoa(int(e)) + ")"
}

// Accepted returns which of the encodings on offer an Accept-Encoding header
// (RFC 9110, 12.5.3) likes best, the first of them where it likes several as
// much, and Identity where it takes none of them. What does not parse counts as
// not accepted. Several header lines are joined with commas.
func Accepted(header string, offers ...Encoding) Encoding {
	best, bestQ := Identity, 0.0
	for _, offer := range offers {
		if q := quality(header, offer); q > bestQ {
			best, bestQ = offer, q
		}
	}
	return best
}

// quality returns the weight that a header gives to an encoding, 0 for none.
func quality(header string, e Encoding) float64 {
	star := 0.0
	for item := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(item, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case name == e.String(), name == "x-gzip" && e == Gzip:
			return weight(params)
		case name == "*":
			star = weight(params)
		}
	}
	return star
}

// weight reads the parameter q of an item; 1 without one.
func weight(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		name, value, ok := strings.Cut(param, "=")
		if !ok || strings.ToLower(strings.TrimSpace(name)) != "q" {
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
