package gen

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"strata/anvil/chunk"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/structure/template"
	"strata/region"
)

// yard is where chunks stand while they are decorated: decoration of a chunk
// writes into its neighbours, so that workers share them.
//
// Of two chunks within 2 the one of lower rank is decorated first; those of
// equal rank are farther apart. That order alone decides what comes out: a
// worker decorates what the chunks it was asked for need, and what that needs,
// whoever comes first. It also keeps workers apart: when the lower ones within
// 2 are done, no other worker can be near.
//
// A yard begins with what the world had before the run and with the seed. What
// it forgets can be made again by another, private one.
type yard struct {
	generator *Generator
	area      pregen.Area // nil for all chunks there are
	stored    func(region.ChunkPos) (*chunk.Chunk, error)
	limit     int64        // bytes that blocks may take unpacked, and again packed
	aside     pregen.Aside // nil for none
	private   bool
	settled   StructuresRecord // nil without structures

	mu      sync.Mutex // guards what follows, and nodes as they say
	changed *sync.Cond
	nodes   map[region.ChunkPos]*node
	sheets  map[region.Pos]*sheet
	last    *sheet
	lastPos region.Pos
	before  map[region.ChunkPos]before
	spare   []buffers
	// spareNodes are forgotten ones.
	spareNodes []*node
	loose      int64 // bytes of blocks that are not packed
	packed     int64
	turn       int64
	broken     bool // decoration of a chunk ended half-way
}

// nodeState is what becomes of the blocks of a node.
type nodeState uint8

const (
	nodeEmpty nodeState = iota
	nodeBusy            // one worker makes, packs or unpacks it
	nodeReady
	nodePacked
	nodeAside
)

// node is a chunk under construction. Its fields change under yard.mu, but for
// chunk, which belongs to the worker that decorates it or a neighbour, and is
// only read once nothing near is to be decorated.
type node struct {
	pos    region.ChunkPos
	state  nodeState
	users  int   // workers that need it as it is
	turn   int64 // of the last use
	chunk  feature.Chunk
	proto  proto.Chunk
	packed []byte
	aside  int64        // the name of what was packed
	had    chunk.Status // of what the world had, StatusUnknown for nothing
	err    error        // why it cannot be made
}

// newYard returns a yard for chunks of an area.
func newYard(g *Generator, b *pregen.Batch) *yard {
	y := &yard{
		generator: g, area: b.Area, stored: b.Stored, limit: keepBytes,
		nodes:  make(map[region.ChunkPos]*node),
		sheets: make(map[region.Pos]*sheet),
		before: make(map[region.ChunkPos]before),
	}
	if b.Memory > 0 {
		y.limit = b.Memory
	}
	y.aside = b.Aside
	if y.stored == nil {
		y.stored = func(region.ChunkPos) (*chunk.Chunk, error) { return nil, pregen.ErrNotStored }
	}
	if g.structures != nil {
		y.settled = g.structures.NewRecord(y.stored)
	}
	y.changed = sync.NewCond(&y.mu)
	return y
}

// keepBytes is what blocks under construction may take, and again when they are
// packed, if the caller does not say.
var keepBytes int64 = 384 << 20

func isNotStored(err error) bool { return errors.Is(err, pregen.ErrNotStored) }

// rank is the order of decoration.
func rank(p region.ChunkPos) int {
	return [9]int{0, 1, 2, 7, 6, 3, 8, 5, 4}[(p.Z%3+3)%3*3+(p.X%3+3)%3]
}

// Errors that make a worker begin anew.
var (
	errGone   = errors.New("a chunk that is needed was forgotten")
	errBroken = errors.New("decoration of a chunk ended half-way")
)

// learnt is how far around a tile it is known what there is to do: what is
// decorated before a chunk by the order of ranks lies within 9 of it.
const learnt = 16

// needs lists what is to be decorated for some chunks to be final, each after
// those that come before it by rank, and otherwise near together: what is
// looked at again soon need not be packed.
func (y *yard) needs(targets []target) []region.ChunkPos {
	y.mu.Lock()
	defer y.mu.Unlock()
	listed := make(map[region.ChunkPos]bool)
	var list []region.ChunkPos
	var visit func(p region.ChunkPos) bool
	visit = func(p region.ChunkPos) bool {
		if listed[p] || !y.due(p) {
			return true
		}
		listed[p] = true
		if s := y.sheet(p.Region()); s.decorated.Has(p.Slot()) || s.blocked.Has(p.Slot()) {
			return true
		}
		each(square(p, 2), func(q region.ChunkPos) bool { return rank(q) >= rank(p) || visit(q) })
		list = append(list, p)
		return true
	}
	for _, t := range targets {
		each(square(t.pos, t.reach), visit)
	}
	return list
}

