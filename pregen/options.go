package pregen

import (
	"fmt"
	"runtime"

	"strata/anvil/chunk"
	"strata/pregen/plan"
	"strata/region"
	"strata/region/codec"
)

// Profile says how much of the machine a run takes.
type Profile string

// The profiles.
const (
	// Low, the default: at most three workers, scratch memory given back by
	// workers that wait, and a memory limit of 352 MiB.
	Low Profile = "low"
	// Throughput: as many workers as the process may use processors, and no
	// memory limit unless one is set.
	Throughput Profile = "throughput"
)

const (
	lowWorkers     = 3
	lowMemory      = 352 << 20
	minMemory      = 96 << 20
	maxWorkers     = 256
	defaultTries   = 3
	groupChunks    = 256
	lowDirty       = 32 << 20
	highDirty      = 128 << 20
	minDirty       = 1 << 20
	maxListed      = 100
	learnAfter     = 1000
	freeKept       = 4 << 20
	estimateMargin = 20 // per cent that an estimate may be wrong by
)

// Options of a run. The zero value of each field is its default.
type Options struct {
	// Seed is the world's, for the run file alone: generators know it.
	Seed int64
	// Request is kept in the run file, for ReadRequest.
	Request Request
	// Tables give numbers to the blocks and biomes of stored chunks that are
	// continued; nil makes new ones.
	Tables *chunk.Tables
	// Targets are the dimensions, one after the other.
	Targets []Target
	// Until is the status that chunks are made up to; default StatusFull.
	Until chunk.Status
	// Order of the work.
	Order plan.Order
	// Level of the compression, default mode sector.
	Level codec.Level
	// Timestamp of new chunks in region files, default 0.
	Timestamp uint32
	// NoBlending makes chunks beside those from before 1.18 as well. Without
	// it, chunks that the game would blend with them count as failed.
	NoBlending bool

	// Profile is the default of what follows.
	Profile Profile
	// Workers is how many chunks are made at a time, at most 256.
	Workers int
	// MemoryLimit is what the whole process may take, in bytes, at least 96
	// MiB: above it workers wait, all but one.
	MemoryLimit int64
	// DirtyLimit is how many bytes may wait for a flush before workers wait,
	// at least 1 MiB; default 32 MiB, 128 with Throughput.
	DirtyLimit int64
	// Rate is the most chunks a second, 0 for no limit.
	Rate float64
	// MaxLoad is how many processors the process may keep busy, 0 for no
	// limit: 0.5 is half of one.
	MaxLoad float64
	// Tries is how often a chunk is tried before it counts as failed, default
	// 3.
	Tries int

	// Restart gives up what an interrupted run has left.
	Restart bool
	// Confirm is asked before the start if the disk is likely to be too small:
	// an error ends the run with nothing changed. Without it the run is refused,
	// with an error that wraps vfs.ErrNoSpace, if half of what is likely does
	// not fit. A run that was confirmed goes on until the disk is nearly full,
	// otherwise it ends as soon as it is plain that all will not fit.
	Confirm func(Estimate) error
	// Begin is told of the area of each dimension before the work begins.
	Begin func(dimension string, area *plan.Area)
	// Events is told of what a caller would log, by any goroutine.
	Events func(Event)
	// Progress is told how far the run is, once a second and at the end.
	Progress func(Progress)
	// Seen is told what became of each chunk, by any goroutine, also of those
	// that were there when their region was taken up.
	Seen func(dimension string, pos region.ChunkPos, s State)
}

// Check reports what makes no sense in the options, as Run does, but for what
// depends on the world. The error wraps ErrOptions.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// withDefaults checks the options and fills them in.
func (o Options) withDefaults() (Options, error) {
	if o.Until == chunk.StatusUnknown {
		o.Until = chunk.StatusFull
	}
	switch {
	case len(o.Targets) == 0:
		return o, fmt.Errorf("no dimension: %w", ErrOptions)
	case o.Until > chunk.StatusFull:
		return o, fmt.Errorf("status %s: %w", o.Until, ErrOptions)
	case o.Level < 0 || o.Level > codec.MaxLevel:
		return o, fmt.Errorf("level %d: %w", o.Level, ErrOptions)
	case o.Rate < 0 || o.MaxLoad < 0:
		return o, fmt.Errorf("a rate or load below 0: %w", ErrOptions)
	case o.MemoryLimit != 0 && o.MemoryLimit < minMemory:
		return o, fmt.Errorf("a memory limit of %d bytes, below %d: %w", o.MemoryLimit, int64(minMemory), ErrOptions)
	case o.DirtyLimit != 0 && o.DirtyLimit < minDirty:
		return o, fmt.Errorf("%d bytes before workers wait, below %d: %w", o.DirtyLimit, int64(minDirty), ErrOptions)
	case o.Workers < 0 || o.Workers > maxWorkers || o.Tries < 0:
		return o, fmt.Errorf("%d workers, %d tries: %w", o.Workers, o.Tries, ErrOptions)
	}
	seen := make(map[string]bool)
	for _, t := range o.Targets {
		if seen[t.Dimension] || t.Generator == nil {
			return o, fmt.Errorf("dimension %q comes twice, or has no generator: %w", t.Dimension, ErrOptions)
		}
		seen[t.Dimension] = true
	}
	return o.fill()
}

func (o Options) fill() (Options, error) {
	switch o.Profile {
	case Low, "":
		o.Profile = Low
		o.Workers = fallback(o.Workers, min(lowWorkers, runtime.GOMAXPROCS(0)))
		o.MemoryLimit = fallback(o.MemoryLimit, lowMemory)
		o.DirtyLimit = fallback(o.DirtyLimit, lowDirty)
		o.Workers = min(o.Workers, lowWorkers)
	case Throughput:
		o.Workers = fallback(o.Workers, min(runtime.GOMAXPROCS(0), maxWorkers))
		o.DirtyLimit = fallback(o.DirtyLimit, highDirty)
	default:
		return o, fmt.Errorf("profile %q, want low or throughput: %w", o.Profile, ErrOptions)
	}
	if o.Tables == nil {
		o.Tables = chunk.NewTables()
	}
	o.Tries = fallback(o.Tries, defaultTries)
	if o.Events == nil {
		o.Events = func(Event) {}
	}
	if o.Begin == nil {
		o.Begin = func(string, *plan.Area) {}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Seen == nil {
		o.Seen = func(string, region.ChunkPos, State) {}
	}
	return o, nil
}

func fallback[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}
