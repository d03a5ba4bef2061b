package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// pin keeps this thread, and programs that it starts, on the last core it may use.
func pin() (string, error) {
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		return "", err
	}
	for core := 1023; core >= 0; core-- {
		if !allowed.IsSet(core) {
			continue
		}
		var one unix.CPUSet
		one.Set(core)
		return fmt.Sprintf("pinned to core %d", core), unix.SchedSetaffinity(0, &one)
	}
	return "", fmt.Errorf("no core")
}
