package terrain

// lerp is written so that no compiler fuses it.
func lerp(t, a, b float64) float64 { return a + float64(t*(b-a)) }

// mapRange carries v from the range a0..a1 over to b0..b1.
func mapRange(v, a0, a1, b0, b1 float64) float64 { return lerp((v-a0)/(a1-a0), b0, b1) }

// clampRange is mapRange that stays between b0 and b1.
func clampRange(v, a0, a1, b0, b1 float64) float64 {
	t := (v - a0) / (a1 - a0)
	switch {
	case t < 0:
		return b0
	case t > 1:
		return b1
	}
	return lerp(t, b0, b1)
}

// floorDiv is a division that rounds down; d is positive.
func floorDiv(n, d int32) int32 {
	q := n / d
	if n%d < 0 {
		q--
	}
	return q
}

func abs32(v int32) int32 { return max(v, -v) }

// floorInt rounds down to an int as Java does: what is too large saturates, and
// NaN is 0.
func floorInt(v float64) int32 {
	n := int32(0)
	switch {
	case v >= 1<<31-1:
		return 1<<31 - 1
	case v <= -1<<31:
		n = -1 << 31
	case v == v:
		n = int32(v)
	}
	if v < float64(n) {
		n--
	}
	return n
}
