package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// A table has columns that are aligned to the right, and some to the left.
type table struct {
	rows [][]string
	left []int
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// print writes the rows, two spaces between columns.
func (t *table) print(out io.Writer) error {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	var lines []string
	for _, row := range t.rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			blank := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if slices.Contains(t.left, i) {
				b.WriteString(cell + blank)
			} else {
				b.WriteString(blank + cell)
			}
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
		b.Reset()
	}
	_, err := io.WriteString(out, strings.Join(lines, "\n")+"\n")
	return err
}

// printJSON writes an answer for programs.
func printJSON(out io.Writer, answer any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(answer)
}

// checkAnswerFormat checks --format.
func checkAnswerFormat(format string) error {
	if format != "text" && format != "json" {
		return fmt.Errorf("--format: unknown format %q, want text or json", format)
	}
	return nil
}

// slotCount writes a number of slots.
func slotCount(n uint64) string {
	if n == 1 {
		return "1 slot"
	}
	return grouped(n) + " slots"
}
