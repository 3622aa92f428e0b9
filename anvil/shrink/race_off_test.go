//go:build !race

package shrink

const raceDetector = false
