//go:build race

package codec

// The race detector slows an encoder tenfold and has nothing to find in one
// goroutine, so tests take fewer samples under it.
const raceEnabled = true
