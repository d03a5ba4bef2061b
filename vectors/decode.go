package vectors

import (
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
)

//go:embed data/*.json
var data embed.FS

func embedded() fs.FS {
	sub, err := fs.Sub(data, "data")
	if err != nil {
		panic(err) // "data" is a valid path
	}
	return sub
}

// load reads the vectors of every kind. dir is where long stake lists are.
func load(files fs.FS, dir string) ([]testCase, error) {
	kinds := []struct {
		file string
		read func(fs.FS, string) ([]testCase, error)
	}{
		{"streams.json", streams},
		{"rolls.json", rolls},
		{"shuffles.json", shuffles},
		{"samplers.json", samplers},
		{"schedules.json", schedules},
		{"boundary.json", boundaries},
		{"published.json", published},
		{"random100.json", random100},
		{"clusters.json", func(files fs.FS, name string) ([]testCase, error) {
			return clusters(files, name, dir)
		}},
	}
	var all []testCase
	for _, kind := range kinds {
		cases, err := kind.read(files, kind.file)
		if err != nil {
			return nil, fmt.Errorf("vector file %s: %w", kind.file, err)
		}
		all = append(all, cases...)
	}
	return all, nil
}

// decode reads one file; a field that dst does not have is an error.
func decode(files fs.FS, name string, dst any) error {
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	return d.Decode(dst)
}

// word is a number of up to 64 bits, in JSON a string of decimal digits.
type word uint64

func (w *word) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	*w = word(n)
	return err
}

// bytes32 is a seed, a key or a SHA-256, in JSON as hexadecimal.
type bytes32 [32]byte

func (b *bytes32) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(b)) {
		return fmt.Errorf("%q has %d hexadecimal digits, want %d", text, len(text), hex.EncodedLen(len(b)))
	}
	_, err := hex.Decode(b[:], text)
	return err
}

func (b bytes32) String() string { return hex.EncodeToString(b[:]) }

// numbers converts what JSON holds.
func numbers(words []word) []uint64 {
	out := make([]uint64, len(words))
	for i, w := range words {
		out[i] = uint64(w)
	}
	return out
}

// hashNumbers returns the SHA-256 over 8 little-endian bytes a number.
func hashNumbers[T ~uint64 | ~int](list []T) bytes32 {
	bytes := make([]byte, 0, 8*len(list))
	for _, n := range list {
		bytes = binary.LittleEndian.AppendUint64(bytes, uint64(n))
	}
	return sha256.Sum256(bytes)
}

// epochSeed is the seed of an epoch's stream.
func epochSeed(epoch uint64) (seed [32]byte) {
	binary.LittleEndian.PutUint64(seed[:], epoch)
	return seed
}
