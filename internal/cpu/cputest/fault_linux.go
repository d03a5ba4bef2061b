package cputest

import (
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

const forbiddenBytes = 1 << 16

// Culprit runs f with memory that nobody may read or write, 64 KiB that start at
// a page, and returns who touched it: the names of the functions on the stack at
// that moment, the innermost first, down to f. A name begins with the last part
// of its package's path: "chacha20rng.blocksAVX2".
//
// All backends give the same results. This tells which one gave them.
func Culprit(t *testing.T, f func(forbidden []uint64)) []string {
	t.Helper()
	memory, err := syscall.Mmap(-1, 0, forbiddenBytes, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	}()
	start := unsafe.Pointer(unsafe.SliceData(memory))
	names, problem := touch(f, unsafe.Slice((*uint64)(start), forbiddenBytes/8))
	if problem == nil {
		t.Fatal("nothing touched the memory that nobody may touch")
	}
	fault, ok := problem.(interface{ Addr() uintptr })
	if !ok {
		t.Fatalf("%v, at %v", problem, names)
	}
	if offset := fault.Addr() - uintptr(start); offset >= forbiddenBytes {
		t.Fatalf("touched %#x, not in the 64 KiB from %p on, at %v", fault.Addr(), start, names)
	}
	return names
}

// touch calls f and returns what it panicked with, and where.
func touch(f func([]uint64), memory []uint64) (names []string, problem any) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		// The frames of those who panicked lie below this one until it returns.
		if problem = recover(); problem != nil {
			names = stack()
		}
	}()
	f(memory)
	return nil, nil
}

// stack returns the names of the functions that led to a fault, the innermost
// first, down to the one that touch called.
func stack() (names []string) {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		name := frame.Function[strings.LastIndexByte(frame.Function, '/')+1:]
		if name == "cputest.touch" {
			break
		}
		names = append(names, name)
	}
	// A signal handler made it look as if the function at fault called sigpanic.
	return names[slices.Index(names, "runtime.sigpanic")+1:]
}
