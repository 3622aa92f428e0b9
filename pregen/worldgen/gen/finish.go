package gen

import (
	"context"
	"errors"
	"fmt"

	"strata/anvil/chunk"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/pregen/worldgen/structure/template"
	"strata/region"
)

// target is a chunk that a batch asks for.
type target struct {
	pos    region.ChunkPos
	wanted pregen.Wanted
	kind   targetKind
	// reach is how far around it decoration must be done.
	reach int32
}

// targetKind says why a chunk is asked for.
type targetKind uint8

const (
	targetWork    targetKind = iota // it is to be made
	targetTouched                   // it is saved if decoration has touched it
	targetRelit                     // it is finished, and saved if its light has changed
)

// fate is how far a chunk comes.
type fate struct {
	status chunk.Status
	left   bool  // to the game
	err    error // why not to the end
}

// generate makes the chunks of a batch that are decorated.
func (w *worker) generate(ctx context.Context, b *pregen.Batch, done func(pregen.Made) error) error {
	left := w.targets(b)
	private := false
	for {
		y := w.generator.yard(b, private)
		n, err := w.finish(ctx, y, left, done)
		left = left[n:]
		if private {
			y.discard()
		}
		if errors.Is(err, errGone) && !private {
			private = true
			continue
		}
		if !errors.Is(err, errBroken) {
			return err
		}
	}
}

// targets lists what a batch asks for.
func (w *worker) targets(b *pregen.Batch) []target {
	reach := int32(1)
	if w.generator.until >= chunk.StatusLight {
		reach = 2
	}
	list := make([]target, len(b.Chunks))
	for i, wanted := range b.Chunks {
		t := target{pos: wanted.Pos, wanted: wanted, reach: reach}
		switch stored := wanted.Stored; {
		case !wanted.Rim:
		case stored != nil && stored.Full():
			t.kind = targetRelit
		default:
			t.kind, t.reach = targetTouched, 1
		}
		list[i] = t
	}
	return list
}

// yard returns the yard that all workers share, or one of this worker's own.
func (g *Generator) yard(b *pregen.Batch, private bool) *yard {
	g.mu.Lock()
	defer g.mu.Unlock()
	if private {
		y := newYard(g, b)
		y.private = true
		return y
	}
	if y := g.shared; y == nil || y.area != b.Area || y.isBroken() {
		g.shared = newYard(g, b)
	}
	return g.shared
}

func (y *yard) isBroken() bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.broken
}

// fail notes why a chunk cannot be decorated.
func (g *Generator) fail(p region.ChunkPos, err error) {
	g.failuresMu.Lock()
	defer g.failuresMu.Unlock()
	if g.failures[p] == nil {
		g.failures[p] = err
	}
}

// failureOf is why a chunk cannot be decorated.
func (g *Generator) failureOf(p region.ChunkPos) error {
	g.failuresMu.Lock()
	defer g.failuresMu.Unlock()
	return g.failures[p]
}

// bounds is the rectangle around chunks.
func bounds(targets []target) plan.Rect {
	r := square(targets[0].pos, 0)
	for _, t := range targets {
		r = plan.Rect{MinX: min(r.MinX, t.pos.X), MinZ: min(r.MinZ, t.pos.Z), MaxX: max(r.MaxX, t.pos.X), MaxZ: max(r.MaxZ, t.pos.Z)}
	}
	return r
}

// finish makes chunks and hands them on; n is how many it has handed on.
func (w *worker) finish(ctx context.Context, y *yard, targets []target, done func(pregen.Made) error) (n int, err error) {
	if len(targets) == 0 {
		return 0, nil
	}
	w.structures.use(y)
	box := bounds(targets)
	y.learn(grow(box, learnt))
	if err := w.decorate(y, y.needs(targets), ctx.Err); err != nil {
		return 0, err
	}
	fates := y.fates(targets)
	w.meter.lap(StageOther)
	relit, err := w.light(y, targets, fates)
	w.meter.lap(StageLight)
	if err != nil {
		return 0, err
	}
	defer func() { y.settle(targets[:n], box) }()
	for i := range targets {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		w.meter.lap(StageOther)
		made, err := w.hand(y, &targets[i], fates[i], relit)
		w.meter.lap(StageStore)
		if err != nil {
			return n, err
		}
		n++
		if err := done(made); err != nil {
			return n, err
		}
	}
	return n, nil
}

