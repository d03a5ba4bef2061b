//go:build !race

package snapshot

// raceDetector says that the race detector is on.
const raceDetector = false
