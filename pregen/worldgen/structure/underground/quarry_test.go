package underground_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/surface"
)

// quarry is a world of nothing but stone, in which single pieces are placed.
type quarry struct {
	seed   int64
	chunks map[[2]int32]*feature.Chunk
}

const quarryTop = 100 // above is air

func newQuarry(seed int64) *quarry {
	return &quarry{seed: seed, chunks: make(map[[2]int32]*feature.Chunk)}
}

func (q *quarry) chunk(x, z int32) *feature.Chunk {
	key := [2]int32{x, z}
	if c := q.chunks[key]; c != nil {
		return c
	}
	c := proto.New(-64, 192)
	c.Reset(x, z)
	for i := range c.Blocks[:c.Index(0, quarryTop, 0)] {
		c.Blocks[i] = block.Stone.Default()
	}
	c.ComputeHeights()
	q.chunks[key] = feature.NewChunk(c)
	return q.chunks[key]
}

// place places a piece, chunk by chunk in the order of their ranks.
func (q *quarry) place(p structure.Piece) {
	view := feature.NewView(-64, 192, 63, climate.NewZoom(q.seed), func(x, z int32) *proto.Chunk { return q.chunk(x, z).Chunk })
	random := rng.NewWorldgenXoroshiro(q.seed)
	c := &feature.Context{View: view, Random: &random, Seed: q.seed, Climate: []surface.Biome{{Name: "minecraft:plains"}}}
	b := p.Common().Box
	var order [][2]int32
	for x := b.MinX >> 4; x <= b.MaxX>>4; x++ {
		for z := b.MinZ >> 4; z <= b.MaxZ>>4; z++ {
			order = append(order, [2]int32{x, z})
		}
	}
	slices.SortFunc(order, func(a, b [2]int32) int { return featuretest.Rank(a[0], a[1]) - featuretest.Rank(b[0], b[1]) })
	for _, at := range order {
		var nine [9]*feature.Chunk
		for i := range nine {
			nine[i] = q.chunk(at[0]+int32(i%3)-1, at[1]+int32(i/3)-1)
		}
		view.Reset(nine)
		x, z := at[0]<<4, at[1]<<4
		random.SetFeatureSeed(random.SetDecorationSeed(q.seed, x, z), 0, 0)
		p.Place(&structure.Placer{
			Context: c, Box: structure.NewBox(x, -63, z, x+15, 127, z+15), ChunkX: at[0], ChunkZ: at[1],
		})
	}
}

// count counts blocks by name, and entities and block entities by what they
// hold.
func (q *quarry) count() map[string]int {
	counts := make(map[string]int)
	for _, c := range q.chunks {
		for _, s := range c.Blocks {
			counts[s.Block().Name()]++
		}
		for _, e := range c.BlockEntities {
			counts[e.ID+" "+e.LootTable+e.Spawner]++
		}
		for _, e := range c.Entities {
			counts["entity "+e.ID]++
		}
	}
	return counts
}

