package building

import (
	"math"
	"slices"
	"strconv"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/surface"
)

// portalPlacement is where ruined portals stand.
type portalPlacement uint8

const (
	onLandSurface portalPlacement = iota
	partlyBuried
	onOceanFloor
	inMountain
	underground
	inNether
)

var portalPlacements = []string{"on_land_surface", "partly_buried", "on_ocean_floor", "in_mountain", "underground", "in_nether"}

// heightKind is the heightmap that tells of the ground for portals.
func (p portalPlacement) heightKind() proto.Heightmap {
	if p == onOceanFloor {
		return proto.OceanFloor
	}
	return proto.WorldSurface
}

// opaque reports whether a block counts for the heightmap.
func (p portalPlacement) opaque(s block.State) bool {
	if p == onOceanFloor {
		return s.OceanFloor()
	}
	return s.WorldSurface()
}

// portalSetup is how portals of a structure may be.
type portalSetup struct {
	placement  portalPlacement
	airPocket  float32 // a probability
	mossiness  float32
	overgrown  bool
	vines      bool
	canBeCold  bool
	blackstone bool
	weight     float32
}

// portalLayout is the layout of ruined portals.
type portalLayout struct {
	setups []portalSetup
	biomes map[string]surface.Biome
	kept   *feature.Blocks // that nothing replaces
}

// maxSetups bounds the setups of a structure.
const maxSetups = 1 << 12

func newPortal(l *structure.Loader, v provider.Value) (structure.Layout, error) {
	member, err := v.Member("setups")
	if err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok || len(list) == 0 || len(list) > maxSetups {
		return nil, member.Errorf("not a list of 1 to %d setups", maxSetups)
	}
	p := &portalLayout{biomes: make(map[string]surface.Biome)}
	for _, element := range list {
		s, err := readSetup(element)
		if err != nil {
			return nil, err
		}
		p.setups = append(p.setups, s)
	}
	if p.kept, err = feature.NewLoader(l.Source(), nil, nil).NamedTag(v, "minecraft:features_cannot_replace"); err != nil {
		return nil, err
	}
	ids, err := l.Source().IDs("worldgen/biome")
	if err != nil {
		return nil, err
	}
	biomes, err := surface.ReadBiomes(l.Source(), ids)
	for _, b := range biomes {
		p.biomes[b.Name] = b
	}
	return p, err
}

func readSetup(v provider.Value) (s portalSetup, err error) {
	member, err := v.Member("placement")
	if err != nil {
		return s, err
	}
	text, err := member.Text()
	if err != nil {
		return s, err
	}
	i := slices.Index(portalPlacements, text)
	if i < 0 {
		return s, member.Errorf("unknown placement %.50q", text)
	}
	s.placement = portalPlacement(i)
	if s.airPocket, err = probability(v, "air_pocket_probability"); err != nil {
		return s, err
	}
	if s.mossiness, err = probability(v, "mossiness"); err != nil {
		return s, err
	}
	if member, err = v.Member("weight"); err != nil {
		return s, err
	}
	if s.weight, err = member.Float32(math.SmallestNonzeroFloat32, math.MaxFloat32); err != nil {
		return s, err
	}
	for _, flag := range []struct {
		name string
		to   *bool
	}{
		{"overgrown", &s.overgrown}, {"vines", &s.vines}, {"can_be_cold", &s.canBeCold},
		{"replace_with_blackstone", &s.blackstone},
	} {
		if member, err = v.Member(flag.name); err != nil {
			return s, err
		}
		if *flag.to, err = member.Bool(); err != nil {
			return s, err
		}
	}
	return s, nil
}

// choose draws one of the setups by weight.
func (p *portalLayout) choose(random rng.Source) *portalSetup {
	if len(p.setups) == 1 {
		return &p.setups[0]
	}
	var total float32
	for i := range p.setups {
		total += p.setups[i].weight
	}
	draw := random.Float()
	for i := range p.setups {
		if draw -= p.setups[i].weight / total; draw < 0 {
			return &p.setups[i]
		}
	}
	return &p.setups[len(p.setups)-1] // the game fails here
}

// sample draws something that has a probability, unless it is certain.
func sample(random rng.Source, probability float32) bool {
	switch probability {
	case 0:
		return false
	case 1:
		return true
	}
	return random.Float() < probability
}

