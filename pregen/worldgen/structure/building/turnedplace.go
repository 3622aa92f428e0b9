package building

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// build sets the template down as settings say, with the piece's own posture,
// and moves the piece's box to where it stands. mark is called for the markers
// in the box of the settings, when all blocks are there.
func (t *turned) build(p *structure.Placer, s template.Settings, mark func(m marker)) {
	from := p.Template(t.name)
	if from == nil {
		return
	}
	t.pose(&s)
	// Pieces of structures that meet many chunks must not change, and do not:
	// they stand where they were laid out.
	if box := s.BoxAt(&from.Shape, t.at.x, t.at.y, t.at.z); box != t.Box {
		t.Box = box
	}
	if !from.Place(p.Context, t.at.x, t.at.y, t.at.z, p.PivotX, p.PivotY, p.PivotZ, &s, p.Random) {
		return
	}
	if mark != nil {
		t.marked(from, &s, block.StructureBlock, func(b *template.Block, at spot) {
			mode, _ := b.NBT.Get("mode")
			name, _ := b.NBT.Get("metadata")
			if text, ok := name.(string); ok && mode == "DATA" {
				mark(marker{text, at})
			}
		})
	}
	t.marked(from, &s, block.Jigsaw, func(b *template.Block, at spot) {
		if b.NBT != nil {
			p.Set(int(at.x), int(at.y), int(at.z), template.FinalState(b.NBT))
		}
	})
}

// pose gives settings the posture of the piece.
func (t *turned) pose(s *template.Settings) {
	s.Mirror, s.Rotation, s.PivotX, s.PivotZ = t.mirror, t.rotation, t.pivot.x, t.pivot.z
}

// marked calls f for the blocks of a kind that a template has in the box of the
// settings.
func (t *turned) marked(from *template.Template, s *template.Settings, id block.ID, f func(b *template.Block, at spot)) {
	palette := from.Palette(s, t.at.x, t.at.y, t.at.z)
	for i := range from.Blocks {
		b := &from.Blocks[i]
		if palette[b.State].Block() != id {
			continue
		}
		if at := t.apply(spot{b.X, b.Y, b.Z}).plus(t.at); s.Box.Contains(at.x, at.y, at.z) {
			f(b, at)
		}
	}
}

// The processors that drop what is not to be set.
var (
	keepAir = []template.Processor{template.IgnoreStructureBlocks}
	dropAir = []template.Processor{template.IgnoreBoth}
)

// Steady implements structure.Steady.
func (c *cityPiece) Steady() {}

// Steady implements structure.Steady.
func (m *mansionPiece) Steady() {}

// Steady implements structure.Steady.
func (t *portalPiece) Steady() {}

// Place implements structure.Piece.
func (c *cityPiece) Place(p *structure.Placer) {
	s := template.Settings{Box: p.Box, Processors: dropAir, IgnoreEntities: true}
	if c.whole {
		s.Processors = keepAir
	}
	c.build(p, s, func(m marker) { c.mark(p, m) })
}

// Place implements structure.Piece.
func (m *mansionPiece) Place(p *structure.Placer) {
	random := regionRandom(p)
	s := template.Settings{Box: p.Box, Processors: keepAir, IgnoreEntities: true}
	m.build(p, s, func(k marker) { m.mark(p, k, &random) })
}

// Finish implements structure.Finisher: it fills what is below a mansion with
// cobblestone.
func (mansionLayout) Finish(p *structure.Placer) {
	all := p.Start.PiecesBox()
	for x := p.Box.MinX; x <= p.Box.MaxX; x++ {
		for z := p.Box.MinZ; z <= p.Box.MaxZ; z++ {
			if all.Contains(x, all.MinY, z) && !p.BlockAt(x, all.MinY, z).Air() && inPiece(p.Start, x, all.MinY, z) {
				found(p, x, all.MinY-1, z)
			}
		}
	}
}

func inPiece(s *structure.Start, x, y, z int32) bool {
	for _, piece := range s.Pieces {
		if piece.Common().Box.Contains(x, y, z) {
			return true
		}
	}
	return false
}

// found fills a column down to the ground with cobblestone.
func found(p *structure.Placer, x, y, z int32) {
	for ; int(y) > p.MinY(); y-- {
		if s := p.BlockAt(x, y, z); !s.Air() && s.Block() != block.Water && s.Block() != block.Lava {
			return
		}
		p.SetBlock(x, y, z, block.Cobblestone.Default())
	}
}
