package jigsaw

import (
	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// kind is what an element of a pool is.
type kind uint8

const (
	emptyKind   kind = iota
	singleKind       // a template
	legacyKind       // a template whose air is left out
	featureKind      // a placed feature
	listKind         // several elements in one place
)

var kinds = map[string]kind{
	"minecraft:empty_pool_element": emptyKind, "minecraft:single_pool_element": singleKind,
	"minecraft:legacy_single_pool_element": legacyKind, "minecraft:feature_pool_element": featureKind,
	"minecraft:list_pool_element": listKind,
}

// element is an element of a pool. It does not change.
type element struct {
	kind     kind
	matching bool // projection terrain_matching: follows the ground, else rigid
	location string
	shape    *template.Shape
	elements []*element // of a list
	saved    nbt.Compound
	builder  *builder
}

// maxElements bounds the elements of a pool and of a list.
const maxElements = 1 << 12

// noShape is that of a template that does not exist.
var noShape = new(template.Shape)

// featureShape is how an element that is a feature joins.
var featureShape = &template.Shape{Connectors: []template.Connector{{
	Front: block.Down, Top: block.South, Rollable: true, Name: "minecraft:bottom",
	Target: "minecraft:empty", Pool: "minecraft:empty", FinalState: "minecraft:air",
}}}

// element reads an element of a pool.
func (p *pools) element(v provider.Value, depth int) (*element, error) {
	if depth > maxNesting {
		return nil, v.Errorf("nested deeper than %d", maxNesting)
	}
	member, err := v.Member("element_type")
	if err != nil {
		return nil, err
	}
	id, err := member.ID()
	if err != nil {
		return nil, err
	}
	kind, ok := kinds[id]
	if !ok {
		return nil, member.Errorf("unknown pool element %s", id)
	}
	e := &element{kind: kind}
	if kind != emptyKind {
		if e.matching, err = readProjection(v); err != nil {
			return nil, err
		}
	}
	switch kind {
	case singleKind, legacyKind:
		member, err := v.Member("location")
		if err != nil {
			return nil, err
		}
		if e.location, err = member.ID(); err != nil {
			return nil, err
		}
		if e.shape, ok = p.templates.Shape(e.location); !ok {
			e.shape = noShape
		}
	case featureKind:
		e.shape = featureShape
	case listKind:
		if err := p.list(e, v, depth); err != nil {
			return nil, err
		}
	}
	e.saved = saveElement(id, e, v)
	e.builder, err = p.newBuilder(e, v)
	return e, err
}

func (p *pools) list(e *element, v provider.Value, depth int) error {
	member, err := v.Member("elements")
	if err != nil {
		return err
	}
	list, ok := member.List()
	if !ok || len(list) == 0 || len(list) > maxElements {
		return member.Errorf("not a list of 1 to %d", maxElements)
	}
	for _, part := range list {
		inner, err := p.element(part, depth+1)
		if err != nil {
			return err
		}
		if inner.kind != emptyKind {
			inner.matching = e.matching
			e.elements = append(e.elements, inner)
		}
	}
	if len(e.elements) == 0 {
		return member.Errorf("has only empty elements")
	}
	return nil
}

func readProjection(v provider.Value) (matching bool, err error) {
	member, err := v.Member("projection")
	if err != nil {
		return false, err
	}
	text, err := member.Text()
	switch {
	case err != nil:
		return false, err
	case text == "rigid":
		return false, nil
	case text == "terrain_matching":
		return true, nil
	}
	return false, member.Errorf("unknown projection %q", text)
}

// box is the element's box at a place.
func (e *element) box(x, y, z int32, r block.Rotation) structure.Box {
	switch e.kind {
	case featureKind:
		return structure.NewBox(x, y, z, x, y, z)
	case listKind:
		box := e.elements[0].box(x, y, z, r)
		for _, part := range e.elements[1:] {
			box = box.With(part.box(x, y, z, r))
		}
		return box
	}
	return e.shape.Box(x, y, z, block.NoMirror, r, 0, 0)
}

// connectors returns the element's connectors in an order that is drawn. They
// are in dst.
func (e *element) connectors(dst []template.Connector, x, y, z int32, r block.Rotation, random *rng.Worldgen) []template.Connector {
	switch e.kind {
	case emptyKind:
		return dst[:0]
	case featureKind:
		dst = append(dst[:0], featureShape.Connectors[0])
		dst[0].X, dst[0].Y, dst[0].Z = x, y, z
		return dst
	case listKind:
		return e.elements[0].connectors(dst, x, y, z, r, random)
	}
	dst = turned(dst, e.shape.Connectors, x, y, z, r)
	shuffle(dst, random)
	bySelection(dst)
	return dst
}

// groundDelta is how far above an element's lowest layer the ground is.
const groundDelta = 1
