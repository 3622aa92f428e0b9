package bench

import (
	"context"
	"fmt"
	"time"
)

// Course is how a run went: the part that all reports have in common.
type Course struct {
	Load Load `json:"load"`
	// Interrupted says that the context ended: rows have the passes that were
	// finished by then, and rows without one are missing.
	Interrupted bool `json:"interrupted"`
	// Warnings are what should make a reader careful.
	Warnings []string `json:"warnings"`
}

// Begin notes how busy the machine is. Call end when the run is over.
func (c *Course) Begin() (end func()) {
	c.Warnings = []string{}
	return c.Load.start()
}

// Interrupt decides what the error of a run comes to. If ctx has ended and there
// are finished rows, the run was interrupted and is a result all the same.
func (c *Course) Interrupt(ctx context.Context, err error, rows int) error {
	if err == nil || ctx.Err() == nil || rows == 0 {
		return err
	}
	c.Interrupted = true
	return nil
}

// Warn adds the warnings that any run may have. Spreads are those of its rows,
// as [SpreadOf] has them.
func (c *Course) Warn(e Environment, spreads []float64) {
	add := func(format string, args ...any) { c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...)) }
	if c.Interrupted {
		add("interrupted: the rows have the passes that were finished by then, and rows without one are missing")
	}
	wide, widest := 0, 0.0
	for _, s := range spreads {
		if widest = max(widest, s); s > WideSpread {
			wide++
		}
	}
	if wide > 0 {
		add("the passes of %d of %d rows vary by more than ±%.0f%%, up to ±%.0f%%: the machine was busy, trust ratios alone",
			wide, len(spreads), 100*WideSpread, 100*widest)
	}
	if cores := float64(e.Cores); len(c.Load.Before) > 0 && len(c.Load.After) > 0 && max(c.Load.Before[0], c.Load.After[0]-1) >= cores {
		add("load average %.1f before and %.1f after on %.0f cores: other programs ran",
			c.Load.Before[0], c.Load.After[0], cores)
	}
	if e.CPUClock != "thread_cpu" {
		add("no clock of thread CPU time here: times are of the wall clock")
	}
}

// SpreadOf is half the range of passes, as a share of their median.
func SpreadOf(mid, least, most time.Duration) float64 {
	if mid <= 0 {
		return 0
	}
	return float64(most-least) / 2 / float64(mid)
}
