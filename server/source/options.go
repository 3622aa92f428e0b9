package source

import (
	"errors"
	"fmt"
	"runtime"

	"strata/anvil/store"
	"strata/pregen"
)

// Options of a Source.
type Options struct {
	// Store has the world's chunks, and Dim says which dimension.
	Store *store.Store
	Dim   store.Dim
	// Generator makes what the store has not, to status full; nil for a
	// dimension where absent chunks stay absent.
	Generator pregen.Generator
	// Open makes the Generator, if it is nil, when it is first needed, on a
	// goroutine of the source; nil for none. After an error absent chunks stay
	// absent.
	Open func() (pregen.Generator, error)
	// Loads is how many chunks are loaded at a time, default 4.
	Loads int
	// Workers is how many goroutines generate at a time, default one less than
	// the processors, at least 1.
	Workers int
	// Limit bounds the workers of several sources together; nil for none.
	Limit *Limit
	// Queue is how many results may wait to be taken until loading stops,
	// default 256. A job's results come on top.
	Queue int
	// Memory is how many bytes the generator may keep within a job, default
	// 64 MiB.
	Memory int64
	// Tile is the side of the squares of chunks that are generated as one job,
	// default 8; a power of two, at most 32.
	Tile int32
	// Ahead generates tiles whole, where something was generated beside them,
	// also chunks that nobody wants yet: a view that moves asks for rows of
	// chunks, which cost more than twice as much each as those of a tile.
	Ahead bool
	// Events is told of what a caller would log, without locks held, from any
	// goroutine; nil for nobody.
	Events func(Event)
}

// Event is something a caller may want to log.
type Event struct {
	// Text says what has happened.
	Text string
	Err  error
}

// ErrOptions is the error of options that cannot be.
var ErrOptions = errors.New("options out of range")

const (
	defaultLoads  = 4
	defaultQueue  = 256
	defaultMemory = 64 << 20
	defaultTile   = 8
	maxTile       = 32
	maxGoroutines = 256
)

func (o *Options) complete() error {
	if o.Workers == 0 {
		o.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	if o.Loads == 0 {
		o.Loads = defaultLoads
	}
	if o.Queue == 0 {
		o.Queue = defaultQueue
	}
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	if o.Tile == 0 {
		o.Tile = defaultTile
	}
	if o.Events == nil {
		o.Events = func(Event) {}
	}
	switch {
	case o.Store == nil:
		return fmt.Errorf("no store: %w", ErrOptions)
	case o.Workers < 1 || o.Workers > maxGoroutines, o.Loads < 1 || o.Loads > maxGoroutines:
		return fmt.Errorf("%d workers, %d loads: %w", o.Workers, o.Loads, ErrOptions)
	case o.Queue < 1, o.Memory < 0, o.Tile < 1, o.Tile > maxTile, o.Tile&(o.Tile-1) != 0:
		return fmt.Errorf("queue of %d, memory of %d, tile of %d: %w", o.Queue, o.Memory, o.Tile, ErrOptions)
	}
	return nil
}

// Limit bounds how many workers generate at a time in several sources.
type Limit struct{ tokens chan struct{} }

// NewLimit returns a limit of n workers, at least 1.
func NewLimit(n int) *Limit { return &Limit{make(chan struct{}, max(n, 1))} }

// Metrics counts what a source has done, and says what it is at.
type Metrics struct {
	Wanted    int // asked for and not taken yet
	Loading   int // waiting to be loaded, or being loaded
	Missing   int // waiting to be generated
	Making    int // in the job that runs
	Ready     int // results that wait to be taken
	NoSpace   bool
	Loaded    int64 // chunks that the store had
	Generated int64 // chunks that were finished
	Ahead     int64 // of these, chunks that nobody wanted yet
	Rim       int64 // chunks beside them that were saved unfinished
	Relit     int64 // full chunks whose light changed
	Failed    int64 // results with an error
	Jobs      int64
	// FailedJobs had an error; their chunks were tried alone.
	FailedJobs int64
	// StructuresLeftOut could not be placed for want of game files.
	StructuresLeftOut int64
}

// Metrics is a snapshot of the counters.
func (s *Source) Metrics() Metrics {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.metrics
	m.Ready = len(s.results)
	for _, e := range s.chunks {
		if e.wanted {
			m.Wanted++
		}
		switch e.state {
		case stateQueued, stateLoading:
			m.Loading++
		case stateMissing:
			m.Missing++
		case stateMaking:
			m.Making++
		case stateReady:
		}
	}
	return m
}
