package worldgen

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/bench"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure/all"
	"strata/region"
	"strata/region/codec"
)

// Options of a run. The zero value of each field is its default.
type Options struct {
	// Seeds of the worlds; default four.
	Seeds []int64
	// Dimensions by their ids; default the game's three.
	Dimensions []string
	// Workers are the numbers of workers to measure; default 1 and 2.
	Workers []int
	// Radius of the square of chunks, default 8.
	Radius int32
	// Passes is how often everything is measured, default 1: the median counts.
	Passes int
	// Until is the last status; default StatusFull.
	Until chunk.Status
	// Progress is told how many of the parts of the run are done.
	Progress func(done, total int)
}

// MaxRadius bounds Options.Radius, MaxPasses Options.Passes.
const (
	MaxRadius = 64
	MaxPasses = 1000
)

func (o Options) withDefaults() Options {
	if len(o.Seeds) == 0 {
		o.Seeds = []int64{1234, -98765, 5551212, 20260630}
	}
	if len(o.Dimensions) == 0 {
		o.Dimensions = []string{anvil.Overworld, anvil.Nether, anvil.End}
	}
	if len(o.Workers) == 0 {
		o.Workers = []int{1, 2}
	}
	if o.Radius == 0 {
		o.Radius = 8
	}
	if o.Passes == 0 {
		o.Passes = 1
	}
	if o.Until == chunk.StatusUnknown {
		o.Until = chunk.StatusFull
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	return o
}

// Report is what a run has measured.
type Report struct {
	Environment bench.Environment `json:"environment"`
	Seeds       []int64           `json:"seeds"`
	Radius      int32             `json:"radius"`
	Until       string            `json:"until"`
	Passes      int               `json:"passes"` // asked for
	bench.Course
	Rows []Row `json:"rows"`
}

// Row is a stage of a dimension.
type Row struct {
	Stage     string `json:"stage"`
	Dimension string `json:"dimension"`
	Workers   int    `json:"workers"`
	// Chunks is how often the stage ran; of total, the chunks that were asked for.
	Chunks int64 `json:"chunks"`
	// CPU is the thread's time for a chunk; of total, the sum of the stages.
	CPU time.Duration `json:"cpu_ns"`
	// Samples are the passes, in their order, of which CPU is the median.
	Samples []time.Duration `json:"cpu_samples_ns"`
	// CPUPerNew, ChunksPerS and Allocs are of total alone: the CPU time of the
	// process, the wall's rate and the allocations for each chunk that was asked
	// for, what is made beside them included.
	CPUPerNew  time.Duration `json:"cpu_ns_per_new,omitempty"`
	ChunksPerS float64       `json:"chunks_per_s"`
	Allocs     float64       `json:"allocs"`
	Bytes      int64         `json:"bytes,omitempty"` // of a record, compressed
}

// Total is the stage that has all of them.
const Total = "total"

// The stages that are beside gen's.
const (
	stageEncode   = "encode"
	stageCompress = "compress"
)

// order is that of rows.
var order = []string{
	string(gen.StageBiomes), string(gen.StageNoise), string(gen.StageSurface), string(gen.StageCarvers),
	string(gen.StageFeatures), string(gen.StageLight), string(gen.StageStore), stageEncode, stageCompress, string(gen.StageOther),
}

// Run measures. A pass is all seeds, with each number of workers in each dimension
// in turn; one that an interrupt ends does not count. If ctx ends, the report has
// the passes that were finished; the error is ctx's if none was.
func Run(ctx context.Context, o Options) (*Report, error) {
	o = o.withDefaults()
	r := &Report{
		Environment: bench.ReadEnvironment(), Seeds: o.Seeds, Radius: o.Radius, Until: o.Until.String(), Passes: o.Passes, Rows: []Row{},
	}
	var all []*series
	for _, dimension := range o.Dimensions {
		for _, workers := range o.Workers {
			all = append(all, &series{dimension: dimension, workers: workers})
		}
	}
	end := r.Begin()
	err := passes(ctx, all, &o)
	end()
	var spreads []float64
	for _, s := range all {
		for _, row := range s.rows() {
			r.Rows = append(r.Rows, row)
			spreads = append(spreads, bench.SpreadOf(row.CPU, slices.Min(row.Samples), slices.Max(row.Samples)))
		}
	}
	if err := r.Interrupt(ctx, err, len(r.Rows)); err != nil {
		return nil, err
	}
	r.Warn(r.Environment, spreads)
	return r, nil
}

// passes makes all passes.
func passes(ctx context.Context, all []*series, o *Options) error {
	parts, done := len(all)*len(o.Seeds)*o.Passes, 0
	for range o.Passes {
		for _, s := range all {
			sum := newTally()
			for _, seed := range o.Seeds {
				if err := ctx.Err(); err != nil {
					return err
				}
				part, err := measure(ctx, seed, s.dimension, s.workers, o)
				if err != nil {
					return fmt.Errorf("%s of seed %d: %w", s.dimension, seed, err)
				}
				sum.add(part)
				done++
				o.Progress(done, parts)
			}
			s.passes = append(s.passes, sum)
		}
	}
	return nil
}

// series is a dimension with a number of workers, pass by pass.
type series struct {
	dimension string
	workers   int
	passes    []*tally
}

// rows has those of all passes together, with the median of each stage's time.
// There is none before the first pass.
func (s *series) rows() []Row {
	if len(s.passes) == 0 {
		return nil
	}
	sum := newTally()
	samples := make(map[string][]time.Duration)
	for _, pass := range s.passes {
		sum.add(pass)
		for _, row := range pass.rows(s.dimension, s.workers) {
			samples[row.Stage] = append(samples[row.Stage], row.CPU)
		}
	}
	rows := sum.rows(s.dimension, s.workers)
	for i := range rows {
		rows[i].Samples = samples[rows[i].Stage]
		rows[i].CPU = median(rows[i].Samples)
		rows[i].Chunks /= int64(len(s.passes))
	}
	return rows
}

// median is the mean of the two middle ones of an even number.
func median(samples []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(samples))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// tally is what was measured.
type tally struct {
	spent   map[string]time.Duration
	runs    map[string]int64
	chunks  int64
	wall    time.Duration
	process time.Duration
	allocs  uint64
	bytes   int64
}

func newTally() *tally {
	return &tally{spent: make(map[string]time.Duration), runs: make(map[string]int64)}
}

func (t *tally) add(o *tally) {
	for stage, spent := range o.spent {
		t.spent[stage] += spent
		t.runs[stage] += o.runs[stage]
	}
	t.chunks += o.chunks
	t.wall += o.wall
	t.process += o.process
	t.allocs += o.allocs
	t.bytes += o.bytes
}

// rows are those of a dimension.
func (t *tally) rows(dimension string, workers int) []Row {
	total := Row{Stage: Total, Dimension: dimension, Workers: workers, Chunks: t.chunks}
	var rows []Row
	for _, stage := range order {
		runs := t.runs[stage]
		switch stage {
		case string(gen.StageLight), string(gen.StageOther), string(gen.StageStore):
			runs = t.chunks // they are of a batch, or may be of nothing
		}
		if runs == 0 || t.spent[stage] == 0 {
			continue
		}
		row := Row{Stage: stage, Dimension: dimension, Workers: workers, Chunks: runs, CPU: t.spent[stage] / time.Duration(runs)}
		total.CPU += row.CPU
		rows = append(rows, row)
	}
	if t.chunks > 0 {
		total.CPUPerNew = t.process / time.Duration(t.chunks)
		total.Allocs = float64(t.allocs) / float64(t.chunks)
		total.Bytes = t.bytes / t.chunks
	}
	if t.wall > 0 {
		total.ChunksPerS = float64(t.chunks) / t.wall.Seconds()
	}
	return append(rows, total)
}

// generator makes that of a dimension.
func generator(seed int64, dimension string, until chunk.Status) (*gen.Generator, error) {
	source, err := settings.Builtin(anvil.NativeVersion)
	if err != nil {
		return nil, err
	}
	created, err := preset.New(source, preset.Options{Seed: seed, Structures: true})
	if err != nil {
		return nil, err
	}
	w, err := gen.New(gen.Options{
		Source: source, Settings: created, DataVersion: anvil.NativeVersion, Structures: all.New, WithoutTemplates: true,
	})
	if err != nil {
		return nil, err
	}
	return w.NewGenerator(dimension, until, chunk.NewTables())
}

// measure makes the chunks of a square with some workers.
func measure(ctx context.Context, seed int64, dimension string, workers int, o *Options) (*tally, error) {
	g, err := generator(seed, dimension, o.Until)
	if err != nil {
		return nil, err
	}
	area, err := plan.NewArea(plan.Square, plan.Block{}, plan.Radius{X: o.Radius, Z: o.Radius})
	if err != nil {
		return nil, err
	}
	facts := g.Facts()
	p, err := plan.New(area, plan.Options{Side: facts.Tile, Rim: facts.Rim})
	if err != nil {
		return nil, err
	}
	var batches []*pregen.Batch
	for t := range p.Tiles() {
		b := &pregen.Batch{At: t.At, Side: t.Side, Area: area}
		both := t.Want.Or(t.Rim)
		both.Slots(func(s region.Slot) {
			b.Chunks = append(b.Chunks, pregen.Wanted{Pos: t.Region.Chunk(s), Rim: t.Rim.Has(s)})
		})
		batches = append(batches, b)
	}
	runtime.GC()
	sum, mu := newTally(), sync.Mutex{}
	var next atomic.Int64
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began, process := time.Now(), processTime()
	group, ctx := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() error {
			part, err := work(ctx, g, batches, &next)
			mu.Lock()
			defer mu.Unlock()
			sum.add(part)
			return err
		})
	}
	err = group.Wait()
	sum.wall, sum.process = time.Since(began), processTime()-process
	runtime.ReadMemStats(&after)
	sum.allocs = after.Mallocs - before.Mallocs
	return sum, err
}

