package jigsaw

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// builder is what an element is built with.
type builder struct {
	processors []template.Processor
	ignores    bool // override_liquid_settings is ignore_waterlogging
	overrides  bool
	feature    *feature.Placed // nil where features are not read
}

// newBuilder reads what an element is built with.
func (p *pools) newBuilder(e *element, v provider.Value) (*builder, error) {
	b := &builder{}
	switch e.kind {
	case featureKind:
		if p.loader.Features == nil {
			return b, nil
		}
		member, err := v.Member("feature")
		if err != nil {
			return nil, err
		}
		b.feature, err = p.loader.Features.Placed(member)
		return b, err
	case singleKind, legacyKind:
		if member, ok, err := v.Optional("override_liquid_settings"); err != nil {
			return nil, err
		} else if ok {
			keeps, err := readLiquids(member)
			if err != nil {
				return nil, err
			}
			b.ignores, b.overrides = !keeps, true
		}
		return b, b.readProcessors(p, e, v)
	}
	return b, nil
}

// readProcessors reads the processors of a template and adds those that all
// have.
func (b *builder) readProcessors(p *pools, e *element, v provider.Value) error {
	member, err := v.Member("processors")
	if err != nil {
		return err
	}
	list, err := template.Processors(p.blocks, member)
	if err != nil {
		return err
	}
	if e.kind == singleKind {
		b.processors = append(b.processors, template.IgnoreStructureBlocks)
	}
	b.processors = append(b.processors, template.Jigsaws())
	b.processors = append(b.processors, list...)
	if e.matching {
		b.processors = append(b.processors, template.Gravity(chunk.WorldSurfaceWG, -1))
	}
	if e.kind == legacyKind {
		b.processors = append(b.processors, template.IgnoreBoth)
	}
	return nil
}

// Place implements structure.Piece.
func (p *piece) Place(to *structure.Placer) { p.element.place(to, p) }

// Steady implements structure.Steady.
func (p *piece) Steady() {}

// TemplateIDs implements structure.Templated.
func (p *piece) TemplateIDs() []string { return p.element.templates(nil) }

func (e *element) templates(to []string) []string {
	for _, part := range e.elements {
		to = part.templates(to)
	}
	if e.kind == singleKind || e.kind == legacyKind {
		to = append(to, e.location)
	}
	return to
}

// place builds an element where a piece is, and reports whether the elements of
// a list that come after it are built too.
func (e *element) place(to *structure.Placer, p *piece) bool {
	switch e.kind {
	case featureKind:
		return e.builder.feature == nil || e.builder.feature.Place(to.Context, int(p.x), int(p.y), int(p.z))
	case listKind:
		for _, part := range e.elements {
			if !part.place(to, p) {
				return false
			}
		}
		return true
	case emptyKind:
		return true
	}
	t := to.Template(e.location)
	if t == nil {
		return false
	}
	dry := !p.keepsWater
	if e.builder.overrides {
		dry = e.builder.ignores
	}
	return t.Place(to.Context, p.x, p.y, p.z, to.PivotX, to.PivotY, to.PivotZ, &template.Settings{
		Mirror: block.NoMirror, Rotation: p.rotation, Box: to.Box, Processors: e.builder.processors,
		IgnoreWater: dry, KnownShape: true,
	}, to.Random)
}
