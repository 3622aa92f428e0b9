package surface

import "slices"

// mixed stands for a node that depends on the biome's class.
const mixed int32 = -1

// span is a range of heights of a chunk in which one plan holds.
type span struct {
	low      int // the lowest height; the highest is below the span before
	variants [variants]spanVariant
}

// spanVariant is what is to be done with blocks on one side of the minimum
// surface level.
type spanVariant struct {
	root  int32 // node, or mixed
	deep  int32 // the same out of reach of floors
	first int32 // place of class 0 in the plan
	// floor is how deep a floor test may reach, with addSurface (0 or 1) times
	// the surface depth and a secondary depth of up to that range.
	floor, addSurface, secondary int32
	flat                         bool
}

// divide makes the chunk's spans from its top down, one for each part of a
// section that is in one band.
func (b *Builder) divide() {
	b.spans = b.spans[:0]
	b.landforms = false
	palette, _ := b.biomes.(Palette)
	lowest := b.chunk.MinY
	for section := lowest + b.chunk.Height - 16; section >= lowest; section -= 16 {
		b.classify(palette, section)
		b.divideSection(section)
	}
	b.findFlat()
}

// classify lists the classes that a section may have in b.classes, and finds out
// whether it may have a landform.
func (b *Builder) classify(palette Palette, section int) {
	s := b.system
	b.classes, b.present = b.classes[:0], b.present[:0]
	if palette != nil {
		b.present = palette.Present(section, section+15, b.present)
	}
	if len(b.present) == 0 {
		for class := range s.plan.classes {
			b.classes = append(b.classes, class)
		}
		b.landforms = s.landform
		return
	}
	last := -1
	for _, biome := range b.present {
		if int(biome) == last {
			continue
		}
		last = int(biome)
		b.landforms = b.landforms || s.special[biome] != noLandform
		if class := s.plan.class(biome); !slices.Contains(b.classes, class) {
			b.classes = append(b.classes, class)
		}
	}
}

// divideSection appends the spans of a section.
func (b *Builder) divideSection(section int) {
	plan := &b.system.plan
	for high := section + 15; high >= section; {
		band := plan.band(int32(high))
		low := section
		if band > 0 {
			low = max(low, int(plan.starts[band-1]))
		}
		s := span{low: low}
		for variant := range variants {
			s.variants[variant] = b.spanVariant(plan.root(band, variant))
		}
		b.spans = append(b.spans, s)
		high = low - 1
	}
}

// spanVariant joins what the classes in b.classes make of a band and variant.
func (b *Builder) spanVariant(first int) spanVariant {
	plan := &b.system.plan
	v := spanVariant{root: nothing, deep: nothing, first: int32(first)}
	for i, class := range b.classes {
		root, deep := plan.roots[first+class], plan.deep[first+class]
		f := &b.system.facts[root]
		v.floor, v.secondary = max(v.floor, f.floor), max(v.secondary, f.secondary)
		if f.addSurface {
			v.addSurface = 1
		}
		if i == 0 {
			v.root, v.deep = root, deep
		}
		if v.root != root {
			v.root = mixed
		}
		if v.deep != deep {
			v.deep = mixed
		}
	}
	v.root, v.deep = b.skipDefault(v.root), b.skipDefault(v.deep)
	v.flat = v.root != mixed && b.system.facts[v.root].flat
	return v
}

// skipDefault returns nothing for an end that is the default block.
func (b *Builder) skipDefault(root int32) int32 {
	if root == mixed {
		return mixed
	}
	n := &b.system.nodes[root]
	if n.op == opState && n.state == b.system.settings.DefaultBlock {
		return nothing
	}
	return root
}

// findFlat finds how far up from the bottom the spans below the minimum surface
// level are flat.
func (b *Builder) findFlat() {
	b.flatTo = b.chunk.MinY - 1
	if b.system.kinds[b.system.settings.DefaultBlock] != isSolid {
		return
	}
	for i := len(b.spans) - 1; i >= 0 && b.spans[i].variants[below].flat; i-- {
		b.flatTo = b.chunk.MinY + b.chunk.Height - 1
		if i > 0 {
			b.flatTo = b.spans[i-1].low - 1
		}
	}
}
