//go:build !unix

package feed

// openFlags: nothing in a folder waits for a writer here.
const openFlags = 0
