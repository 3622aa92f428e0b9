//go:build race

package bench

const raceEnabled = true // timings mean nothing then
