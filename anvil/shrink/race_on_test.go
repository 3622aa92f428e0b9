//go:build race

package shrink

// raceDetector makes compressing ten times slower.
const raceDetector = true
