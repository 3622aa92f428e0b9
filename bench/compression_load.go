package bench

import (
	"fmt"
	"os"
	"time"
)

// Load is how busy the machine was during a run.
type Load struct {
	// Before and After are the load averages of one, five and fifteen minutes;
	// missing where the system does not say.
	Before []float64 `json:"before,omitempty"`
	After  []float64 `json:"after,omitempty"`
	// WallNS is how long the run took, and ProcessNS the CPU time of this
	// process in it, 0 if not known.
	WallNS    time.Duration `json:"wall_ns"`
	ProcessNS time.Duration `json:"process_ns"`
}

// start notes what there is before a run, and end what there is after it.
func (l *Load) start() (end func()) {
	l.Before = loadAverage()
	began, used := time.Now(), processTime()
	return func() {
		l.After, l.WallNS, l.ProcessNS = loadAverage(), time.Since(began), processTime()-used
	}
}

func loadAverage() []float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return nil
	}
	average := make([]float64, 3)
	if n, err := fmt.Sscan(string(text), &average[0], &average[1], &average[2]); err != nil || n != 3 {
		return nil
	}
	return average
}
