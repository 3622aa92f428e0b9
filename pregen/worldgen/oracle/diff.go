package oracle

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"strata/anvil/block"
)

// DefaultTop is how many pairs a row has by default.
const DefaultTop = 10

// Options say what Diff compares with what.
type Options struct {
	Filter
	// Open makes a generator. Each worker opens its own; it is called from
	// several goroutines.
	Open func(World) (Generator, error)
	// Adapts tells which structures adapt the terrain, see Adapting; nil for
	// none.
	Adapts func(id string) bool
	// Decoration tells which blocks features place, see Decoration; nil for none.
	Decoration func(block.State) bool
	// Workers is how many samples are generated at the same time; default one
	// for each processor.
	Workers int
	// Top is how many pairs a row has; default DefaultTop, none if negative.
	Top int
	// Progress is called after each sample or failure, from one goroutine at a
	// time; nil for nobody.
	Progress func()
}

// Diff generates the chunk of every sample and counts what differs. The report
// does not depend on Workers. What could not be compared is in Report.Failed;
// the only error is that of ctx.
func Diff(ctx context.Context, o *Oracle, opts Options) (*Report, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	if opts.Top == 0 {
		opts.Top = DefaultTop
	}
	workers := make([]worker, opts.Workers)
	for i := range workers {
		workers[i] = worker{opts: &opts, comparison: comparison{decoration: opts.Decoration}}
	}
	total := newTotals()
	if opts.stage(Full) {
		full := opts
		full.Stages, full.Adapts = []Stage{Full}, nil
		if err := each(ctx, o, &full, workers, (*worker).learn, total.missed); err != nil {
			return nil, err
		}
	}
	err := each(ctx, o, &opts, workers, (*worker).judge, func(r result) {
		total.take(r)
		if opts.Progress != nil {
			opts.Progress()
		}
	})
	if err != nil {
		return nil, err
	}
	return total.report(max(opts.Top, 0)), nil
}

