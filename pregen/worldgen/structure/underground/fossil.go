package underground

import (
	"strconv"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// fossil is the structure type nether_fossil.
type fossil struct{ height provider.Height }

func newFossil(_ *structure.Loader, document provider.Value) (structure.Layout, error) {
	member, err := document.Member("height")
	if err != nil {
		return nil, err
	}
	height, err := provider.ParseHeight(member)
	if err != nil {
		return nil, err
	}
	return fossil{height}, nil
}

const (
	fossilID     = "minecraft:nefos"
	fossilKinds  = 14
	fossilPrefix = "minecraft:nether_fossils/fossil_"
)

// Find implements structure.Layout: a fossil lies on the first ground under a
// drawn height that has air above, above the lava.
func (f fossil) Find(l *structure.Layouter) (structure.Point, bool) {
	minX, minZ := l.MinBlock()
	x := minX + l.Random.IntN(16)
	z := minZ + l.Random.IntN(16)
	y := f.height.Sample(l.Random, l.Span)
	column := l.Column(x, z)
	at := func(y int32) block.State {
		if i := y - l.MinY; i >= 0 && int(i) < len(column) {
			return column[i]
		}
		return 0
	}
	for y > l.SeaLevel {
		above := at(y)
		y--
		below := at(y)
		if above.Air() && (below.Block() == block.SoulSand || feature.Sturdy(below, block.Up)) {
			break
		}
	}
	if y <= l.SeaLevel {
		return structure.Point{}, false
	}
	return structure.Point{X: x, Y: y, Z: z, Pieces: func(l *structure.Layouter) []structure.Piece {
		b := &bones{x: x, y: y, z: z, turn: block.Rotation(l.Random.IntN(4))}
		b.template = fossilPrefix + strconv.Itoa(int(l.Random.IntN(fossilKinds))+1)
		shape, ok := l.Templates.Shape(b.template)
		if !ok {
			return nil
		}
		b.Base = structure.Base{
			ID: fossilID, Facing: structure.FacesNorth,
			Box: shape.Box(x, y, z, block.NoMirror, b.turn, 0, 0),
		}
		return []structure.Piece{b}
	}}, true
}

var _ structure.Templated = (*bones)(nil)

// bones is the piece of a fossil.
type bones struct {
	structure.Base
	template string
	x, y, z  int32
	turn     block.Rotation
}

// Move implements structure.Piece.
func (b *bones) Move(x, y, z int32) {
	b.Base.Move(x, y, z)
	b.x, b.y, b.z = b.x+x, b.y+y, b.z+z
}

// Save implements structure.Piece.
func (b *bones) Save() nbt.Compound {
	return nbt.Compound{
		{Name: "TPX", Value: b.x}, {Name: "TPY", Value: b.y}, {Name: "TPZ", Value: b.z},
		{Name: "Template", Value: b.template}, {Name: "Rot", Value: b.turn.String()},
	}
}

func readBones(base structure.Base, f *structure.Fields) (structure.Piece, error) {
	turn, ok := block.ParseRotation(f.Text("Rot"))
	if !ok {
		return nil, structure.ErrPiece
	}
	return &bones{base, f.Text("Template"), f.Int("TPX"), f.Int("TPY"), f.Int("TPZ"), turn}, f.Err()
}

// TemplateIDs implements structure.Templated.
func (b *bones) TemplateIDs() []string { return []string{b.template} }

// Place implements structure.Piece. Each chunk that the fossil touches builds
// all of it, as in the game, so it may lie over what its neighbours have grown.
func (b *bones) Place(p *structure.Placer) {
	t := p.Template(b.template)
	if t == nil {
		return
	}
	s := &template.Settings{
		Rotation: b.turn, Box: p.Box.With(b.Box), Processors: []template.Processor{template.IgnoreBoth},
	}
	t.Place(p.Context, b.x, b.y, b.z, p.PivotX, p.PivotY, p.PivotZ, s, p.Random)
	b.ghast(p)
}

// ghast leaves a dried ghast beside some fossils. It is drawn for by the place
// alone.
func (b *bones) ghast(p *structure.Placer) {
	seed := rng.NewLegacy(p.Seed)
	random := seed.Factory().ValueAt(b.Box.Center())
	if random.Float() >= 0.5 {
		return
	}
	sizeX, _, sizeZ := b.Box.Span()
	x := int(b.Box.MinX + random.IntN(sizeX))
	z := int(b.Box.MinZ + random.IntN(sizeZ))
	if y := int(b.Box.MinY); p.Block(x, y, z).Air() {
		p.Set(x, y, z, block.DriedGhast.Default().Rotate(block.Rotation(random.IntN(4))))
	}
}
