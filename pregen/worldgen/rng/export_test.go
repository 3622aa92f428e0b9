package rng

// LogUnit lets tests compare the logarithm on its own.
func LogUnit(v float64) float64 { return logUnit(v) }
