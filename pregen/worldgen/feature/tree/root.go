package tree

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// rootPlacer lifts a tree on roots, as those of mangroves.
type rootPlacer struct {
	offset       provider.Int // of the trunk's foot
	roots        feature.Provider
	through      *feature.Blocks // that roots grow through
	muddy        *feature.Blocks // that roots grow into
	muddyRoots   feature.Provider
	width, count int // at most
	skew         float32
	above        feature.Provider // nil for none
	aboveChance  float32
}

// maxRoots bounds the roots of one side.
const maxRoots = 64

func readRoots(l *feature.Loader, v provider.Value) (*rootPlacer, error) {
	id, err := kind(v)
	if err != nil {
		return nil, err
	}
	if id != "minecraft:mangrove_root_placer" {
		return nil, v.Errorf("unknown root placer %s", id)
	}
	p := &rootPlacer{}
	if p.offset, err = l.Int(v, "trunk_offset_y", 0, 256); err != nil {
		return nil, err
	}
	if p.roots, err = l.MemberProvider(v, "root_provider"); err != nil {
		return nil, err
	}
	member, ok, err := v.Optional("above_root_placement")
	if err != nil {
		return nil, err
	}
	if ok {
		if p.above, err = l.MemberProvider(member, "above_root_provider"); err != nil {
			return nil, err
		}
		if p.aboveChance, err = chance(member, "above_root_placement_chance"); err != nil {
			return nil, err
		}
	}
	if member, err = v.Member("mangrove_root_placement"); err != nil {
		return nil, err
	}
	return p, p.read(l, member)
}

func (p *rootPlacer) read(l *feature.Loader, v provider.Value) (err error) {
	if p.through, err = blocksOf(l, v, "can_grow_through"); err != nil {
		return err
	}
	if p.muddy, err = blocksOf(l, v, "muddy_roots_in"); err != nil {
		return err
	}
	if p.muddyRoots, err = l.MemberProvider(v, "muddy_roots_provider"); err != nil {
		return err
	}
	if p.width, err = number(v, "max_root_width", 1, 12); err != nil {
		return err
	}
	if p.count, err = number(v, "max_root_length", 1, maxRoots); err != nil {
		return err
	}
	p.skew, err = chance(v, "random_skew_chance")
	return err
}

// place places the roots below the foot of a trunk, if those of all sides find
// the ground.
func (p *rootPlacer) place(w *work, origin, foot pos) bool {
	for at := origin; at.y < foot.y; at.y++ {
		if !p.grows(w, at) {
			return false
		}
	}
	w.list = append(w.list[:0], foot.up(-1))
	for _, side := range horizontal {
		first := foot.toward(side, 1)
		start := len(w.list)
		if !p.find(w, first, side, foot, start, 0) {
			return false
		}
		w.list = append(w.list, first)
	}
	for _, at := range w.list {
		p.root(w, at)
	}
	return true
}

func (p *rootPlacer) grows(w *work, at pos) bool {
	s := w.Block(at.x, at.y, at.z)
	return w.tree.open(s) || p.through.Has(s)
}

// find lists the roots that follow one, from start on in the list those of the
// side, and reports whether they end in the ground.
func (p *rootPlacer) find(w *work, at pos, side direction, foot pos, start, depth int) bool {
	if depth == p.count || len(w.list)-start > p.count {
		return false
	}
	var next [2]pos
	for i := range p.next(w, at, side, foot, &next) {
		if !p.grows(w, next[i]) {
			continue
		}
		w.list = append(w.list, next[i])
		if !p.find(w, next[i], side, foot, start, depth+1) {
			return false
		}
	}
	return true
}

// next draws where roots go on from one, and returns to how many places.
func (p *rootPlacer) next(w *work, at pos, side direction, foot pos, to *[2]pos) int {
	to[0] = at.up(-1)
	out := at.toward(side, 1)
	switch width := at.apart(foot); {
	case width > p.width-3 && width <= p.width:
		if w.Random.Float() < p.skew {
			to[1] = out.up(-1)
			return 2
		}
	case width > p.width, w.Random.Float() < p.skew:
	case w.Random.Bool():
		to[0] = out
	}
	return 1
}

// root places a root, and by chance what lies on it.
func (p *rootPlacer) root(w *work, at pos) {
	before := w.Block(at.x, at.y, at.z)
	if p.muddy.Has(before) {
		w.put(&w.roots, at, p.soaked(w, at, stateFor(w.Context, p.muddyRoots, at)))
		return
	}
	if !p.grows(w, at) {
		return
	}
	w.put(&w.roots, at, p.soaked(w, at, stateFor(w.Context, p.roots, at)))
	if p.above == nil {
		return
	}
	if on := at.up(1); w.Random.Float() < p.aboveChance && isAir(w.Context, on) {
		w.put(&w.roots, on, p.soaked(w, on, stateFor(w.Context, p.above, on)))
	}
}

// soaked gives a state the water of its place.
func (p *rootPlacer) soaked(w *work, at pos, s block.State) block.State {
	return wet(s, w.Block(at.x, at.y, at.z).Fluid() == block.WaterFluid)
}
