package pregen

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"

	"strata/anvil/chunk"
	"strata/pregen/plan"
	"strata/region"
	"strata/region/codec"
)

// worker makes chunks, encodes and compresses them.
type worker struct {
	r       *runner
	d       *dimension
	gen     Worker
	encode  chunk.Encoder
	deflate *codec.Encoder
	nbt     []byte
	streams [3][]byte // by spool.Kind
}

// work makes chunks until there is nothing left to do.
func (r *runner) work(ctx context.Context, d *dimension) error {
	w := &worker{r: r, d: d}
	var err error
	if w.deflate, err = codec.NewEncoder(codec.Zlib, r.opts.Level); err != nil {
		return w.stop(err)
	}
	if w.gen, err = d.target.Generator.NewWorker(); err != nil {
		return w.stop(err)
	}
	defer func() { w.gen.Release() }()
	for {
		err := w.step(ctx)
		if errors.Is(err, errNoMore) {
			return nil
		}
		if err != nil {
			return w.stop(err)
		}
	}
}

// stop ends the whole run.
func (w *worker) stop(err error) error {
	if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		w.r.fail(err)
	}
	return err
}

// errNoMore ends a worker.
var errNoMore = errors.New("all tiles have come")

// step makes the chunks of the next tile that has some to make.
func (w *worker) step(ctx context.Context) error {
	if err := w.r.gate.enter(ctx, w.idle); err != nil {
		return err
	}
	defer w.r.gate.leave()
	j, tile, todo, rim, err := w.d.take(ctx)
	if err != nil {
		return err
	}
	if !todo.Empty() {
		err = w.tile(ctx, j, &tile, todo, rim)
	}
	if err == nil && j.advance() {
		w.r.saver.submit(j)
	}
	w.d.forget(j)
	return err
}

// idle gives memory back before a wait.
func (w *worker) idle() {
	if w.r.opts.Profile == Low {
		w.gen.Release()
		w.nbt, w.streams = nil, [3][]byte{}
	}
}

// take returns the next tile and what there is to do in it.
func (d *dimension) take(ctx context.Context) (j *job, t plan.Tile, todo, rim plan.Mask, err error) {
	if err := ctx.Err(); err != nil {
		return nil, t, todo, rim, err
	}
	d.cursor.Lock()
	t, ok := d.next()
	if ok {
		j = d.job(t.Region)
	}
	d.cursor.Unlock()
	if !ok {
		return nil, t, todo, rim, errNoMore
	}
	if err := j.begin(); err != nil {
		return nil, t, todo, rim, err
	}
	todo, rim = j.take(&t)
	return j, t, todo, rim, nil
}

// tile makes the chunks of a tile: all together, and those that fail once more
// each on their own.
func (w *worker) tile(ctx context.Context, j *job, t *plan.Tile, todo, rim plan.Mask) error {
	failures, err := w.try(ctx, j, t, todo, rim)
	for n := 1; err == nil && len(failures) > 0; n++ {
		if n == w.r.opts.Tries {
			for _, s := range slices.Sorted(maps.Keys(failures)) {
				w.r.failed(w.d, j.pos.Chunk(s), failures[s])
				j.settle(s)
			}
			return nil
		}
		again := make(map[region.Slot]error)
		for _, s := range slices.Sorted(maps.Keys(failures)) {
			reason := failures[s]
			w.r.opts.Events(Event{Kind: ChunkRetried, Dimension: w.d.target.Dimension, Region: j.pos, Pos: j.pos.Chunk(s), Err: reason})
			if err = w.renew(); err != nil {
				return err
			}
			var one plan.Mask
			one.Set(s)
			var still map[region.Slot]error
			if still, err = w.try(ctx, j, t, one, rim); err != nil {
				return err
			}
			maps.Copy(again, still)
		}
		failures = again
	}
	return err
}

// renew takes a new worker, since the scratch of one that failed may be in any
// state.
func (w *worker) renew() error {
	w.gen.Release()
	gen, err := w.d.target.Generator.NewWorker()
	if err == nil {
		w.gen = gen
	}
	return err
}

// generatorPart is the part of the memory limit that generators may keep.
const generatorPart = 5

// try makes chunks once, and returns why those that failed did. The error ends
// the run.
func (w *worker) try(ctx context.Context, j *job, t *plan.Tile, todo, rim plan.Mask) (map[region.Slot]error, error) {
	failures := make(map[region.Slot]error)
	b := &Batch{At: t.At, Side: t.Side, Area: w.d.plan.Area(), Stored: w.d.loadStored, Memory: w.r.opts.MemoryLimit / generatorPart, Aside: w.d.aside}
	todo.Slots(func(s region.Slot) {
		wanted := Wanted{Pos: j.pos.Chunk(s), Rim: rim.Has(s)}
		if _, has := j.base[s]; has && w.d.continues(wanted.Pos) {
			var err error
			if wanted.Stored, err = w.d.load(wanted.Pos); err != nil {
				failures[s] = err
				return
			}
		}
		b.Chunks = append(b.Chunks, wanted)
	})
	run := &attempt{w: w, j: j, todo: todo, rim: rim, failures: failures}
	for s := range failures {
		run.todo.Clear(s)
	}
	if len(b.Chunks) == 0 {
		return failures, nil
	}
	err := w.generate(ctx, b, func(m Made) error { return run.done(ctx, &m) })
	if run.fatal != nil {
		return nil, run.fatal
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // what was not made yet is for a later run
	}
	if err == nil {
		err = fmt.Errorf("%w: the chunk did not come", ErrGenerator)
	}
	run.todo.Slots(func(s region.Slot) { failures[s] = err })
	return failures, nil
}

// continues reports whether generation goes on from a stored chunk: what this
// run has left at an earlier status is made anew.
func (d *dimension) continues(c region.ChunkPos) bool {
	existed := d.existed[c.Region()]
	return d.facts.Rim == 0 || existed.Has(c.Slot())
}

// generate calls the generator. A panic there is the failure of the chunks at
// hand: a run of days does not end for one of them.
func (w *worker) generate(ctx context.Context, b *Batch, done func(Made) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return w.gen.Generate(ctx, b, done)
}
