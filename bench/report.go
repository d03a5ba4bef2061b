package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
)

// unit turns a time into the figure that a table shows.
type unit struct {
	name   string
	figure func(time.Duration) float64
}

var milliseconds = unit{"ms", func(d time.Duration) float64 { return float64(d) / 1e6 }}

func nanosecondsEach(n int) unit {
	return unit{"ns", func(d time.Duration) float64 { return float64(d) / float64(n) }}
}

func bytesPerSecond(n int) unit {
	return unit{"GB/s", func(d time.Duration) float64 { return float64(n) / float64(d) }}
}

// heading says on what the figures were taken.
func heading(core string, rounds int, rust *peer) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# What `make bench` printed\n\n")
	fmt.Fprintf(&b, "- %s (family %d, model %d), %d cores, %s/%s\n", cpuid.CPU.BrandName, cpuid.CPU.Family, cpuid.CPU.Model,
		runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&b, "- %s%s%s\n", runtime.Version(), rustVersion(rust), prefixed(", ", firstLine("openssl", "version")))
	fmt.Fprintf(&b, "- medians of %d turns%s; the ways to do a piece of work take turns of two runs, of which the second counts; between the quartiles lie half of the turns\n", rounds, prefixed(", ", core))
	fmt.Fprintf(&b, "- except OpenSSL, whose own program runs for a second, once; and batch, which has %d turns on all cores\n", min(rounds, batchRounds))
	fmt.Fprintf(&b, "- ratio: how many times as long as the first row's it takes\n")
	return b.Bytes()
}

func rustVersion(rust *peer) string {
	if rust == nil {
		return ", no Rust peer"
	}
	return prefixed(", ", firstLine("rustc", "--version"))
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// firstLine returns the first line that a program prints, or nothing.
func firstLine(program string, arguments ...string) string {
	out, err := exec.Command(program, arguments...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

// tables prints a table for each group.
func tables(groups []*group) []byte {
	var b bytes.Buffer
	for _, g := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n| | %s | quartiles | ratio |\n| --- | ---: | ---: | ---: |\n", g.title, g.unit.name)
		first := g.ways[0].quartile(2)
		for _, m := range g.ways {
			figure := func(q int) string { return show(g.unit.figure(m.quartile(q))) }
			fmt.Fprintf(&b, "| %s | %s | %s-%s | %.2f |\n", m.name, figure(2), figure(1), figure(3),
				float64(m.quartile(2))/float64(first))
		}
	}
	return b.Bytes()
}

// show prints three significant digits.
func show(x float64) string {
	switch {
	case x < 1:
		return fmt.Sprintf("%.3f", x)
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	default:
		return fmt.Sprintf("%.1f", x)
	}
}
