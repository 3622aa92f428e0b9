//go:build race

package light

const raceEnabled = true // pools drop some of what they get then
