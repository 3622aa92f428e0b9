//go:build !race

package snbt

// raceEnabled says that the race detector makes everything ten times slower.
const raceEnabled = false
