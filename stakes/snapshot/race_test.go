//go:build race

package snapshot

// raceDetector says that the race detector is on, which makes everything slow and
// takes memory of its own.
const raceDetector = true
