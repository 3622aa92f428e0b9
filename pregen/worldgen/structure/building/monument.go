package building

import (
	"sync"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// monumentLayout is the layout of ocean monuments.
type monumentLayout struct {
	around map[string]bool // the biomes that may be near one
}

// monumentReach is how far around everything has to be sea.
const monumentReach = 29

func newMonument(l *structure.Loader, _ provider.Value) (structure.Layout, error) {
	ids, err := l.Source().Tag("worldgen/biome", "minecraft:required_ocean_monument_surrounding")
	if err != nil {
		return nil, err
	}
	m := &monumentLayout{around: make(map[string]bool)}
	for _, id := range ids {
		m.around[id] = true
	}
	return m, nil
}

// Find implements structure.Layout.
func (m *monumentLayout) Find(l *structure.Layouter) (structure.Point, bool) {
	minX, minZ := l.MinBlock()
	x, y, z := minX+9, l.SeaLevel, minZ+9
	for qx := (x - monumentReach) >> 2; qx <= (x+monumentReach)>>2; qx++ {
		for qz := (z - monumentReach) >> 2; qz <= (z+monumentReach)>>2; qz++ {
			for qy := (y - monumentReach) >> 2; qy <= (y+monumentReach)>>2; qy++ {
				if !m.around[l.Biomes[l.Biome(qx, qy, qz)]] {
					return structure.Point{}, false
				}
			}
		}
	}
	return onTop(l, proto.OceanFloor, func(l *structure.Layouter) []structure.Piece {
		facing := randomFacing(l.Random)
		return []structure.Piece{&monumentPiece{Base: structure.Base{
			ID: "minecraft:omb", Facing: facing,
			Box: structure.Oriented(minX-monumentReach, 39, minZ-monumentReach, facing, 58, 23, 58),
		}}}
	})
}

// monumentPiece is a monument. What its rooms are follows from the seed and the
// chunk that it starts in, and is not stored.
type monumentPiece struct {
	structure.Base
	once  sync.Once
	rooms []*roomPiece
}

// Save implements structure.Piece.
func (m *monumentPiece) Save() nbt.Compound { return nil }

// Steady implements structure.Steady.
func (m *monumentPiece) Steady() {}

func readMonument(b structure.Base, f *structure.Fields) (structure.Piece, error) {
	if err := f.Err(); err != nil {
		return nil, err
	}
	return &monumentPiece{Base: b}, checkSize(b, 58, 23, 58)
}

// layOut draws the rooms.
func (m *monumentPiece) layOut(seed int64, chunkX, chunkZ int32) {
	random := rng.NewWorldgenLegacy(0)
	random.SetLargeFeatureSeed(seed, chunkX, chunkZ)
	randomFacing(&random) // that of the monument
	facing := m.Facing
	z := newMaze(&random)
	z.take(z.entry)
	m.rooms = append(m.rooms, z.part("entry", z.entry, none, facing, 1, 1, 1), z.part("core", z.core, none, facing, 2, 2, 2))
	for _, i := range z.order {
		if !z.rooms[i].taken {
			part := z.fit(&random, i, facing)
			// Only a room that is closed above and below may have a pillar.
			if r := &z.rooms[i]; part.plan == "simple" && !r.open[block.Down] && !r.open[block.Up] && z.openings(i) > 1 {
				part.Depth = 1
			}
			m.rooms = append(m.rooms, part)
		}
	}
	x, y, zz := m.World(9, 0, 22)
	for _, part := range m.rooms {
		part.Box = part.Box.Moved(x, y, zz)
	}
	design := random.Int()
	m.rooms = append(m.rooms,
		m.inner("wing", 1, 1, 1, 23, 8, 21, design&1), m.inner("wing", 34, 1, 1, 56, 8, 21, (design+1)&1),
		m.inner("penthouse", 22, 13, 22, 35, 17, 35, 0))
}

// inner returns a part with a place of its own in the monument.
func (m *monumentPiece) inner(plan string, x0, y0, z0, x1, y1, z1, design int32) *roomPiece {
	x0, y0, z0 = m.World(x0, y0, z0)
	x1, y1, z1 = m.World(x1, y1, z1)
	return &roomPiece{
		Base: structure.Base{Box: template.Corners(x0, y0, z0, x1, y1, z1), Facing: m.Facing}, plan: plan, design: design,
	}
}

var monumentPlans = loadPlans("monument")

// Place implements structure.Piece.
func (m *monumentPiece) Place(p *structure.Placer) {
	m.once.Do(func() { m.layOut(p.Seed, p.Start.X, p.Start.Z) })
	l := monumentPlans()
	w := &builder{p: p, b: &m.Base}
	w.fill(&op{kind: opWater}, [6]int32{0, 0, 0, 58, int32(max(p.SeaLevel(), 64)) - m.Box.MinY, 58})
	w.facts = factLeft
	w.run(l["wing"], 0, 0, 0)
	w.facts = 0
	w.run(l["wing"], 33, 0, 0)
	for _, name := range []string{
		"arches", "front", "roof", "lower.west", "lower.east", "lower.back", "middle.west", "middle.east",
		"middle.back", "upper.west", "upper.east", "upper.back",
	} {
		w.run(l[name], 0, 0, 0)
	}
	m.pillars(w)
	w.run(l["moat"], 0, 0, 0)
	for _, part := range m.rooms {
		if part.Box.Meets(p.Box) {
			part.place(p, l)
		}
	}
}

// pillars builds the feet, but for those in front of the entry.
func (m *monumentPiece) pillars(w *builder) {
	for x := range int32(7) {
		for z := range int32(7) {
			if edge := x == 0 || x == 6 || z == 0 || z == 6; edge && (x != 3 || z != 0) {
				w.run(monumentPlans()["pillar"], 9*x, 0, 9*z)
			}
		}
	}
}

func (r *roomPiece) place(p *structure.Placer, l plans) {
	w := &builder{p: p, b: &r.Base, facts: r.facts}
	switch r.plan {
	case "simple":
		r.simple(w, l)
	case "simple_top":
		w.run(l["simple_top.floor"], 0, 0, 0)
		r.sponges(p)
		w.run(l["simple_top.walls"], 0, 0, 0)
	case "wing":
		if r.design == 0 {
			w.run(l["wing.0"], 0, 0, 0)
			r.elder(p, 11, 2, 16)
		} else {
			w.run(l["wing.1"], 0, 0, 0)
			r.elder(p, 11, 5, 13)
		}
	case "penthouse":
		w.run(l["penthouse"], 0, 0, 0)
		r.elder(p, 6, 1, 6)
	default:
		w.run(l[r.plan], 0, 0, 0)
	}
}

// simple builds a simple room. It draws whether there is a pillar even where
// there cannot be one, but not in rooms of the first design.
func (r *roomPiece) simple(w *builder, l plans) {
	pillar := r.design != 0 && w.p.Random.Bool() && r.Depth == 1
	w.run(l[[...]string{"simple.0", "simple.1", "simple.2"}[r.design]], 0, 0, 0)
	if pillar {
		w.run(l["simple.pillar"], 0, 0, 0)
	}
}

func (r *roomPiece) sponges(p *structure.Placer) {
	sponge := block.WetSponge.Default()
	for x := int32(1); x <= 6; x++ {
		for z := int32(1); z <= 6; z++ {
			if p.Random.IntN(3) == 0 {
				continue
			}
			low := int32(3)
			if p.Random.IntN(4) == 0 {
				low = 2
			}
			r.Fill(p, x, low, z, x, 3, z, sponge, sponge, false)
		}
	}
}

// elder places an elder guardian.
func (r *roomPiece) elder(p *structure.Placer, x, y, z int32) {
	if x, y, z = r.World(x, y, z); p.Inside(x, y, z) {
		p.AddEntity(feature.Entity{ID: "minecraft:elder_guardian", X: float64(x) + 0.5, Y: float64(y), Z: float64(z) + 0.5})
	}
}
