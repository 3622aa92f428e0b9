package tree

import (
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// foliageKind is how a crown grows.
type foliageKind uint8

const (
	blob foliageKind = iota
	fancyBlob
	bush
	acacia
	spruce
	pine
	megaPine
	jungle
	darkOakCrown
	randomSpread
	cherryCrown
)

var foliageKinds = map[string]foliageKind{
	"minecraft:blob_foliage_placer":          blob,
	"minecraft:fancy_foliage_placer":         fancyBlob,
	"minecraft:bush_foliage_placer":          bush,
	"minecraft:acacia_foliage_placer":        acacia,
	"minecraft:spruce_foliage_placer":        spruce,
	"minecraft:pine_foliage_placer":          pine,
	"minecraft:mega_pine_foliage_placer":     megaPine,
	"minecraft:jungle_foliage_placer":        jungle,
	"minecraft:dark_oak_foliage_placer":      darkOakCrown,
	"minecraft:random_spread_foliage_placer": randomSpread,
	"minecraft:cherry_foliage_placer":        cherryCrown,
}

// foliage places the leaves of crowns. It is one type for all kinds, since a
// crown asks for each leaf whether to skip it.
type foliage struct {
	kind           foliageKind
	radius, offset provider.Int
	depth          provider.Int // or what a kind calls it: height, crown height, bare trunk
	attempts       int          // of leaves, random spread

	// Of cherries.
	lowHole, cornerHole, hanging, hangingOn float32
}

// depths are the names of the depth and the bounds on it, by kind.
var depths = [...]struct {
	name      string
	low, high int32
}{
	blob: {"height", 0, 16}, fancyBlob: {"height", 0, 16}, bush: {"height", 0, 16}, jungle: {"height", 0, 16},
	spruce: {"trunk_height", 0, 24}, pine: {"height", 0, 24}, megaPine: {"crown_height", 0, 24},
	randomSpread: {"foliage_height", 1, 512}, cherryCrown: {"height", 4, 16},
}

func readFoliage(v provider.Value) (f foliage, err error) {
	id, err := kind(v)
	if err != nil {
		return f, err
	}
	known, ok := foliageKinds[id]
	if !ok {
		return f, v.Errorf("unknown foliage placer %s", id)
	}
	f.kind = known
	for name, to := range map[string]*provider.Int{"radius": &f.radius, "offset": &f.offset} {
		member, err := v.Member(name)
		if err != nil {
			return f, err
		}
		if *to, err = provider.ParseInt(member, 0, 16); err != nil {
			return f, err
		}
	}
	if d := depths[f.kind]; d.name != "" {
		member, err := v.Member(d.name)
		if err != nil {
			return f, err
		}
		if f.depth, err = provider.ParseInt(member, d.low, d.high); err != nil {
			return f, err
		}
	}
	switch f.kind {
	case randomSpread:
		f.attempts, err = number(v, "leaf_placement_attempts", 0, 256)
		if f.radius.Min() < 1 {
			return f, v.Errorf("leaves cannot spread in no space")
		}
	case cherryCrown:
		err = chances(v, map[string]*float32{
			"wide_bottom_layer_hole_chance": &f.lowHole, "corner_hole_chance": &f.cornerHole,
			"hanging_leaves_chance": &f.hanging, "hanging_leaves_extension_chance": &f.hangingOn,
		})
	}
	return f, err
}

// crownHeight draws how high crowns are.
func (f *foliage) crownHeight(r *rng.Worldgen, height int) int {
	switch f.kind {
	case acacia:
		return 0
	case darkOakCrown:
		return 4
	case spruce:
		return max(4, height-int(f.depth.Sample(r)))
	}
	return int(f.depth.Sample(r))
}

// crownRadius draws how wide crowns are. trunk is the height of the trunk below.
func (f *foliage) crownRadius(r *rng.Worldgen, trunk int) int {
	radius := int(f.radius.Sample(r))
	if f.kind == pine {
		radius += draw(r, max(trunk+1, 1))
	}
	return radius
}

// skips reports whether a place of a layer stays free. x and z are how far it is
// from the trunk, y how far above the crown's place.
func (f *foliage) skips(r *rng.Worldgen, x, y, z, radius int, large bool) bool {
	corner := x == radius && z == radius
	switch f.kind {
	case blob:
		return corner && (r.IntN(2) == 0 || y == 0)
	case fancyBlob:
		dx, dz := float32(x)+0.5, float32(z)+0.5
		return float32(dx*dx)+float32(dz*dz) > float32(radius*radius)
	case bush:
		return corner && r.IntN(2) == 0
	case acacia:
		if y == 0 {
			return (x > 1 || z > 1) && x != 0 && z != 0
		}
		return corner && radius > 0
	case spruce, pine:
		return corner && radius > 0
	case megaPine, jungle:
		return x+z >= 7 || x*x+z*z > radius*radius
	case darkOakCrown:
		if y == -1 && !large {
			return corner
		}
		return y == 1 && x+z > 2*radius-2
	case cherryCrown:
		if y == -1 && (x == radius || z == radius) && r.Float() < f.lowHole {
			return true
		}
		if radius > 2 {
			return corner || x+z > 2*radius-2 && r.Float() < f.cornerHole
		}
		return corner && r.Float() < f.cornerHole
	}
	return false
}

// skipsAt is skips for a place told from the trunk, the north-western log of a
// large one.
func (f *foliage) skipsAt(r *rng.Worldgen, x, y, z, radius int, large bool) bool {
	if large && f.kind == darkOakCrown && y == 0 && (x == -radius || x >= radius) && (z == -radius || z >= radius) {
		return true
	}
	if large {
		return f.skips(r, min(abs(x), abs(x-1)), y, min(abs(z), abs(z-1)), radius, large)
	}
	return f.skips(r, abs(x), y, abs(z), radius, large)
}

// layer places a layer of leaves y above a place.
func (f *foliage) layer(w *work, center pos, radius, y int, large bool) {
	end := radius
	if large {
		end++
	}
	for x := -radius; x <= end; x++ {
		for z := -radius; z <= end; z++ {
			if !f.skipsAt(w.Random, x, y, z, radius, large) {
				w.leaf(center.offset(x, y, z))
			}
		}
	}
}
