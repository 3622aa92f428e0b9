package bench

import (
	"math"
	"slices"
	"time"
)

// StorageRow is one operation done by one contender. Durations are those of
// one chunk; bytes and counts are those of one pass.
type StorageRow struct {
	Name string `json:"name"` // strata or strata-, which of its ways; osync, pread, stdlib; or the peer's
	Op   string `json:"op"`
	// Clock is "wall" where the disk is waited for, "process_cpu" in save, or
	// "wall" if that is not known, else the environment's CPUClock.
	Clock string `json:"clock"`
	// NS is the median over the passes of a pass's time divided by its chunks,
	// min and max are the fastest and the slowest pass.
	NS    time.Duration `json:"ns"`
	MinNS time.Duration `json:"min_ns"`
	MaxNS time.Duration `json:"max_ns"`
	// Samples are the passes, in their order.
	Samples []time.Duration `json:"samples_ns"`
	// ProcessNS is the median of the CPU time of all threads, with that of the
	// garbage collector's own, in rows that allocate. 0 if not known.
	ProcessNS time.Duration `json:"process_ns,omitempty"`
	// These are over single chunks of all passes: of a read its call, of a
	// write the time from being handed over to being durable, or in save to
	// being written. In
	// durable_write, durable_rewrite and random_rewrite a pass hands all its
	// chunks over at once. They are 0 for a peer, which times whole passes.
	P50NS     time.Duration `json:"p50_ns"`
	P95NS     time.Duration `json:"p95_ns"`
	P99NS     time.Duration `json:"p99_ns"`
	SlowestNS time.Duration `json:"slowest_ns"`

	Passes int   `json:"passes"`
	Chunks int   `json:"chunks"`
	Bytes  int64 `json:"bytes"` // streams, or uncompressed payloads where an op has to do with them
	// PayloadBytes and SectorBytes are what a saved chunk takes in the file, on
	// the mean: its record with the 5-byte header, and its sectors. Only in save
	// and durable_save; 0 if a peer has not left its files.
	PayloadBytes int64 `json:"payload_bytes,omitempty"`
	SectorBytes  int64 `json:"sector_bytes,omitempty"`
	// BytesPerS follows from Bytes, Chunks and NS.
	BytesPerS int64 `json:"bytes_per_s"`
	// Flushes is how often a pass waited for the disk.
	Flushes int64 `json:"flushes"`
	// Reference names the row of the same op that the ratios refer to: NS to
	// its NS, and MinNS to its MinNS, which other load on the machine bends
	// less. Empty for a row without one.
	Reference string  `json:"reference,omitempty"`
	Ratio     float64 `json:"ratio,omitempty"`
	MinRatio  float64 `json:"min_ratio,omitempty"`
	// Goal is the Ratio to stay below, GoalBytesPerS the BytesPerS to reach, if
	// one is set.
	Goal          float64 `json:"goal,omitempty"`
	GoalBytesPerS int64   `json:"goal_bytes_per_s,omitempty"`
	// Space is what random_rewrite did to the size of the file.
	Space *StorageSpace `json:"space,omitempty"`
}

// StorageSpace is the size of a region file after random rewrites, and after
// it was compacted.
type StorageSpace struct {
	Rewrites         int           `json:"rewrites"`
	FileBytes        int64         `json:"file_bytes"`
	LiveBytes        int64         `json:"live_bytes"` // sectors that something names, the header's included
	FilePerLive      float64       `json:"file_per_live"`
	CompactNS        time.Duration `json:"compact_ns"` // of the whole file
	CompactedBytes   int64         `json:"compacted_bytes"`
	CompactedPerLive float64       `json:"compacted_per_live"`
	// Allocated are the bytes of blocks on the disk, -1 where that is not known.
	AllocatedBytes          int64 `json:"allocated_bytes"`
	CompactedAllocatedBytes int64 `json:"compacted_allocated_bytes"`
	// Curve is the file before the first wave of rewrites and after each.
	Curve []SpacePoint `json:"curve"`
	// Map shows the sectors before and after compacting, of one row.
	Map *RegionMap `json:"map,omitempty"`
}

// SpacePoint is the size of a file after so many rewrites.
type SpacePoint struct {
	Rewrites       int   `json:"rewrites"`
	FileBytes      int64 `json:"file_bytes"`
	LiveBytes      int64 `json:"live_bytes"`
	AllocatedBytes int64 `json:"allocated_bytes"`
}

// Clocks of rows, besides that of the environment.
const (
	clockWall    = "wall"
	clockProcess = "process_cpu" // of all threads of the process
)

// series gathers the timings of one row.
type series struct {
	row    StorageRow
	passes []time.Duration // a pass's time divided by its chunks
	single []time.Duration // of all passes
	// process is as passes, in CPU time of the process, where that is noted.
	process []time.Duration
}

func newSeries(name, op, clock string, chunks int, bytes int64) *series {
	return &series{row: StorageRow{Name: name, Op: op, Clock: clock, Chunks: chunks, Bytes: bytes}}
}

func (s *series) pass(took time.Duration, single []time.Duration) {
	s.passes = append(s.passes, took/time.Duration(s.row.Chunks))
	s.single = append(s.single, single...)
}

// passProcess notes the CPU time of the process in a pass.
func (s *series) passProcess(took time.Duration) {
	s.process = append(s.process, took/time.Duration(s.row.Chunks))
}

func (s *series) finish() StorageRow {
	r := s.row
	single := slices.Sorted(slices.Values(s.single))
	r.Passes, r.Samples = len(s.passes), s.passes
	r.NS, r.MinNS, r.MaxNS = medianAndRange(s.passes)
	if len(s.process) > 0 {
		r.ProcessNS, _, _ = medianAndRange(s.process)
	}
	if len(single) > 0 {
		r.P50NS, r.P95NS, r.P99NS = rank(single, 0.50), rank(single, 0.95), rank(single, 0.99)
		r.SlowestNS = single[len(single)-1]
	}
	if r.NS > 0 {
		r.BytesPerS = int64(float64(r.Bytes) / float64(r.Chunks) / r.NS.Seconds())
	}
	return r
}

// rank is the smallest of sorted values that at least the share p of them
// does not exceed.
func rank(sorted []time.Duration, p float64) time.Duration {
	i := int(math.Ceil(p*float64(len(sorted)))) - 1
	return sorted[max(i, 0)]
}

// compareTo sets the ratios of rows to the reference of the same op.
func compareTo(rows []StorageRow, reference string) {
	for i := range rows {
		r := &rows[i]
		at := slices.IndexFunc(rows, func(o StorageRow) bool { return o.Op == r.Op && o.Name == reference })
		if at < 0 || r.Name == reference {
			continue
		}
		r.Reference = reference
		r.Ratio = quotient(r.NS, rows[at].NS)
		r.MinRatio = quotient(r.MinNS, rows[at].MinNS)
	}
}

func quotient(a, b time.Duration) float64 {
	if b <= 0 {
		return 0
	}
	return float64(a) / float64(b)
}
