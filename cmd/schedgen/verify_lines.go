package main

import (
	"fmt"
	"strings"
)

// signed writes a change with its sign.
func signed(n int64) string {
	switch {
	case n > 0:
		return "+" + grouped(uint64(n))
	case n < 0:
		return "-" + grouped(uint64(-n))
	}
	return "0"
}

// labelled are lines of a label and a text, which is broken between words.
type labelled struct{ rows [][2]string }

func (l *labelled) add(label, format string, args ...any) {
	l.rows = append(l.rows, [2]string{label, fmt.Sprintf(format, args...)})
}

// lineWidth is how long a line may get, unless a word is longer.
const lineWidth = 100

func (l *labelled) print(out *strings.Builder) {
	width := 0
	for _, row := range l.rows {
		width = max(width, len(row[0]))
	}
	for _, row := range l.rows {
		fmt.Fprintf(out, "%-*s ", width, row[0])
		column := width + 1
		for _, word := range strings.Fields(row[1]) {
			if column+1+len(word) > lineWidth && column > width+1 {
				fmt.Fprintf(out, "\n%*s", width+1, "")
				column = width + 1
			}
			out.WriteString(" " + word)
			column += 1 + len(word)
		}
		out.WriteByte('\n')
	}
}