// Find implements structure.Layout.
func (p *portalLayout) Find(l *structure.Layouter) (structure.Point, bool) {
	setup := p.choose(l.Random)
	piece := &portalPiece{setup: *setup, airPocket: sample(l.Random, setup.airPocket)}
	name := "minecraft:ruined_portal/"
	if l.Random.Float() < 0.05 {
		name += "giant_portal_" + strconv.Itoa(int(l.Random.IntN(3))+1)
	} else {
		name += "portal_" + strconv.Itoa(int(l.Random.IntN(10))+1)
	}
	t := posture{rotation: randomRotation(l.Random)}
	if l.Random.Float() >= 0.5 {
		t.mirror = block.FrontBack
	}
	shape, ok := l.Templates.Shape(name)
	if !ok {
		return structure.Point{}, false
	}
	t.pivot = spot{shape.SizeX / 2, 0, shape.SizeZ / 2}
	x, z := l.MinBlock()
	box := shape.Box(x, 0, z, t.mirror, t.rotation, t.pivot.x, t.pivot.z)
	y := p.height(l, setup.placement, piece.airPocket, box)
	return structure.Point{X: x, Y: y, Z: z, Pieces: func(l *structure.Layouter) []structure.Piece {
		piece.turned, _ = newTurned(l, "minecraft:rupo", name, spot{x, y, z}, t)
		if setup.canBeCold {
			biome := p.biomes[l.BiomeID(x, y, z)]
			piece.cold = biome.ColdEnoughToSnow(int(x), int(y), int(z), int(l.SeaLevel))
		}
		return []structure.Piece{piece}
	}}, true
}

// height draws the y of a portal and lowers it until three of the corners of
// its box lie on or in the ground.
func (p *portalLayout) height(l *structure.Layouter, where portalPlacement, airPocket bool, box structure.Box) int32 {
	middleX, _, middleZ := box.Center()
	ground := l.Height(where.heightKind(), middleX, middleZ) - 1
	_, tall, _ := box.Span()
	lowest := l.MinY + 15
	y := drawHeight(l.Random, where, airPocket, ground, tall, lowest)
	var columns [4][]block.State
	for i, c := range [4][2]int32{{box.MinX, box.MinZ}, {box.MaxX, box.MinZ}, {box.MinX, box.MaxZ}, {box.MaxX, box.MaxZ}} {
		columns[i] = slices.Clone(l.Column(c[0], c[1]))
	}
	for ; y > lowest; y-- {
		inGround := 0
		for _, column := range columns {
			if at := int(y - l.MinY); at >= 0 && at < len(column) && where.opaque(column[at]) {
				inGround++
			}
		}
		if inGround >= 3 {
			break
		}
	}
	return y
}

func drawHeight(random rng.Source, where portalPlacement, airPocket bool, ground, tall, lowest int32) int32 {
	within := func(low, high int32) int32 {
		if low < high {
			return rng.Between(random, low, high)
		}
		return high
	}
	switch where {
	case inNether:
		switch {
		case airPocket:
			return rng.Between(random, 32, 100)
		case random.Float() < 0.5:
			return rng.Between(random, 27, 29)
		}
		return rng.Between(random, 29, 100)
	case inMountain:
		return within(70, ground-tall)
	case underground:
		return within(lowest, ground-tall)
	case partlyBuried:
		return ground - tall + rng.Between(random, 2, 8)
	}
	return ground
}

// portalPiece is a ruined portal.
type portalPiece struct {
	turned
	setup     portalSetup
	airPocket bool
	cold      bool
}

// Save implements structure.Piece.
func (t *portalPiece) Save() nbt.Compound {
	c := t.save(t.name)
	var properties nbt.Compound
	properties.Set("cold", t.cold)
	properties.Set("mossiness", t.setup.mossiness)
	properties.Set("air_pocket", t.airPocket)
	properties.Set("overgrown", t.setup.overgrown)
	properties.Set("vines", t.setup.vines)
	properties.Set("replace_with_blackstone", t.setup.blackstone)
	c.Set("Rotation", t.rotation.String())
	c.Set("Mirror", t.mirror.String())
	c.Set("VerticalPlacement", portalPlacements[t.setup.placement])
	c.Set("Properties", properties)
	return c
}
