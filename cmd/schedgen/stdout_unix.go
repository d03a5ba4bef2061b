//go:build !windows

package main

import "syscall"

var closedPipeCodes = [...]syscall.Errno{syscall.EPIPE}
