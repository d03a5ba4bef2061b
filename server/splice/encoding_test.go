package splice

import "testing"

func TestAccepted(t *testing.T) {
	for _, c := range []struct {
		header string
		want   Encoding
	}{
		{"", Identity},
		{"gzip", Gzip},
		{"x-gzip", Gzip},
		{"GZIP", Gzip},
		{"deflate, br", Identity},
		{"gzip, deflate, br, zstd", Zstd},
		{"zstd;q=0.5, gzip", Gzip},
		{"gzip;q=0.9, zstd ; Q=0.95", Zstd},
		{"gzip;q=0", Identity},
		{"*", Zstd},
		{"*;q=0.1, zstd;q=0", Gzip},
		{"gzip;q=2, zstd;q=-1", Identity},
		{"gzip;q=NaN", Identity},
		{"gzip;q=x, *;q=0.1", Zstd},
		{"gzip;level=1", Gzip},
		{",;,gzip,,", Gzip},
	} {
		if got := Accepted(c.header, Zstd, Gzip); got != c.want {
			t.Errorf("%q: got %v, want %v", c.header, got, c.want)
		}
	}
	if got := Accepted("zstd, gzip", Gzip); got != Gzip {
		t.Errorf("got %v, which is not on offer", got)
	}
	if got := Accepted("gzip, zstd", Gzip, Zstd); got != Gzip {
		t.Errorf("got %v, want the first on offer", got)
	}
}

func FuzzAccepted(f *testing.F) {
	f.Add("gzip;q=0.5, *")
	f.Fuzz(func(t *testing.T, header string) {
		if got := Accepted(header, Gzip); got != Gzip && got != Identity {
			t.Errorf("got %v, which is not on offer", got)
		}
	})
}
