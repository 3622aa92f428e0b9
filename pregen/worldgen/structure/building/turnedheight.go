package building

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// Place implements structure.Piece. The place of the template stays where it was
// laid out; only the box is that of the blocks.
func (i *iglooPiece) Place(p *structure.Placer) {
	laidOut := i.at
	defer func() { i.at = laidOut }()
	// The column of the top's entrance, whichever part this is.
	entrance := i.at.plus(i.apply(spot{3 - i.part.offset.x, 0, -i.part.offset.z}))
	ground := int32(p.Height(chunk.WorldSurfaceWG, int(entrance.x), int(entrance.z)))
	i.at = i.at.up(ground - startHeight - 1)
	i.build(p, template.Settings{Box: p.Box, Processors: keepAir, IgnoreWater: true}, func(m marker) { i.mark(p, m) })
	if i.part == iglooTop {
		hatch := i.at.plus(i.apply(spot{3, 0, 5}))
		if below := p.BlockAt(hatch.x, hatch.y-1, hatch.z); !below.Air() && below.Block() != block.Ladder {
			p.SetBlock(hatch.x, hatch.y, hatch.z, block.SnowBlock.Default())
		}
	}
}

// Place implements structure.Piece.
func (s *shipwreckPiece) Place(p *structure.Placer) {
	if !s.settled {
		s.settle(p)
	}
	s.build(p, template.Settings{Box: p.Box, Processors: dropAir}, func(m marker) { s.mark(p, m) })
}

// settle lays the wreck on the ground below the template as it is before it is
// turned: on the average of its heights, or, on a beach, into the lowest.
func (s *shipwreckPiece) settle(p *structure.Placer) {
	from := p.Template(s.name)
	if from == nil {
		return
	}
	kind := chunk.OceanFloorWG
	if s.beached {
		kind = chunk.WorldSurfaceWG
	}
	total, lowest := 0, p.Top()
	for x := range from.SizeX {
		for z := range from.SizeZ {
			h := p.Height(kind, int(s.at.x+x), int(s.at.z+z))
			total += h
			lowest = min(lowest, h)
		}
	}
	switch area := int(from.SizeX * from.SizeZ); {
	case s.beached:
		s.at.y = int32(lowest) - from.SizeY/2 - p.Random.IntN(3)
	case area > 0:
		s.at.y = int32(total / area)
	default:
		s.at.y = int32(p.Height(kind, int(s.at.x), int(s.at.z)))
	}
	s.settled = true
}

// The blocks of ocean ruins that have something in them, and what.
var (
	warmRuinSand = suspiciousRule(block.Sand, block.SuspiciousSand, "minecraft:archaeology/ocean_ruin_warm")
	coldRuinSand = suspiciousRule(block.Gravel, block.SuspiciousGravel, "minecraft:archaeology/ocean_ruin_cold")
)

func suspiciousRule(from, to block.ID, loot string) template.Processor {
	return template.Capped(template.Rules(template.Rule{
		Input: template.Match(from), Location: template.Always, Output: to.Default(), Entity: template.Modifier{Loot: loot},
	}), provider.ConstantInt(5))
}

// Place implements structure.Piece.
func (o *oceanRuinPiece) Place(p *structure.Placer) {
	from := p.Template(o.name)
	if from == nil {
		return
	}
	o.at.y = int32(p.Height(chunk.OceanFloorWG, int(o.at.x), int(o.at.z)))
	end := o.apply(spot{from.SizeX - 1, 0, from.SizeZ - 1}).plus(o.at)
	o.at.y = ruinHeight(p, o.at, end)
	sand := coldRuinSand
	if o.warm {
		sand = warmRuinSand
	}
	o.build(p, template.Settings{Box: p.Box, Processors: []template.Processor{
		template.Rot(o.integrity, nil), template.IgnoreBoth, sand,
	}}, func(m marker) { o.mark(p, m) })
}

// ruinHeight is the y of a ruin between two corners: that of the ground, or of
// the lowest place if most of the ground falls away.
func ruinHeight(p *structure.Placer, at, end spot) int32 {
	lowest, falling := int32(512), int32(0)
	for x := min(at.x, end.x); x <= max(at.x, end.x); x++ {
		for z := min(at.z, end.z); z <= max(at.z, end.z); z++ {
			y := at.y - 1
			for int(y) > p.MinY()+1 {
				if s := p.BlockAt(x, y, z); !s.Air() && s.Fluid() != block.WaterFluid && s.Block() != block.Ice {
					break
				}
				y--
			}
			lowest = min(lowest, y)
			if y < at.y-1-2 {
				falling++
			}
		}
	}
	if at.y-1-lowest > 2 && falling > abs(at.x-end.x)-2 {
		return lowest + 1
	}
	return at.y
}

// Place implements structure.Piece. All of a portal is built with the chunk that
// its middle is in.
func (t *portalPiece) Place(p *structure.Placer) {
	from := p.Template(t.name)
	if from == nil {
		return
	}
	if pivot := (spot{from.SizeX / 2, 0, from.SizeZ / 2}); pivot != t.pivot {
		t.pivot = pivot // as it is not stored
	}
	var s template.Settings
	t.pose(&s)
	box := s.BoxAt(&from.Shape, t.at.x, t.at.y, t.at.z)
	if !p.Inside(box.Center()) {
		return
	}
	kept := keptBlocks(p.Start)
	s.Box = p.Box.With(box)
	s.Processors = t.processors(kept)
	t.build(p, s, nil)
	(&surroundings{p: p, portal: t, kept: kept, box: t.Box}).build()
}

// keptBlocks are the blocks that no portal replaces; none if the start is not
// of a layout of portals.
func keptBlocks(s *structure.Start) *feature.Blocks {
	if l, ok := s.Layout.(*portalLayout); ok {
		return l.kept
	}
	return &feature.Blocks{}
}

// processors are what the years did to the portal.
func (t *portalPiece) processors(kept *feature.Blocks) []template.Processor {
	replace := func(from, to block.ID, chance float32) template.Rule {
		r := template.Rule{Input: template.Match(from), Location: template.Always, Output: to.Default()}
		if chance < 1 {
			r.Input = template.MatchAtRandom(from, chance)
		}
		return r
	}
	rules := []template.Rule{replace(block.GoldBlock, block.Air, 0.3)}
	switch {
	case t.setup.placement == onOceanFloor:
		rules = append(rules, replace(block.Lava, block.MagmaBlock, 1))
	case t.cold:
		rules = append(rules, replace(block.Lava, block.Netherrack, 1))
	default:
		rules = append(rules, replace(block.Lava, block.MagmaBlock, 0.2))
	}
	if !t.cold {
		rules = append(rules, replace(block.Netherrack, block.MagmaBlock, 0.07))
	}
	list := []template.Processor{template.IgnoreBoth}
	if t.airPocket {
		list[0] = template.IgnoreStructureBlocks
	}
	list = append(list, template.Rules(rules...), template.Age(t.setup.mossiness), template.Protect(kept), template.Submerged())
	if t.setup.blackstone {
		list = append(list, template.Blacken())
	}
	return list
}
