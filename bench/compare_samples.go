package bench

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// compareSamples is how b compares with a: the median of all ratios of a value
// of b to one of a, its 95 % interval, which are the ranks among these ratios
// that the Mann-Whitney test gives, and the p value of that test.
func compareSamples(a, b []float64) (ratio, low, high, p float64) {
	a, b = a[:min(len(a), maxCompared)], b[:min(len(b), maxCompared)]
	ratios := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			ratios = append(ratios, y/x)
		}
	}
	slices.Sort(ratios)
	n, m := float64(len(a)), float64(len(b))
	const z = 1.96 // of the normal distribution, for 95 %
	rank := int(math.Floor(n*m/2 - z*math.Sqrt(n*m*(n+m+1)/12)))
	rank = max(rank, 0)
	last := len(ratios) - 1
	thresholds := benchmath.DefaultThresholds
	test := benchmath.AssumeNothing.Compare(
		benchmath.NewSample(slices.Clone(a), &thresholds), benchmath.NewSample(slices.Clone(b), &thresholds))
	// The library says 0 of samples that it takes for exact; here that is the
	// least that there can be by chance.
	return (ratios[last/2] + ratios[(last+1)/2]) / 2, ratios[rank], ratios[last-rank], max(test.P, math.SmallestNonzeroFloat64)
}
