//go:build !race

package light

const raceEnabled = false
