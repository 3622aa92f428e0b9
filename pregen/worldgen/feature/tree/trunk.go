package tree

import (
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// trunkPlacer places the trunk of a tree, and attaches crowns to it.
type trunkPlacer interface {
	height(r *rng.Worldgen) int
	place(w *work, height int, foot pos)
}

// heights are how high a trunk grows.
type heights struct{ base, first, second int }

func (h heights) height(r *rng.Worldgen) int {
	return h.base + draw(r, h.first+1) + draw(r, h.second+1)
}

func readHeights(v provider.Value) (h heights, err error) {
	if h.base, err = number(v, "base_height", 0, 32); err != nil {
		return h, err
	}
	if h.first, err = number(v, "height_rand_a", 0, 24); err != nil {
		return h, err
	}
	h.second, err = number(v, "height_rand_b", 0, 24)
	return h, err
}

// readTrunk reads a trunk placer, and what the trunk grows through.
func readTrunk(l *feature.Loader, v provider.Value) (trunkPlacer, *feature.Blocks, error) {
	id, err := kind(v)
	if err != nil {
		return nil, nil, err
	}
	h, err := readHeights(v)
	if err != nil {
		return nil, nil, err
	}
	var placer trunkPlacer
	switch id {
	case "minecraft:straight_trunk_placer":
		placer = straight{h}
	case "minecraft:forking_trunk_placer":
		placer = forking{h}
	case "minecraft:giant_trunk_placer":
		placer = giant{h}
	case "minecraft:mega_jungle_trunk_placer":
		placer = megaJungle{giant{h}}
	case "minecraft:dark_oak_trunk_placer":
		placer = darkOak{h}
	case "minecraft:fancy_trunk_placer":
		placer = fancy{h}
	case "minecraft:bending_trunk_placer":
		placer, err = readBending(l, v, h)
	case "minecraft:upwards_branching_trunk_placer":
		return readBranching(l, v, h)
	case "minecraft:cherry_trunk_placer":
		placer, err = readCherry(l, v, h)
	default:
		return nil, nil, v.Errorf("unknown trunk placer %s", id)
	}
	return placer, nil, err
}

type (
	straight   struct{ heights }
	forking    struct{ heights }
	giant      struct{ heights }
	megaJungle struct{ giant }
	darkOak    struct{ heights }
)

func (straight) place(w *work, height int, foot pos) {
	w.ground(foot.up(-1))
	for i := range height {
		w.log(foot.up(i))
	}
	w.attach(foot.up(height), 0, false)
}

// place bends the trunk of an acacia to one side, and lets a second one fork
// off to another.
func (forking) place(w *work, height int, foot pos) {
	r := w.Random
	w.ground(foot.up(-1))
	side := drawSide(r)
	bend := height - draw(r, 4) - 1
	out := 3 - draw(r, 3)
	p := foot
	top, grown := 0, false
	for i := range height {
		if i >= bend && out > 0 {
			p = p.toward(side, 1)
			out--
		}
		p.y = foot.y + i
		if w.log(p) {
			top, grown = p.y+1, true
		}
	}
	if grown {
		w.attach(pos{p.x, top, p.z}, 1, false)
	}
	other := drawSide(r)
	if other == side {
		return
	}
	from := bend - draw(r, 2) - 1
	out = 1 + draw(r, 3)
	p, grown = foot, false
	for i := from; i < height && out > 0; i, out = i+1, out-1 {
		if i < 1 {
			continue
		}
		p = p.toward(other, 1)
		p.y = foot.y + i
		if w.log(p) {
			top, grown = p.y+1, true
		}
	}
	if grown {
		w.attach(pos{p.x, top, p.z}, 0, false)
	}
}

func (giant) place(w *work, height int, foot pos) {
	w.grounds(foot.up(-1))
	for i := range height {
		w.logIfFree(foot.offset(0, i, 0))
		if i < height-1 {
			w.logIfFree(foot.offset(1, i, 0))
			w.logIfFree(foot.offset(1, i, 1))
			w.logIfFree(foot.offset(0, i, 1))
		}
	}
	w.attach(foot.up(height), 0, true)
}

func (w *work) logIfFree(p pos) {
	if w.tree.free(at(w.Context, p)) {
		w.log(p)
	}
}

// turn is a whole turn in radians, in single precision as the game has it.
const turn = float32(6.2831855)

// place has branches in any direction over the upper half, beside the trunk of a
// giant.
func (t megaJungle) place(w *work, height int, foot pos) {
	r := w.Random
	t.giant.place(w, height, foot)
	for y := height - 2 - draw(r, 4); y > height/2; y -= 2 + draw(r, 4) {
		cos, sin := cosSin(r.Float() * turn)
		var x, z int
		for i := range 5 {
			x = int(1.5 + float32(cos*float32(i)))
			z = int(1.5 + float32(sin*float32(i)))
			w.log(foot.offset(x, y-3+i/2, z))
		}
		w.attach(foot.offset(x, y, z), -2, false)
	}
}

// place leans the upper part of the trunk to a side, and hangs short logs around
// its top.
func (darkOak) place(w *work, height int, foot pos) {
	r := w.Random
	w.grounds(foot.up(-1))
	side := drawSide(r)
	bend := height - draw(r, 4)
	out := 2 - draw(r, 3)
	p := foot
	for i := range height {
		if i >= bend && out > 0 {
			p = p.toward(side, 1)
			out--
		}
		p.y = foot.y + i
		if s := at(w.Context, p); s.Air() || s.Leaves() {
			w.log(p)
			w.log(p.offset(1, 0, 0))
			w.log(p.offset(0, 0, 1))
			w.log(p.offset(1, 0, 1))
		}
	}
	top := foot.y + height - 1
	w.attach(pos{p.x, top, p.z}, 0, true)
	for x := -1; x <= 2; x++ {
		for z := -1; z <= 2; z++ {
			if x >= 0 && x <= 1 && z >= 0 && z <= 1 || r.IntN(3) > 0 {
				continue
			}
			for i := range draw(r, 3) + 2 {
				w.log(pos{foot.x + x, top - i - 1, foot.z + z})
			}
			w.attach(pos{foot.x + x, top, foot.z + z}, 0, false)
		}
	}
}
