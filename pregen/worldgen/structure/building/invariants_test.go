package building

import (
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// flatGround is ground up to y 69 everywhere.
type flatGround struct{ column []block.State }

func (g flatGround) Column(int32, int32) []block.State { return g.column }

func (flatGround) Biome(int32, int32, int32) proto.Biome { return 0 }

// newFlatLayouter returns a layouter over flat ground.
func newFlatLayouter() *structure.Layouter {
	column := make([]block.State, 384)
	for i := range 64 + 70 {
		column[i] = block.Stone.Default()
	}
	random := rng.NewWorldgenLegacy(0)
	return &structure.Layouter{
		Ground: flatGround{column}, Random: &random, MinY: -64, Tall: 384, SeaLevel: 63,
		Biomes: []string{"minecraft:plains"}, Templates: template.Builtin(),
	}
}

// layOut lays a structure out in a chunk.
func layOut(t testing.TB, l *structure.Layouter, layout structure.Layout, seed int64, x, z int32) []structure.Piece {
	t.Helper()
	l.Seed, l.ChunkX, l.ChunkZ = seed, x, z
	l.Random.SetLargeFeatureSeed(seed, x, z)
	point, ok := layout.Find(l)
	if !ok {
		t.Fatalf("seed %d: no place on flat ground", seed)
	}
	return point.Pieces(l)
}

const manySeeds = 300

func TestMansionsAreWhole(t *testing.T) {
	l := newFlatLayouter()
	thirds := 0
	for seed := range int64(manySeeds) {
		pieces := layOut(t, l, mansionLayout{}, seed, 3, -5)
		m := newMansionPlanOf(l, seed)
		count := make(map[string]int)
		taken := make(map[structure.Box]string)
		for _, p := range pieces {
			piece := p.(*mansionPiece)
			name := piece.name[len(mansionTemplates):]
			count[name]++
			if room := name[1:2] == "x"; room {
				count["rooms"]++
				for box, other := range taken {
					// Some rooms are higher than a storey.
					if box.MinY == piece.Box.MinY && box.Meets(piece.Box) {
						t.Errorf("seed %d: %s and %s overlap", seed, name, other)
					}
				}
				taken[piece.Box] = name
			}
		}
		edges, cells, rooms, corridors := wanted(m)
		if n := count["wall_flat"]; n != edges[0]-2 {
			t.Errorf("seed %d: %d walls below, want %d and the entrance", seed, n, edges[0]-2)
		}
		if n := count["wall_window"]; n != edges[0]-2+edges[1] {
			t.Errorf("seed %d: %d walls above, want %d", seed, n, edges[0]-2+edges[1])
		}
		if n := count["roof"]; n != cells {
			t.Errorf("seed %d: %d roofs, want %d", seed, n, cells)
		}
		if count["rooms"] != rooms || count["corridor_floor"] != corridors || count["entrance"] != 1 {
			t.Errorf("seed %d: %v, want %d rooms, %d corridors", seed, count, rooms, corridors)
		}
		if edges[1] > 0 {
			thirds++
		}
	}
	if thirds == 0 {
		t.Errorf("%d of %d mansions have a third storey", thirds, manySeeds)
	}
}

func newMansionPlanOf(l *structure.Layouter, seed int64) *mansionPlan {
	l.Random.SetLargeFeatureSeed(seed, l.ChunkX, l.ChunkZ)
	randomRotation(l.Random)
	return newMansionPlan(l.Random)
}

// wanted counts what a plan asks for: the edges of the first two and of the
// third storey, the cells with a roof, rooms and corridors.
func wanted(m *mansionPlan) (edges [2]int, cells, rooms, corridors int) {
	for i, g := range []*grid{m.base, m.third} {
		g.each(func(x, y int32) {
			if !g.house(x, y) {
				return
			}
			edges[i] += 4 - g.houses(x, y, sides)
			if i == 1 || !m.third.house(x, y) {
				cells++
			}
		})
	}
	for i, g := range []*grid{m.base, m.base, m.third} {
		numbers := make(map[int32]bool)
		g.each(func(x, y int32) {
			if g.at(x, y) == corridor {
				corridors++
			}
			if data := m.rooms[i].at(x, y); data&roomKind != 0 {
				numbers[data&roomNumber] = true
			}
		})
		rooms += len(numbers)
	}
	return edges, cells, rooms, corridors
}

func TestMonumentsAreWhole(t *testing.T) {
	kinds := make(map[string]int)
	for seed := range int64(manySeeds) {
		for _, facing := range []structure.Facing{structure.FacesNorth, structure.FacesEast, structure.FacesSouth, structure.FacesWest} {
			m := &monumentPiece{Base: structure.Base{Facing: facing, Box: structure.Oriented(5, 39, -7, facing, 58, 23, 58)}}
			m.layOut(seed, 7, 9)
			blocks := int32(0)
			for i, r := range m.rooms {
				kinds[r.plan]++
				if !m.Box.Encloses(r.Box) {
					t.Errorf("seed %d: %s is outside", seed, r.plan)
				}
				for _, o := range m.rooms[:i] {
					if r.Box.Meets(o.Box) {
						t.Errorf("seed %d: %s and %s overlap", seed, r.plan, o.plan)
					}
				}
				if x, y, z := r.Box.Span(); r.plan != "wing" && r.plan != "penthouse" {
					blocks += x * y * z
				}
			}
			// 46 rooms of 8 by 4 by 8 blocks.
			if blocks != 46*256 {
				t.Errorf("seed %d: the rooms have %d blocks", seed, blocks)
			}
		}
	}
	for _, kind := range []string{
		"double_x", "double_y", "double_z", "double_xy", "double_yz", "simple", "simple_top", "entry", "core", "wing", "penthouse",
	} {
		if kinds[kind] == 0 {
			t.Errorf("no room is %s", kind)
		}
	}
}

func TestRoomsOfMonumentsAreReached(t *testing.T) {
	for seed := range int64(manySeeds) {
		random := rng.NewWorldgenLegacy(seed)
		m := newMaze(&random)
		for _, i := range m.order {
			if !m.reaches(i) {
				t.Errorf("seed %d: room %d is shut", seed, i)
			}
		}
	}
}

func TestEndCitiesAreWhole(t *testing.T) {
	l := newFlatLayouter()
	ships, pieces := 0, 0
	for seed := range int64(manySeeds) {
		list := layOut(t, l, endCityLayout{}, seed, 0, 0)
		own := 0
		for i, p := range list {
			piece := p.(*cityPiece)
			if piece.name == cityTemplates+"ship" {
				own++
			}
			for _, o := range list[:i] {
				// Only what belongs to one branch of the first house may touch.
				if o := o.(*cityPiece); o.Depth != piece.Depth && o.Depth != 0 && piece.Box.Meets(o.Box) {
					t.Errorf("seed %d: %s and %s overlap", seed, o.name, piece.name)
				}
			}
		}
		if own > 1 {
			t.Errorf("seed %d: %d ships", seed, own)
		}
		ships += own
		pieces += len(list)
	}
	if ships == 0 || pieces < 4*manySeeds {
		t.Errorf("%d ships and %d pieces in %d cities", ships, pieces, manySeeds)
	}
}

// TestPiecesMove moves all pieces of some structures there and back.
func TestPiecesMove(t *testing.T) {
	l := newFlatLayouter()
	for _, layout := range []structure.Layout{
		mansionLayout{}, endCityLayout{}, iglooLayout{}, shipwreckLayout{}, oceanRuinLayout{large: 1, cluster: 1},
	} {
		for _, p := range layOut(t, l, layout, 5, 1, 2) {
			before := p.Common().Box
			saved := p.Save()
			p.Move(16, -3, 32)
			if p.Common().Box != before.Moved(16, -3, 32) {
				t.Errorf("%T does not move", p)
			}
			if x, _ := saved.Get("TPX"); func() any { v, _ := p.Save().Get("TPX"); return v }() == x {
				t.Errorf("the template of %T stays", p)
			}
		}
	}
}