// TestPiecesHaveTheirFurniture places the pieces of real structures one by one
// in stone, and looks for what they are known for.
func TestPiecesHaveTheirFurniture(t *testing.T) {
	want := map[string]map[string]int{
		"minecraft:msroom": {}, "minecraft:mscrossing": {}, "minecraft:msstairs": {},
		"minecraft:shstart": {"minecraft:smooth_stone_slab": 6}, "minecraft:shsd": {"minecraft:smooth_stone_slab": 6},
		"minecraft:shs": {}, "minecraft:shlt": {}, "minecraft:shrt": {}, "minecraft:shrc": {}, "minecraft:shfc": {},
		"minecraft:sh5c":  {"minecraft:smooth_stone_slab": 27, "minecraft:wall_torch": 1},
		"minecraft:shssd": {"minecraft:cobblestone_stairs": 18},
		"minecraft:shph":  {"minecraft:iron_bars": 20, "minecraft:iron_door": 4},
		"minecraft:shcc":  {"minecraft:chest minecraft:chests/stronghold_corridor": 1, "minecraft:stone_brick_slab": 7},
		"minecraft:shli":  {"minecraft:wall_torch": 8},
		"minecraft:shpr": {
			"minecraft:end_portal_frame": 12, "minecraft:lava": 15, "minecraft:stone_brick_stairs": 8, // and one under the spawner
			"minecraft:mob_spawner minecraft:silverfish": 1,
		},
		"minecraft:nebcr": {}, "minecraft:nebef": {}, "minecraft:nescsc": {},
		"minecraft:nebs": {"minecraft:nether_brick_fence": 24},
		"minecraft:nerc": {"minecraft:nether_brick_fence": 12},
		"minecraft:nesr": {"minecraft:nether_brick_fence": 18},
		"minecraft:nesc": {"minecraft:nether_brick_fence": 8}, "minecraft:nesclt": {"minecraft:nether_brick_fence": 8},
		"minecraft:nescrt": {"minecraft:nether_brick_fence": 8},
		"minecraft:nectb":  {"minecraft:nether_brick_fence": 21},
		"minecraft:nemt":   {"minecraft:mob_spawner minecraft:blaze": 1},
		"minecraft:necsr":  {"minecraft:soul_sand": 20, "minecraft:nether_wart": 20, "minecraft:nether_brick_stairs": 32},
		"minecraft:nece":   {"minecraft:lava": 1},
		"minecraft:neccs":  {"minecraft:nether_brick_stairs": 21},
		"minecraft:btp":    {"minecraft:chest minecraft:chests/buried_treasure": 1},
	}
	met := make(map[string]int)
	eachDimension(t, varied, func(_ *structure.System, starts *structure.Starts, known *oracletest.Starts) {
		for _, at := range known.Starts {
			for _, start := range starts.At(at.X, at.Z) {
				for i, p := range start.Pieces {
					id := p.Common().ID
					if want[id] == nil || met[id] >= 1 {
						continue
					}
					met[id]++
					q := newQuarry(int64(i))
					before := structure.SavePiece(p)
					q.place(p)
					_, steady := p.(structure.Steady)
					if same := cmp.Equal(before, structure.SavePiece(p)); steady && !same {
						t.Errorf("%s is steady: %v, but stored as before: %v", id, steady, same)
					}
					counts := q.count()
					for what, n := range want[id] {
						// A door of grates or of iron brings its own.
						if got := counts[what]; got != n && !(id == "minecraft:shph" && got > n) {
							t.Errorf("%s %v facing %v has %d %s, want %d", id, p.Common().Box, p.Common().Facing, got, what, n)
						}
					}
				}
			}
		}
	})
	for id := range want {
		if met[id] == 0 {
			t.Errorf("no %s was met", id)
		}
	}
}

// TestSpidersHaveOneSpawner places corridors of mineshafts in which spiders live
// and which lie in several chunks: the first chunk that has the spawner settles
// it for the others.
func TestSpidersHaveOneSpawner(t *testing.T) {
	const enough = 8
	corridors, spawners := 0, 0
	eachDimension(t, varied, func(_ *structure.System, starts *structure.Starts, known *oracletest.Starts) {
		for _, at := range known.Starts {
			for _, start := range starts.At(at.X, at.Z) {
				for i, p := range start.Pieces {
					b := p.Common().Box
					if start.ID != at.ID || corridors == enough || p.Common().ID != "minecraft:mscorridor" || b.MinX>>4 == b.MaxX>>4 && b.MinZ>>4 == b.MaxZ>>4 {
						continue
					}
					if v, _ := p.Save().Get("sc"); v != int8(1) {
						continue
					}
					corridors++
					q := newQuarry(int64(i))
					q.place(p)
					counts := q.count()
					n := counts["minecraft:mob_spawner minecraft:cave_spider"]
					spawners += n
					if settled, _ := p.Save().Get("hps"); n > 1 || settled != int8(n) {
						t.Errorf("corridor %v has %d spawners, saved as %v", b, n, settled)
					}
					if counts["minecraft:cobweb"] == 0 {
						t.Errorf("corridor %v has no cobwebs", b)
					}
				}
			}
		}
	})
	t.Logf("%d corridors in several chunks, %d spawners", corridors, spawners)
	if corridors < enough || spawners < enough/2 {
		t.Error("no spiders were met")
	}
}
