package bench

import (
	"fmt"
	"math"
	"slices"
)

// conclude fills in what follows from the rows.
func (r *CompressionReport) conclude(s *Sample) {
	for i := range s.Kinds {
		r.describe(&s.Kinds[i])
	}
	r.relate()
	r.Advice = r.advise()
	r.warn(s)
}

// describe says how the documents of a kind are stored now.
func (r *CompressionReport) describe(k *SampleKind) {
	n := len(k.Documents)
	c := CompressionKind{Kind: k.Kind, Chunks: n, WorldChunks: int64(math.Round(k.Whole.Count())), Exact: k.Whole.Exact()}
	payloads, sectors := make([]float64, n), make([]float64, n)
	for i, d := range k.Documents {
		c.NBTBytes += float64(len(d.Data)) / float64(n)
		payloads[i], sectors[i] = float64(d.StoredPayload), float64(d.HeaderSectors*sectorBytes)
		if d.StoredPayload > 0 {
			c.StoredSizes = append(c.StoredSizes, d.StoredPayload)
		}
	}
	if len(c.StoredSizes) == n {
		c.StoredPayloadBytes, c.StoredSectorBytes = mean(payloads), mean(sectors)
		c.StoredWorld, c.StoredWorldPayload = k.estimate(sectors), k.estimate(payloads)
	}
	if y := r.Yardstick(k.Kind); y != nil {
		c.Yardstick = y.Name + " " + string(y.Level)
	}
	r.Kinds = append(r.Kinds, c)
}

// relate sets ratios and the Pareto marks.
func (r *CompressionReport) relate() {
	for _, k := range r.Kinds {
		rows := r.Of(k.Kind)
		y := r.Yardstick(k.Kind)
		for _, row := range rows {
			row.PayloadToStored = roundedRatio(row.PayloadBytes, k.StoredPayloadBytes)
			row.SectorsToStored = roundedRatio(row.SectorBytes, k.StoredSectorBytes)
			if y != nil {
				row.PayloadToYardstick = roundedRatio(row.PayloadBytes, y.PayloadBytes)
				row.SectorsToYardstick = roundedRatio(row.SectorBytes, y.SectorBytes)
				row.CompressToYardstick = roundedRatio(float64(row.CompressNS), float64(y.CompressNS))
			}
			row.Pareto = row.Samples > 0 && !slices.ContainsFunc(rows, func(o *CompressionRow) bool {
				return o.Samples > 0 && o.SectorBytes <= row.SectorBytes && o.CompressNS <= row.CompressNS &&
					(o.SectorBytes < row.SectorBytes || o.CompressNS < row.CompressNS)
			})
		}
	}
}

func roundedRatio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return math.Round(a/b*1e4) / 1e4
}

// warn says what should make a reader careful.
func (r *CompressionReport) warn(s *Sample) {
	add := func(format string, args ...any) { r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...)) }
	if r.Interrupted {
		add("interrupted: the rows have the samples that were finished by then")
	}
	for _, k := range r.Kinds {
		if k.Chunks < FewChunks {
			add("only %d %s chunks: another draw may give other figures", k.Chunks, k.Kind)
		}
		y := r.Yardstick(k.Kind)
		if y == nil {
			add("no yardstick for %s chunks: ratios of time are missing", k.Kind)
			continue
		}
		if spread := spreadOf(y); spread > WideSpread {
			add("times of %s chunks vary by ±%.0f%%: the machine was busy, trust ratios alone", k.Kind, 100*spread)
		}
	}
	if cores := float64(r.Environment.Cores); len(r.Load.Before) > 0 && max(r.Load.Before[0], r.Load.After[0]-1) >= cores {
		add("load average %.1f before and %.1f after on %.0f cores: other programs ran", r.Load.Before[0], r.Load.After[0], cores)
	}
	if r.Environment.CPUClock != "thread_cpu" {
		add("no clock of thread CPU time here: times are of the wall clock")
	}
	if s.Unreadable > 0 {
		add("%d of the drawn records could not be read and are left out", s.Unreadable)
	}
	for _, f := range s.Failed {
		add("not looked at: %s: %v", f.Path, f.Err)
	}
}

// spreadOf is half the range of the samples, of their median.
func spreadOf(row *CompressionRow) float64 {
	if row.CompressNS == 0 {
		return 0
	}
	return float64(row.CompressMaxNS-row.CompressMinNS) / 2 / float64(row.CompressNS)
}
