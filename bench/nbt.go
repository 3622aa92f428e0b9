package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"strata/bench/corpus"
)

// What [NBT] has to reach. The ratios are to the peer; the times are of a full
// chunk of some 45 KB, on the machine that bench/results is from.
const (
	NBTWalkGoal      = 10 * time.Microsecond
	NBTSkipGoal      = 5 * time.Microsecond
	NBTUnmarshalGoal = 0.25
	NBTMarshalGoal   = 0.333
)

// MaxNBTChunks is how many chunks NBT measures at most.
const MaxNBTChunks = 10_000

// NBTOptions say what NBT measures. The zero value works.
type NBTOptions struct {
	// Passes over the sample, of which the median counts: 1 to MaxPasses, 0
	// means DefaultPasses.
	Passes int
	// Chunks is how many chunks are measured, of more every n-th: 1 to
	// MaxNBTChunks, 0 means all up to that.
	Chunks int
	// Peers, if set, do the same beside us.
	Peers *Peers
	// Source is copied to the report: where the chunks are from.
	Source string
	// Progress, if set, is called after each pass of each row with the number
	// of passes done and to do, on the goroutine that called NBT.
	Progress func(done, total int)
}

// NBTReport is what NBT has measured.
type NBTReport struct {
	Environment Environment `json:"environment"`
	Sample      NBTSample   `json:"sample"`
	Passes      int         `json:"passes"`
	Peer        *PeerInfo   `json:"peer,omitempty"` // absent without one
	Course
	Rows []NBTRow `json:"rows"`
}

// NBTSample is what is read and written. Bytes and tags are means a chunk.
type NBTSample struct {
	Source string  `json:"source"`
	Chunks int     `json:"chunks"`
	Full   int     `json:"full"` // chunks with the status "full"
	Bytes  float64 `json:"bytes"`
	// Tags are all but the numbers of lists: what a tape has entries for.
	Tags float64 `json:"tags"`
}

// NBTRow is one operation done by one contender. Durations and allocations are
// those of one chunk.
//
//   - walk: Tape.Parse, with one tape for all chunks;
//   - skip: ScanRoot over the whole chunk for five members of the root;
//   - unmarshal, typed: into a new struct each, with what is rare kept raw: the
//     fields are those of the peer's, which empties one struct for all;
//   - unmarshal, any: into a new any each;
//   - marshal: the struct or the any, into one buffer for all;
//   - edit: LastUpdate and one section of a parsed chunk replaced by Tape.Edit,
//     into one buffer for all.
type NBTRow struct {
	Name string `json:"name"` // strata, or the peer's
	Op   string `json:"op"`
	Form string `json:"form"` // "typed" or "any", empty for the other ops
	// Clock is the one behind NS, as the environment's CPUClock.
	Clock string `json:"clock"`
	// NS is the median over the passes of a pass's time divided by its chunks,
	// min and max are the fastest and the slowest pass.
	NS    time.Duration `json:"ns"`
	MinNS time.Duration `json:"min_ns"`
	MaxNS time.Duration `json:"max_ns"`
	// Samples are the passes, in their order.
	Samples []time.Duration `json:"samples_ns"`
	// ProcessNS is the median of the CPU time of the whole process, in which
	// the garbage collector's own threads count: 0 where it is not known.
	ProcessNS time.Duration `json:"process_ns"`
	// Allocs and AllocBytes are those of the pass with the fewest: what other
	// goroutines allocate meanwhile is not the row's.
	Allocs     float64 `json:"allocs"`
	AllocBytes float64 `json:"alloc_bytes"`

	Passes int   `json:"passes"`
	Chunks int   `json:"chunks"`
	Bytes  int64 `json:"bytes"` // of a pass: read, or written by marshal and edit
	// BytesPerS follows from Bytes, Chunks and NS.
	BytesPerS int64 `json:"bytes_per_s"`

	// Reference and ReferenceForm name the row of the same op that the ratios
	// refer to: NS to its NS, MinNS to its MinNS. Empty for a row without one.
	// The form is "any" for marshal of a struct, which go-mc cannot encode.
	Reference     string  `json:"reference,omitempty"`
	ReferenceForm string  `json:"reference_form,omitempty"`
	Ratio         float64 `json:"ratio,omitempty"`
	MinRatio      float64 `json:"min_ratio,omitempty"`
	// Goal is the Ratio not to exceed, GoalNS the same for NS of full chunks,
	// if one is set.
	Goal   float64       `json:"goal,omitempty"`
	GoalNS time.Duration `json:"goal_ns,omitempty"`
}

// Row returns a row, nil if there is none such.
func (r *NBTReport) Row(name, op, form string) *NBTRow {
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Name == name && row.Op == op && row.Form == form {
			return row
		}
	}
	return nil
}

// NBT measures reading, writing and editing the NBT of chunks with package nbt
// and, if there is one, with a peer. Rows take turns pass by pass, and each is
// first about equally often. Before every pass the garbage collector runs, here
// as in the peer.
//
// What a row allocates may come fresh from the operating system, page by page,
// in ours and in the peer: of a pass over few chunks that is a large part, so a
// sample should have a thousand.
//
// Results are checked once before their time counts, and every pass has to
// make as much as the checked one did. What the peer refuses to do is left out
// and noted in the report.
//
// It runs on the calling goroutine, which it locks to its thread. If ctx ends,
// the report has what is finished. The error is a RangeError for options out of
// range, ctx's if it ends before a pass is finished, or says which chunk
// is no document with a compound at its root, what came out wrong, or how the
// peer was lost.
func NBT(ctx context.Context, chunks []corpus.Chunk, opts NBTOptions) (*NBTReport, error) {
	if opts.Passes == 0 {
		opts.Passes = DefaultPasses
	}
	if opts.Passes < 1 || opts.Passes > MaxPasses {
		return nil, &RangeError{Option: "passes", Value: opts.Passes, Max: MaxPasses}
	}
	if opts.Chunks == 0 {
		opts.Chunks = MaxNBTChunks
	}
	if opts.Chunks < 1 || opts.Chunks > MaxNBTChunks {
		return nil, &RangeError{Option: "chunks", Value: opts.Chunks, Max: MaxNBTChunks}
	}
	if len(chunks) == 0 {
		return nil, errors.New("bench nbt: no chunks")
	}
	run, err := newNBTRun(spread(chunks, opts.Chunks), opts)
	if err != nil {
		return nil, fmt.Errorf("bench nbt: %w", err)
	}
	report, err := run.run(ctx)
	if err != nil {
		return nil, fmt.Errorf("bench nbt: %w", err)
	}
	return report, nil
}
