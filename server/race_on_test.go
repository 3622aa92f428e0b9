//go:build race

package server

const raceEnabled = true // memory is not what it is without
