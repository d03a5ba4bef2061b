package jsonrpc

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An exchange is a request and its answer in a transcript.
type exchange struct {
	line            int
	request, answer string
}

func readTranscript(t testing.TB, path string) (exchanges []exchange) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		switch text := lines.Text(); {
		case strings.HasPrefix(text, "> "), text == ">":
			exchanges = append(exchanges, exchange{line: n, request: text[min(2, len(text)):]})
		case strings.HasPrefix(text, "< "):
			exchanges[len(exchanges)-1].answer = text[2:] + "\n"
		case text != "" && text[0] != '#':
			t.Fatalf("%s:%d: %s", path, n, text)
		}
	}
	if err := lines.Err(); err != nil || len(exchanges) == 0 {
		t.Fatalf("%s: %v", path, err)
	}
	return exchanges
}

// What a validator answers to the same requests, written by hand.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) != 4 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			h := New(Of(smallCluster(t)), feedAt(45, 44, 40), Options{})
			for _, coding := range []string{"", "gzip", "zstd, gzip", "br"} {
				for _, x := range readTranscript(t, path) {
					response, got := ask(t, h, x.request, "Accept-Encoding", coding)
					if got != x.answer || response.StatusCode != 200 {
						t.Fatalf("line %d: %s\ngot status %d %swant %s", x.line, x.request, response.StatusCode, got, x.answer)
					}
					if kind := response.Header.Get("Content-Type"); kind != "application/json; charset=utf-8" {
						t.Errorf("line %d: content type %s", x.line, kind)
					}
				}
			}
		})
	}
}

func TestTranscriptsCoverMethods(t *testing.T) {
	seen := map[string]bool{}
	paths, _ := filepath.Glob("testdata/*.txt")
	for _, path := range paths {
		for _, x := range readTranscript(t, path) {
			for name := range methods {
				if strings.Contains(x.request, `"`+name+`"`) && strings.Contains(x.answer, `"result"`) {
					seen[name] = true
				}
			}
			// Answers are printed by hand here; nodes sort the names in results.
			if _, result, ok := strings.Cut(strings.TrimSpace(x.answer), `{"jsonrpc":"2.0","result":`); ok && x.answer[0] == '{' {
				if result = result[:strings.LastIndex(result, `,"id":`)]; !sortedNames(result) {
					t.Errorf("%s:%d: names are not sorted", path, x.line)
				}
			}
		}
	}
	for name := range methods {
		if !seen[name] {
			t.Errorf("no transcript has a result of %s", name)
		}
	}
}
