package gen

import (
	"bytes"
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/light"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/pregen/worldgen/proto"
	"strata/region"
)

// lit is the light of a rectangle of chunks, in the worker's engine.
type lit struct {
	box   plan.Rect // the rim that lends its blocks included
	found map[region.ChunkPos]bool
}

// nodeBlocks gives the blocks of a node to a light.Column.
type nodeBlocks struct {
	blocks []block.State
	low    chunk.SectionY
}

// Section implements light.Blocks.
func (b nodeBlocks) Section(y chunk.SectionY, _ *[4096]block.State) (*[4096]block.State, block.State) {
	cells := (*[4096]block.State)(b.blocks[int(y-b.low)<<12:])
	if proto.Uniform(cells) {
		return nil, cells[0]
	}
	return cells, 0
}

// lights reports whether a chunk gets light. Called under mu.
func (y *yard) lights(t *target, f fate) bool {
	switch {
	case y.generator.until < chunk.StatusLight:
		return false
	case t.kind == targetWork:
		return f.status >= chunk.StatusLight
	case t.kind == targetRelit:
		return t.wanted.Stored.LightOn() && f.err == nil && !f.left && !each(square(t.pos, 1), func(p region.ChunkPos) bool { return !y.changes(p) })
	}
	return false
}

// changes reports whether this run makes or has touched a chunk. Called under
// mu.
func (y *yard) changes(p region.ChunkPos) bool {
	had := y.before[p]
	if had.status == chunk.StatusFull {
		return false
	}
	return had.status == chunk.StatusUnknown && had.err == nil && y.reached(p, 1) || y.touched(p)
}

// light lights the chunks that are to be finished.
func (w *worker) light(y *yard, targets []target, fates []fate) (*lit, error) {
	l := &lit{found: make(map[region.ChunkPos]bool)}
	var list []target
	y.mu.Lock()
	for i := range targets {
		if y.lights(&targets[i], fates[i]) {
			list = append(list, targets[i])
			l.found[targets[i].pos] = true
		}
	}
	y.mu.Unlock()
	if len(list) == 0 {
		return l, nil
	}
	l.box = grow(bounds(list), 1)
	width, depth := int(l.box.MaxX-l.box.MinX)+1, int(l.box.MaxZ-l.box.MinZ)+1
	area := light.Area{
		Width: width, Depth: depth, Columns: make([]*light.Column, width*depth),
		Sky: w.generator.dimension.preset.Type.HasSkylight,
	}
	for len(w.columns) < width*depth {
		w.columns = append(w.columns, new(light.Column))
	}
	for i := range area.Columns {
		p := region.ChunkPos{X: l.box.MinX + int32(i%width), Z: l.box.MinZ + int32(i/width)}
		if each(square(p, 1), func(q region.ChunkPos) bool { return !l.found[q] }) {
			continue // nothing beside it is lit
		}
		ok, err := w.column(y, p, w.columns[i])
		if err != nil {
			return nil, err
		}
		if ok {
			area.Columns[i] = w.columns[i]
		}
	}
	if err := w.engine.Light(area); err != nil {
		return nil, fmt.Errorf("light of chunks %+v: %w", l.box, err)
	}
	return l, nil
}

// column prepares a chunk for light. It reports false for one that is not
// there.
func (w *worker) column(y *yard, p region.ChunkPos, to *light.Column) (bool, error) {
	y.mu.Lock()
	had := y.before[p]
	if !y.reached(p, 1) && had.status == chunk.StatusUnknown {
		y.mu.Unlock()
		return false, nil
	}
	n, err := y.borrow(p)
	y.mu.Unlock()
	if err != nil {
		return false, err
	}
	defer y.release(n)
	w.prepare(y, n)
	if n.err != nil {
		return false, nil // light ends there
	}
	minY, height := w.generator.dimension.Range()
	low := chunk.SectionY(minY >> 4)
	return true, to.Set(low, low+chunk.SectionY(height>>4), nodeBlocks{n.proto.Blocks, low}, nil)
}

// result takes the light of a chunk out of the engine.
func (w *worker) result(l *lit, p region.ChunkPos) (*light.Chunk, error) {
	err := w.engine.Result(int(p.X-l.box.MinX), int(p.Z-l.box.MinZ), &w.lit)
	return &w.lit, err
}

// handRelit gives a finished chunk its new light, if that is another one.
func (w *worker) handRelit(made pregen.Made, t *target, l *lit) (pregen.Made, error) {
	if !l.found[t.pos] {
		return made, nil
	}
	was, err := w.encode.Encode(nil, t.wanted.Stored)
	if err != nil {
		return made, err
	}
	result, err := w.result(l, t.pos)
	if err == nil {
		err = result.Store(t.wanted.Stored)
	}
	if err != nil {
		return made, err
	}
	is, err := w.encode.Encode(nil, t.wanted.Stored)
	if err == nil && !bytes.Equal(was, is) {
		made.Chunk = t.wanted.Stored
	}
	return made, err
}
