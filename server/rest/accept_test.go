package rest

import "testing"

func TestWeigh(t *testing.T) {
	for _, c := range []struct {
		header string
		want   float64
	}{
		{"", 1}, {" , ", 1}, {"*/*", 1}, {"text/*", 1}, {"text/csv", 1}, {"TEXT/CSV; charset=utf-8", 1},
		{"text/csv;q=0.3, */*", 0.3}, {"*/*;q=0.1, text/*;q=0.2", 0.2}, {"text/csv;q=0, */*", 0}, {"text/*;q=0", 0},
		{"application/json", 0}, {"csv", 0}, {"text/csvx", 0}, {"text/csv;q=7", 0}, {"text/csv;q=x", 0}, {"text/csv;q=NaN", 0},
		{"text/csv;header=present;q=0.5", 0.5}, {"text/html,application/xhtml+xml,*/*;q=0.8", 0.8},
	} {
		var header []string
		if c.header != "" {
			header = []string{c.header}
		}
		if got := weigh(header, "text/csv"); got != c.want {
			t.Errorf("%q: %v, want %v", c.header, got, c.want)
		}
	}
	if got := weigh([]string{"application/json", "text/csv;q=0.5"}, "text/csv"); got != 0.5 {
		t.Errorf("two lines: %v", got)
	}
}
