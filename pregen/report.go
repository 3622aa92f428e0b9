package pregen

import (
	"time"

	"strata/region"
)

// Report is what a run has come to.
type Report struct {
	// New is the chunks of the area that this process has made, those that it
	// left to the game included; Resumed those that an earlier process of the
	// run had; Existing those that the world had at the wanted status.
	New      int64
	Resumed  int64
	Existing int64
	// Failed could not be made, or cannot be read and were left as they are.
	Failed int64
	// Blended is those of Failed that lie too near to chunks from before 1.18.
	Blended           int64
	Rim               int64
	LeftToGame        int64
	StructuresLeftOut int64
	// Planned is the chunks of the area.
	Planned int64
	// Bytes is what the new chunks take in region files, in whole sectors, with
	// entities and points of interest.
	Bytes int64
	// Elapsed and CPU are the time and the CPU time of the process that the run
	// took.
	Elapsed time.Duration
	CPU     time.Duration
	// Failures are the first failed chunks, at most 100.
	Failures []Failure
	// Committed is the regions that were not rewritten, since they have
	// defects or are in use: chunks were added to them one by one.
	Committed int
}

// Failure is a chunk that was not made.
type Failure struct {
	Dimension string
	Pos       region.ChunkPos
	Err       error
}

// ChunksPerSecond is the rate of new chunks.
func (r *Report) ChunksPerSecond() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return float64(r.New) / r.Elapsed.Seconds()
}

// CPUPerChunk is the CPU time of the process divided by the new chunks.
func (r *Report) CPUPerChunk() time.Duration {
	if r.New == 0 {
		return 0
	}
	return r.CPU / time.Duration(r.New)
}

// Progress is how far a run is.
type Progress struct {
	Report
	Dimension string // the one that is being worked on
	// Memory is what the process has from the system, as Go knows it.
	Memory int64
	// Free is the space that is free on the disk.
	Free int64
	// Unsaved is the bytes that wait for a flush.
	Unsaved int64
	Workers int
}

// Done is how many chunks of the area need no more work.
func (p *Progress) Done() int64 { return p.New + p.Resumed + p.Existing + p.Failed }

// Event is something that a caller may want to log.
type Event struct {
	Kind      EventKind
	Dimension string
	Region    region.Pos
	Pos       region.ChunkPos // of ChunkFailed and ChunkRetried
	Estimate  Estimate        // of SpaceEstimated
	Err       error
}

// EventKind says what an Event is about.
type EventKind string

// What a caller may want to log.
const (
	// RunBegun and RunResumed: a run begins, or an interrupted one goes on.
	RunBegun   EventKind = "run-begun"
	RunResumed EventKind = "run-resumed"
	// ChunkFailed: a chunk was given up. Err says why.
	ChunkFailed EventKind = "chunk-failed"
	// ChunkRetried: making a chunk failed, and will be tried again.
	ChunkRetried EventKind = "chunk-retried"
	// RegionInstalled: the file of a region was written.
	RegionInstalled EventKind = "region-installed"
	// RegionCommitted: a region file has defects, or is in use: chunks were
	// added to it one by one. Err says which defects.
	RegionCommitted EventKind = "region-committed"
	// FlushFailed: finished chunks could not be made durable; it will be tried
	// again.
	FlushFailed EventKind = "flush-failed"
	// SpaceEstimated: it is known now how much space the rest will take.
	SpaceEstimated EventKind = "space-estimated"
	// SpoolDropped: a finished chunk was given up, since the world has one in
	// its place that another program has made.
	SpoolDropped EventKind = "spool-dropped"
)

// Estimate is how much space a run needs.
type Estimate struct {
	PerChunk int64 // bytes a chunk
	Needed   int64 // bytes that the rest of the run needs
	Free     int64 // bytes that are free on the disk
	Learned  bool  // PerChunk is measured, not assumed
}

// Fits reports whether there is room for what is needed.
func (e Estimate) Fits() bool { return e.Needed <= e.Free }