// each has workers do something with each sample, and calls take with what
// comes of it, in this goroutine.
func each(ctx context.Context, o *Oracle, opts *Options, workers []worker, do func(*worker, job) result, take func(result)) error {
	group, ctx := errgroup.WithContext(ctx)
	jobs := make(chan job)
	results := make(chan result)
	group.Go(func() error {
		defer close(jobs)
		return feed(ctx, o, opts, jobs, results)
	})
	working, _ := errgroup.WithContext(ctx)
	for i := range workers {
		working.Go(func() error {
			for j := range jobs {
				if !send(ctx, results, do(&workers[i], j)) {
					return ctx.Err()
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(results)
		return working.Wait()
	})
	for r := range results {
		take(r)
	}
	return group.Wait()
}

// job is a sample to be judged.
type job struct {
	sample *Sample
	near   []string // structures
}

// feed sends samples to the workers, and what could not be read to the results.
func feed(ctx context.Context, o *Oracle, opts *Options, jobs chan<- job, results chan<- result) error {
	for s, err := range o.Samples(ctx, opts.Filter) {
		j := job{sample: s}
		if err == nil && opts.Adapts != nil {
			if j.near, err = s.Near(opts.Adapts); err != nil {
				err = chunkError(s, err)
			}
		}
		var sent bool
		if err != nil {
			sent = send(ctx, results, result{err: err})
		} else {
			sent = send(ctx, jobs, j)
		}
		if !sent {
			break
		}
	}
	return ctx.Err()
}

func chunkError(s *Sample, err error) error {
	return &ChunkError{Folder: s.Folder, Dimension: s.Dimension, Pos: s.Pos(), Err: err}
}

// send sends a value unless ctx ends first.
func send[T any](ctx context.Context, to chan<- T, value T) bool {
	select {
	case to <- value:
		return true
	case <-ctx.Done():
		return false
	}
}

// result is what became of a sample.
type result struct {
	key   Key
	x, z  int32
	tally tally
	near  *Near // if it is near a structure
	err   error
}

// worker judges samples, with a generator of its own for the last world.
type worker struct {
	opts       *Options
	comparison comparison
	world      World
	generator  Generator
}

func (w *worker) judge(j job) result {
	s := j.sample
	r := result{key: Key{s.Folder, s.Dimension, s.Stage, s.Tier}, x: s.Pos().X, z: s.Pos().Z}
	if r.tally, r.err = w.compare(s); r.err != nil {
		r.err = chunkError(s, r.err)
	}
	if len(j.near) > 0 {
		r.near = &Near{Key: r.key, X: s.Pos().X, Z: s.Pos().Z, Structures: j.near, WrongBlocks: r.tally.WrongBlocks}
	}
	return r
}

// learn has the generator learn from a sample if it does so.
func (w *worker) learn(j job) result {
	s := j.sample
	err := w.open(s.World)
	if err != nil {
		return result{} // judge will say so
	}
	if l, ok := w.generator.(Learner); ok {
		if err = l.Learn(s); err != nil {
			err = chunkError(s, err)
		}
	}
	return result{err: err}
}

// open sees to it that the generator is that of a world.
func (w *worker) open(world World) error {
	if w.generator != nil && w.world == world {
		return nil
	}
	w.generator = nil
	generator, err := w.opts.Open(world)
	if err != nil {
		return err
	}
	w.generator, w.world = generator, world
	return nil
}

func (w *worker) compare(s *Sample) (tally, error) {
	if err := w.open(s.World); err != nil {
		return tally{}, err
	}
	made, err := w.generator.Generate(s.Dimension, s.Pos(), s.Stage.Status())
	if err != nil {
		return tally{}, err
	}
	if made.Chunk == nil {
		return tally{}, errors.New("the generator made no chunk")
	}
	return w.comparison.compare(s, made)
}

// totals gathers results.
type totals struct {
	rows, adapted map[Key]*tally
	near          []Near
	failed        []Failure
	chunks        []result // decorated ones that are not exact
}

func newTotals() *totals {
	return &totals{rows: make(map[Key]*tally), adapted: make(map[Key]*tally)}
}

// missed takes what a generator learnt, of which only failures matter.
func (t *totals) missed(r result) {
	if r.err != nil {
		t.failed = append(t.failed, Failure{r.err.Error()})
	}
}

func (t *totals) take(r result) {
	if r.err != nil {
		t.failed = append(t.failed, Failure{r.err.Error()})
		return
	}
	if r.tally.WrongBlocks > 0 && slices.Index(Stages, r.key.Stage) > slices.Index(Stages, Carvers) {
		t.chunks = append(t.chunks, r)
	}
	into := t.rows
	if r.near != nil {
		into = t.adapted
		t.near = append(t.near, *r.near)
	}
	sum := into[r.key]
	if sum == nil {
		sum = new(tally)
		into[r.key] = sum
	}
	sum.add(&r.tally)
}

func (t *totals) report(top int) *Report {
	slices.SortFunc(t.near, func(a, b Near) int {
		return cmp.Or(a.Key.compare(b.Key), cmp.Compare(a.X, b.X), cmp.Compare(a.Z, b.Z))
	})
	chunks := make([]Judged, 0, len(t.chunks))
	for i := range t.chunks {
		c := &t.chunks[i]
		stable := int64(0)
		for _, n := range c.tally.stable {
			stable += n
		}
		chunks = append(chunks, Judged{c.key, c.x, c.z, c.tally.WrongBlocks, stable, c.tally.orderWrong[0], c.tally.orderedWrong[0], c.tally.stable.top(top)})
	}
	slices.SortFunc(chunks, func(a, b Judged) int {
		return cmp.Or(a.Key.compare(b.Key), cmp.Compare(a.X, b.X), cmp.Compare(a.Z, b.Z))
	})
	slices.SortFunc(t.failed, func(a, b Failure) int { return cmp.Compare(a.Error, b.Error) })
	t.failed = slices.Compact(t.failed) // a chunk may fail both when it is learnt and judged
	return &Report{
		Rows: rows(t.rows, top), AdaptedRows: rows(t.adapted, top),
		Adapted: append([]Near{}, t.near...), Failed: append([]Failure{}, t.failed...), Chunks: chunks,
	}
}
