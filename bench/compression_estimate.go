package bench

import "math"

// ratioEstimate is sum(y)/sum(x) of a sample drawn from that many without
// repeats, and the relative variance of that as an estimate of the whole
// world's ratio. Sectors stored now are the x: they are known for the whole
// world from its headers, and what a chunk will take follows what it takes
// now, so that the estimate is far better than the mean times the count.
func ratioEstimate(y, x []float64, population float64) (ratio, relativeVariance float64) {
	var sumX, sumY float64
	for i := range x {
		sumX, sumY = sumX+x[i], sumY+y[i]
	}
	n := float64(len(x))
	if sumX == 0 || sumY == 0 {
		return 0, 0
	}
	ratio = sumY / sumX
	left := 1 - n/population // nothing is left to chance when all was looked at
	if left <= 0 {
		return ratio, 0
	}
	if n < 2 {
		return ratio, math.Inf(1)
	}
	var squares float64
	for i := range x {
		e := y[i] - ratio*x[i]
		squares += e * e
	}
	mean := sumY / n
	return ratio, left / n * squares / (n - 1) / (mean * mean)
}

// Estimate is a size for the whole world.
type Estimate struct {
	Bytes int64 `json:"bytes"`
	// ErrorBytes is half the width of its 95 % confidence interval; 0 if
	// everything was measured, -1 if the sample is too small to tell.
	ErrorBytes int64 `json:"error_bytes"`
}

// estimate extrapolates sizes of documents of a sample to the world. It is
// zero if the sample does not say what is stored now.
func (k *SampleKind) estimate(sizes []float64) Estimate {
	stored := make([]float64, len(sizes))
	for i := range sizes {
		if stored[i] = float64(k.Documents[i].HeaderSectors); stored[i] == 0 {
			return Estimate{}
		}
	}
	ratio, variance := ratioEstimate(sizes, stored, math.Round(k.Whole.Count()))
	bytes := ratio * k.Whole.share * float64(k.Whole.Sectors)
	deviation := 1.96 * math.Sqrt(variance+k.Whole.shareVariance)
	if math.IsInf(deviation, 0) || math.IsNaN(deviation) {
		return Estimate{int64(math.Round(bytes)), -1}
	}
	return Estimate{int64(math.Round(bytes)), int64(math.Round(bytes * deviation))}
}
