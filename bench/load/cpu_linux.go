package main

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// cpuTime returns how long a process has run on all cores together.
func cpuTime(pid int) time.Duration {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name, which may hold spaces, ends with the last parenthesis.
	_, after, _ := strings.Cut(string(text[strings.LastIndexByte(string(text), ')')+1:]), " ")
	fields := strings.Fields(after)
	const user, system, tick = 11, 12, 10 * time.Millisecond // Linux counts hundredths for programs
	if len(fields) <= system {
		return 0
	}
	var ticks time.Duration
	for _, field := range []string{fields[user], fields[system]} {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		ticks += time.Duration(n)
	}
	return ticks * tick
}
