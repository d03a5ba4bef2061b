package main

import (
	"os"
	"syscall"
)

// peakMemory returns the most memory that a process had, in bytes.
func peakMemory(p *os.ProcessState) uint64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	const unit = 1 << 10
	return uint64(usage.Maxrss) * unit
}
