package feature

// halfPi in two parts, the first of 33 bits.
const (
	halfPiHigh = 0x1.921fb544p+0
	halfPiLow  = 0x1.0b4611a626331p-34
)

// SinCos returns sine and cosine of an angle from 0 to 8, to about one unit of
// the last place. Package math is not used: it is other code on other machines.
func SinCos(angle float64) (sin, cos float64) {
	quarter := int(float64(angle/halfPiHigh) + 0.5)
	n := float64(quarter)
	rest := (angle - float64(n*halfPiHigh)) - float64(n*halfPiLow)
	square := float64(rest * rest)
	s, c := 1.0, 1.0
	for k := 12; k > 0; k-- {
		s = 1 - float64(float64(s*square)/float64(2*k*(2*k+1)))
		c = 1 - float64(float64(c*square)/float64((2*k-1)*2*k))
	}
	s = float64(s * rest)
	switch quarter & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}