// claim is what a worker may do about a chunk.
type claim uint8

const (
	claimWait claim = iota // others have to be decorated first, or it is being
	claimDone              // it is decorated, or never will be
	claimed                // it is the worker's
)

// claim takes a chunk for decoration, with its neighbours if it can be had.
func (y *yard) claim(p region.ChunkPos, nine *[9]*node) (claim, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	state, err := y.stateOf(p)
	if err != nil || state != claimed {
		return state, err
	}
	if err := y.borrowAround(p, nine); err != nil {
		return claimWait, err
	}
	s := y.sheet(p.Region())
	s.running.Set(p.Slot())
	return claimed, nil
}

// stateOf says whether a chunk can be claimed. It settles one that never will
// be. Called under mu.
func (y *yard) stateOf(p region.ChunkPos) (claim, error) {
	if y.broken {
		return claimWait, errBroken
	}
	s := y.sheet(p.Region())
	slot := p.Slot()
	switch {
	case s.decorated.Has(slot), s.blocked.Has(slot):
		return claimDone, nil
	case s.running.Has(slot):
		return claimWait, nil
	}
	blocked, left, ready := false, true, true
	each(square(p, 2), func(q region.ChunkPos) bool {
		if rank(q) >= rank(p) || !y.due(q) {
			return true
		}
		o := y.sheet(q.Region())
		switch {
		case o.blocked.Has(q.Slot()):
			blocked = true
			left = left && o.left.Has(q.Slot())
		case !o.decorated.Has(q.Slot()):
			ready = false
		}
		return ready
	})
	if !ready {
		return claimWait, nil
	}
	if failure := y.generator.failureOf(p); failure != nil {
		blocked, left = true, errors.Is(failure, template.ErrLacking)
	}
	if blocked {
		y.block(p, left)
		return claimDone, nil
	}
	return claimed, nil
}

// block notes that a chunk is not decorated. Called under mu.
func (y *yard) block(p region.ChunkPos, left bool) {
	s := y.sheet(p.Region())
	s.blocked.Set(p.Slot())
	s.running.Clear(p.Slot())
	if left {
		s.left.Set(p.Slot())
	}
	y.changed.Broadcast()
}

// wait waits until there is something to do about one of the chunks.
func (y *yard) wait(list []region.ChunkPos) error {
	y.mu.Lock()
	defer y.mu.Unlock()
	for {
		for _, p := range list {
			if state, err := y.stateOf(p); err != nil || state != claimWait {
				return err
			}
		}
		y.changed.Wait()
	}
}

// borrow returns a node that stays while it is used. Called under mu.
func (y *yard) borrow(p region.ChunkPos) (*node, error) {
	n := y.nodes[p]
	if n == nil {
		if s := y.sheet(p.Region()); s.gone.Has(p.Slot()) {
			return nil, errGone
		}
		n = y.newNode(p)
		y.nodes[p] = n
	}
	n.users++
	n.turn = y.turn
	return n, nil
}

// borrowAround borrows a chunk and its neighbours, or none. Called under mu.
func (y *yard) borrowAround(p region.ChunkPos, nine *[9]*node) error {
	for i := range nine {
		n, err := y.borrow(region.ChunkPos{X: p.X + int32(i%3) - 1, Z: p.Z + int32(i/3) - 1})
		if err != nil {
			for _, n := range nine[:i] {
				n.users--
			}
			return err
		}
		nine[i] = n
	}
	return nil
}

// release ends a borrow.
func (y *yard) release(nodes ...*node) {
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, n := range nodes {
		n.users--
	}
}

// decorate does what is listed, in turn with other workers.
func (w *worker) decorate(y *yard, list []region.ChunkPos, goOn func() error) error {
	var nine [9]*node
	for len(list) > 0 {
		rest := list[:0]
		for _, p := range list {
			if err := goOn(); err != nil {
				return err
			}
			state, err := y.claim(p, &nine)
			if err != nil {
				return err
			}
			switch state {
			case claimed:
				if err := w.decorateOne(y, p, &nine); err != nil {
					return err
				}
			case claimWait:
				rest = append(rest, p)
			case claimDone:
			}
		}
		if len(rest) == len(list) {
			if err := y.wait(rest); err != nil {
				return err
			}
		}
		list = rest
	}
	return nil
}

