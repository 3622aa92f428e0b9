package tree

import (
	"math"

	"strata/pregen/worldgen/sine"
)

// cosSin are those of the game's table.
func cosSin(angle float32) (cos, sin float32) {
	t := sine.Get()
	return t.Cos(float64(angle)), t.Sin(float64(angle))
}

// halfPi in two parts, the first of 33 bits.
const (
	halfPiHigh = 0x1.921fb544p+0
	halfPiLow  = 0x1.0b4611a626331p-34
)

// sinCos returns sine and cosine of an angle from 0 to two pi, to about one unit
// of the last place. Package math is not used: it is other code on other
// machines.
func sinCos(angle float64) (sin, cos float64) {
	quarter := math.Floor(float64(angle/halfPiHigh) + 0.5)
	rest := (angle - float64(quarter*halfPiHigh)) - float64(quarter*halfPiLow)
	square := float64(rest * rest)
	s, c := 1.0, 1.0
	for k := 12; k > 0; k-- {
		s = 1 - float64(float64(s*square)/float64(2*k*(2*k+1)))
		c = 1 - float64(float64(c*square)/float64((2*k-1)*2*k))
	}
	s = float64(s * rest)
	switch int(quarter) & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}
