package tree

import (
	"slices"
	"sync"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
)

// work is the scratch of a tree that is built.
type work struct {
	*feature.Context
	tree *tree

	roots, trunks, foliage, decorations hashSet
	// crowns is where the trunk has crowns.
	crowns []crown
	// logs, leaves and rootList are the places of the sets by height.
	logs, leaves, rootList []pos
	list                   []pos // of a decorator or of roots
	taken                  []pos // by blocks that are attached

	low, high pos // the tree's bounds, both included
	filled    []uint64
	distances [farthest]hashSet
}

// crown is where leaves are attached to a trunk.
type crown struct {
	at    pos
	wider int  // added to the radius
	large bool // of a trunk of two by two
}

var works = sync.Pool{New: func() any { return new(work) }}

// newWork returns a work to be released.
func newWork(c *feature.Context, t *tree) *work {
	w := works.Get().(*work)
	w.Context, w.tree = c, t
	for _, s := range [...]*hashSet{&w.roots, &w.trunks, &w.foliage, &w.decorations} {
		s.reset()
	}
	return w
}

func (w *work) release() {
	w.Context, w.tree = nil, nil
	works.Put(w)
}

// byHeight lists the places of a set from the lowest up, those of a height in
// the order of the set.
func byHeight(s *hashSet, list []pos) []pos {
	list = s.list(list[:0])
	slices.SortStableFunc(list, func(a, b pos) int { return a.y - b.y })
	return list
}

func (w *work) put(into *hashSet, p pos, s block.State) {
	into.add(p)
	w.SetKnown(p.x, p.y, p.z, s)
}

func (w *work) attach(p pos, wider int, large bool) {
	w.crowns = append(w.crowns, crown{p, wider, large})
}

// log places a log where the trunk may grow.
func (w *work) log(p pos) bool { return w.logAlong(p, "") }

// logAlong places a log along an axis; as the provider has it if that is empty.
func (w *work) logAlong(p pos, axis string) bool {
	if !w.tree.openToTrunk(at(w.Context, p)) {
		return false
	}
	s := stateFor(w.Context, w.tree.logs, p)
	if axis != "" {
		s = along(s, axis)
	}
	w.put(&w.trunks, p, s)
	return true
}

// ground places what lies below the trunk.
func (w *work) ground(p pos) {
	if w.tree.below == nil {
		return
	}
	if s, ok := w.tree.below.State(w.Context, p.x, p.y, p.z); ok {
		w.put(&w.trunks, p, s)
	}
}

// grounds places what lies below a trunk of two by two.
func (w *work) grounds(p pos) {
	w.ground(p)
	w.ground(p.offset(1, 0, 0))
	w.ground(p.offset(0, 0, 1))
	w.ground(p.offset(1, 0, 1))
}

// leaf places a leaf where trees may grow.
func (w *work) leaf(p pos) bool {
	before := at(w.Context, p)
	if !w.tree.open(before) || persistent(before) {
		return false
	}
	w.put(&w.foliage, p, wet(stateFor(w.Context, w.tree.leaves, p), before.Fluid() == block.WaterFluid && before.FluidSource()))
	return true
}

// decorate places a block that is neither log nor leaf.
func (w *work) decorate(p pos, s block.State) { w.put(&w.decorations, p, s) }

// wet gives a state water or takes it, if it can have it.
func wet(s block.State, water bool) block.State {
	value := "false"
	if water {
		value = "true"
	}
	if with, ok := s.With("waterlogged", value); ok {
		return with
	}
	return s
}
