//go:build !race

package clienttest

const raceDetector = false