// fates says how far the chunks come, now that all is decorated that can be.
func (y *yard) fates(targets []target) []fate {
	y.mu.Lock()
	defer y.mu.Unlock()
	all := make([]fate, len(targets))
	for i, t := range targets {
		all[i] = y.fate(&t)
	}
	return all
}

// fate is that of one. Called under mu.
func (y *yard) fate(t *target) fate {
	f := fate{status: y.generator.until, left: true}
	blocked := false
	each(square(t.pos, t.reach), func(p region.ChunkPos) bool {
		if s := y.sheet(p.Region()); y.due(p) && s.blocked.Has(p.Slot()) {
			blocked = true
			f.left = f.left && s.left.Has(p.Slot())
			if err := y.generator.failureOf(p); err != nil && !errors.Is(err, template.ErrLacking) && (f.err == nil || p == t.pos) {
				f.err = err
			}
		}
		return true
	})
	f.left = f.left && blocked
	own := y.sheet(t.pos.Region())
	decorated := own.decorated.Has(t.pos.Slot()) || y.before[t.pos].status >= firstDecorated
	switch {
	case blocked && !f.left && f.err == nil:
		f.err = fmt.Errorf("%w: decoration of a chunk before it in order failed", ErrUnfinished)
	case blocked && f.err != nil:
		f.err = fmt.Errorf("%w: %w", ErrUnfinished, f.err)
	}
	if t.kind == targetWork && !blocked {
		return f
	}
	f.status = chunk.StatusCarvers
	if decorated {
		f.status = min(chunk.StatusInitializeLight, y.generator.until)
	}
	if stored := t.wanted.Stored; stored != nil {
		f.status = max(f.status, stored.Status())
	}
	return f
}

// ErrUnfinished is wrapped by errors about chunks that are saved at an earlier
// status than was asked for.
var ErrUnfinished = errors.New("it is left unfinished")

// hand makes what the caller gets of a chunk.
func (w *worker) hand(y *yard, t *target, f fate, relit *lit) (pregen.Made, error) {
	made := pregen.Made{Pos: t.pos, LeftToGame: f.left}
	if t.kind != targetWork {
		made.LeftToGame, f.err = false, nil // it is no part of the area
	}
	if t.kind == targetRelit {
		return w.handRelit(made, t, relit)
	}
	y.mu.Lock()
	touched := t.kind == targetWork || y.touched(t.pos)
	if !touched {
		y.mu.Unlock()
		return made, nil
	}
	n, err := y.borrow(t.pos)
	y.mu.Unlock()
	if err != nil {
		return made, err
	}
	defer y.release(n)
	w.prepare(y, n)
	if n.err != nil {
		made.Err = n.err
		return made, nil
	}
	made.Err = f.err
	if t.kind == targetWork && f.status >= firstDecorated {
		made.StructuresLeftOut = w.structures.leftOut(t.pos)
	}
	if err := w.save(n, t, f, relit, &made); err != nil {
		made.Chunk, made.Entities, made.Err = nil, nil, err
	}
	return made, nil
}

// touched reports whether decoration in this run has written into a chunk.
// Called under mu.
func (y *yard) touched(p region.ChunkPos) bool {
	s := y.sheet(p.Region())
	if s.decorated.Has(p.Slot()) {
		return true
	}
	n := y.nodes[p]
	return n != nil && n.chunk.Touched || n == nil && s.gone.Has(p.Slot())
}
