package surface

import (
	"slices"

	"strata/pregen/worldgen/proto"
)

// variant says whether a block is above the minimum surface level.
const (
	below = iota
	aboveSurface
	variants
)

// plan is a graph specialised for what is known before a block is looked at.
type plan struct {
	// starts are the lowest heights of the bands but the first, ascending.
	starts  []int32
	classOf []uint16 // of each biome
	classes int
	told    bool // whether biomes of one class are in the same sets
	// roots and deep are by band, variant and class. The deep ones are for
	// blocks out of every floor test's reach.
	roots, deep []int32
}

// plan specialises the graph of a rule.
func (c *compiler) plan(root int32) plan {
	p := plan{starts: c.breaks()}
	c.classify(&p)
	byClass := make([]map[int32]int32, p.classes)
	sample := make([]int, p.classes)
	for biome, class := range slices.Backward(p.classOf) {
		sample[class] = biome
	}
	for i := range byClass {
		byClass[i] = make(map[int32]int32)
	}
	away := make(map[int32]int32)
	for band := range len(p.starts) + 1 {
		for variant := range variants {
			left := c.graph.reduce(root, c.inBand(&p, band, variant == aboveSurface), make(map[int32]int32))
			for class := range p.classes {
				at := c.graph.reduce(left, c.inClass(&p, sample[class]), byClass[class])
				p.roots = append(p.roots, at)
				p.deep = append(p.deep, c.graph.reduce(at, outOfReach, away))
			}
		}
	}
	return p
}

// outOfReach knows that no floor is near.
func outOfReach(n node) decided {
	if n.op == opFloor {
		return isFalse
	}
	return open
}

// inClass knows the sets that a biome is in, if classes tell them apart.
func (c *compiler) inClass(p *plan, biome int) func(n node) decided {
	return func(n node) decided {
		if n.op != opBiome || !p.told {
			return open
		}
		return known(c.sets[c.tests[n.test].ref][biome])
	}
}

// classify puts biomes that are in the same sets into one class. If there are
// too many, there is one class that tells nothing.
func (c *compiler) classify(p *plan) {
	type half struct {
		class  uint16
		member bool
	}
	p.classOf, p.classes, p.told = make([]uint16, len(c.settings.Biomes)), 1, true
	for _, set := range c.sets {
		number := make(map[half]uint16)
		for biome, member := range set {
			key := half{p.classOf[biome], member}
			class, ok := number[key]
			if !ok {
				class = uint16(len(number))
				number[key] = class
			}
			p.classOf[biome] = class
		}
		if p.classes = len(number); p.classes > c.graph.classes {
			clear(p.classOf)
			p.classes, p.told = 1, false
			return
		}
	}
}

// inBand knows what height decides in a band.
func (c *compiler) inBand(p *plan, band int, above bool) func(n node) decided {
	low, high := int64(-1<<40), int64(1<<40)
	if band > 0 {
		low = int64(p.starts[band-1])
	}
	if band < len(p.starts) {
		high = int64(p.starts[band]) - 1
	}
	return func(n node) decided {
		switch n.op {
		case opAboveSurface:
			return known(above)
		case opAboveY:
			t := &c.tests[n.test]
			if !t.fixedHeight() || low < int64(t.offset) && high >= int64(t.offset) {
				return open
			}
			return known(low >= int64(t.offset))
		case opGradient:
			g := &c.gradients[c.tests[n.test].ref]
			if high <= int64(g.from) {
				return isTrue
			}
			if low > int64(g.from) && low >= int64(g.to) {
				return isFalse
			}
		}
		return open
	}
}

// breaks returns the heights at which what height decides changes.
func (c *compiler) breaks() []int32 {
	var list []int32
	for i := range c.tests {
		t := &c.tests[i]
		if t.fixedHeight() {
			list = append(list, t.offset)
		}
	}
	for i := range c.gradients {
		g := &c.gradients[i]
		list = append(list, g.from+1, max(g.to, g.from+1))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), c.graph.bands-1)]
}

// band returns the band of a height.
func (p *plan) band(y int32) int {
	band := 0
	for band < len(p.starts) && y >= p.starts[band] {
		band++
	}
	return band
}

// class returns the class of a biome.
func (p *plan) class(biome proto.Biome) int { return int(p.classOf[biome]) }

// root returns the place in roots and deep of class 0.
func (p *plan) root(band, variant int) int { return (band*variants + variant) * p.classes }