// decorateOne decorates a claimed chunk.
func (w *worker) decorateOne(y *yard, p region.ChunkPos, nine *[9]*node) error {
	defer y.release(nine[:]...)
	var chunks [9]*feature.Chunk
	var failure error
	for i, n := range nine {
		w.prepare(y, n)
		if n.err != nil {
			failure = fmt.Errorf("chunk %d,%d beside it: %w", n.pos.X, n.pos.Z, n.err)
		}
		chunks[i] = &n.chunk
	}
	left := failure == nil && w.structures.wanting(p)
	if failure != nil || left {
		if failure != nil {
			y.generator.fail(p, failure)
		}
		y.mu.Lock()
		defer y.mu.Unlock()
		y.block(p, left)
		return nil
	}
	failure = w.build(chunks)
	undone := errors.Is(failure, template.ErrLacking) && w.undo.Restore(chunks)
	y.mu.Lock()
	defer y.mu.Unlock()
	if undone {
		y.generator.fail(p, failure)
		y.block(p, true)
		return nil
	}
	if failure != nil {
		// Its neighbours have a part of it, so all is made anew without it.
		y.generator.fail(p, failure)
		y.broken = true
		y.changed.Broadcast()
		return errBroken
	}
	s := y.sheet(p.Region())
	s.decorated.Set(p.Slot())
	s.running.Clear(p.Slot())
	y.changed.Broadcast()
	return nil
}

// build runs the features of the chunk in the middle. A panic is the failure of
// that chunk.
func (w *worker) build(chunks [9]*feature.Chunk) (err error) {
	defer func() {
		p := recover()
		if lacking, ok := p.(*template.LackingError); ok {
			err = fmt.Errorf("decoration of chunk %d,%d: %w", chunks[4].X, chunks[4].Z, lacking)
			w.decorator = nil
		} else if p != nil {
			err = fmt.Errorf("decoration of chunk %d,%d: panic: %v\n%s", chunks[4].X, chunks[4].Z, p, debug.Stack())
			w.decorator = nil // its scratch may be in any state
		}
	}()
	if !w.generator.dimension.templates.Complete() {
		w.undo.Remember(chunks)
	}
	if hook := w.generator.beforeDecoration; hook != nil {
		hook(chunks[4])
	}
	if w.decorator == nil {
		w.decorator = w.generator.newDecorator(w.maker)
	}
	w.meter.lap(StageOther)
	defer w.meter.lap(StageFeatures)
	if w.decorator != nil {
		w.decorator.Decorate(chunks, w.structures.placing())
	}
	if layers := w.generator.dimension.layers; layers != nil {
		decorateLayers(layers, chunks[4])
	}
	return nil
}

// settle notes that the caller has what became of chunks, and forgets those
// that nobody needs any more.
func (y *yard) settle(targets []target, within plan.Rect) {
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, t := range targets {
		s := y.sheet(t.pos.Region())
		s.settled.Set(t.pos.Slot())
	}
	y.turn++
	each(grow(within, 2), func(p region.ChunkPos) bool {
		if n := y.nodes[p]; n != nil && n.users == 0 && n.state != nodeBusy && y.over(p) {
			y.forget(n)
		}
		return true
	})
}

// over reports whether nobody needs a chunk any more: all around it is
// decorated, and the caller has it and its neighbours. Called under mu.
func (y *yard) over(p region.ChunkPos) bool {
	return each(square(p, 1), func(q region.ChunkPos) bool {
		if !y.knows(q) {
			return false
		}
		s := y.sheet(q.Region())
		slot := q.Slot()
		if y.due(q) && !s.decorated.Has(slot) && !s.blocked.Has(slot) {
			return false
		}
		return s.settled.Has(slot) || !y.wanted(q)
	})
}

// wanted reports whether the caller will ask for a chunk: those that are
// touched, and finished ones whose light may change. Called under mu.
func (y *yard) wanted(p region.ChunkPos) bool {
	distance := int32(1)
	if y.before[p].status != chunk.StatusUnknown {
		distance = 2
	}
	return y.reached(p, distance)
}

// forget drops a node. Called under mu.
func (y *yard) forget(n *node) {
	switch n.state {
	case nodeReady:
		y.putBuffers(&n.proto)
	case nodeAside:
		y.aside.Drop(n.aside)
	}
	y.packed -= int64(len(n.packed))
	delete(y.nodes, n.pos)
	s := y.sheet(n.pos.Region())
	s.gone.Set(n.pos.Slot())
	y.dropNode(n)
}