// work is one worker, on a thread of its own.
func work(ctx context.Context, g *gen.Generator, batches []*pregen.Batch, next *atomic.Int64) (*tally, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	t := newTally()
	last := threadTime()
	lap := func(stage string) {
		now := threadTime()
		t.spent[stage] += now - last
		t.runs[stage]++
		last = now
	}
	worker, err := g.NewMeteredWorker(func(s gen.Stage) { lap(string(s)) })
	if err != nil {
		return t, err
	}
	defer worker.Release()
	deflate, err := codec.NewEncoder(codec.Zlib, codec.Level(0))
	if err != nil {
		return t, err
	}
	var encode chunk.Encoder
	var buf, out []byte
	for {
		i := int(next.Add(1)) - 1
		if i >= len(batches) {
			return t, nil
		}
		b := batches[i]
		rim := make(map[region.ChunkPos]bool)
		for _, c := range b.Chunks {
			rim[c.Pos] = c.Rim
		}
		err := worker.Generate(ctx, b, func(m pregen.Made) error {
			if m.Err != nil || m.Chunk == nil {
				return m.Err
			}
			last = threadTime()
			if buf, err = encode.Encode(buf[:0], m.Chunk); err != nil {
				return err
			}
			lap(stageEncode)
			if out, err = deflate.Append(out[:0], buf); err != nil {
				return err
			}
			lap(stageCompress)
			if !rim[m.Pos] {
				t.chunks++
				t.bytes += int64(len(out))
			}
			return nil
		})
		if err != nil {
			return t, err
		}
		lap(string(gen.StageOther))
	}
}
