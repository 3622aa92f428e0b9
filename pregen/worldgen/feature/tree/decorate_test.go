package tree_test

import (
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
)

// neighbour returns the block at a side of a placed one.
func neighbour(c [9]*feature.Chunk, p placed, dx, dy, dz int) block.State {
	x, z := p.x+dx+16, p.z+dz+16
	chunk := c[z>>4*3+x>>4]
	return chunk.Block(x&15, p.y+dy, z&15)
}

func isLog(s block.State) bool { return ofTrees(s) && s.Property("axis") != "" }

// sides are steps by the names of horizontal directions.
var sides = map[string][3]int{"north": {0, 0, -1}, "south": {0, 0, 1}, "west": {-1, 0, 0}, "east": {1, 0, 0}}

func TestDecorationsHangWhereTheyBelong(t *testing.T) {
	for _, c := range []struct {
		tree string
		of   block.ID
		fits func(chunks [9]*feature.Chunk, p placed) bool
	}{
		{"oak_bees_005", block.BeeNest, func(chunks [9]*feature.Chunk, p placed) bool {
			beside := isLog(neighbour(chunks, p, 1, 0, 0)) || isLog(neighbour(chunks, p, -1, 0, 0)) || isLog(neighbour(chunks, p, 0, 0, -1))
			return p.state.Property("facing") == "south" && beside && neighbour(chunks, p, 0, 0, 1).Air()
		}},
		{"jungle_tree", block.Cocoa, func(chunks [9]*feature.Chunk, p placed) bool {
			d := sides[p.state.Property("facing")]
			return isLog(neighbour(chunks, p, d[0], d[1], d[2]))
		}},
		{"jungle_tree", block.Vine, func(chunks [9]*feature.Chunk, p placed) bool {
			for side, d := range sides {
				if p.state.Property(side) != "true" {
					continue
				}
				on := neighbour(chunks, p, d[0], d[1], d[2])
				above := neighbour(chunks, p, 0, 1, 0)
				if isLog(on) || on.Leaves() || above.Property(side) == "true" {
					return true
				}
			}
			return false
		}},
		{"tall_mangrove", block.MangrovePropagule, func(chunks [9]*feature.Chunk, p placed) bool {
			return p.state.Property("hanging") == "true" && neighbour(chunks, p, 0, 1, 0).Leaves()
		}},
		{"mangrove", block.MangroveRoots, func(_ [9]*feature.Chunk, p placed) bool { return p.y >= top }},
		{"pale_oak", block.PaleHangingMoss, func(chunks [9]*feature.Chunk, p placed) bool {
			above, below := neighbour(chunks, p, 0, 1, 0), neighbour(chunks, p, 0, -1, 0)
			return (p.state.Property("tip") == "true") == (below.Block() != block.PaleHangingMoss) && !above.Air()
		}},
		{"pale_oak_creaking", block.CreakingHeart, func(chunks [9]*feature.Chunk, p placed) bool {
			return !slices.ContainsFunc(steps[:], func(d [3]int) bool { return !isLog(neighbour(chunks, p, d[0], d[1], d[2])) })
		}},
		{"mega_spruce", block.Podzol, func(_ [9]*feature.Chunk, p placed) bool { return p.y == top-1 }},
		{"azalea_tree", block.RootedDirt, func(chunks [9]*feature.Chunk, p placed) bool {
			return p.y == top-1 && isLog(neighbour(chunks, p, 0, 1, 0))
		}},
		{"dark_oak_leaf_litter", block.LeafLitter, func(chunks [9]*feature.Chunk, p placed) bool {
			return p.y == top && neighbour(chunks, p, 0, -1, 0).SolidRender()
		}},
		{"fallen_oak_tree", block.RedMushroom, func(chunks [9]*feature.Chunk, p placed) bool {
			return isLog(neighbour(chunks, p, 0, -1, 0))
		}},
		{"crimson_fungus", block.WeepingVines, func(chunks [9]*feature.Chunk, p placed) bool {
			age := p.state.Property("age")
			above := neighbour(chunks, p, 0, 1, 0).Block()
			return (age == "23" || age == "24" || age == "25") && (above == block.NetherWartBlock || above == block.WeepingVinesPlant)
		}},
	} {
		f := configured(t, c.tree)
		found := 0
		for seed := int64(0); seed < 80 && found < 3; seed++ {
			_, list, chunks := build(t, f, c.tree, seed)
			for _, p := range list {
				if p.state.Block() != c.of {
					continue
				}
				found++
				if !c.fits(chunks, p) {
					t.Errorf("%s with seed %d: %v does not belong at %d,%d,%d", c.tree, seed, p.state, p.x, p.y, p.z)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s never has %s", c.tree, c.of.Name())
		}
	}
}

// A nest has two or three bees that came lately.
func TestNestsHaveBees(t *testing.T) {
	f := configured(t, "super_birch_bees")
	counts := map[int]int{}
	for seed := range int64(12) {
		_, _, chunks := build(t, f, "super_birch_bees", seed)
		for _, c := range chunks {
			for _, e := range c.BlockEntities {
				if e.ID != "minecraft:beehive" || len(e.Extra) != 1 || e.Extra[0].Name != "bees" {
					t.Fatalf("a nest is %+v", e)
				}
				if s := c.Block(int(e.X&15), int(e.Y), int(e.Z&15)); s.Block() != block.BeeNest {
					t.Errorf("a nest is %v", s)
				}
				var bees []struct {
					Entity struct {
						ID string `nbt:"id"`
					} `nbt:"entity_data"`
					Ticks int32 `nbt:"ticks_in_hive"`
					Least int32 `nbt:"min_ticks_in_hive"`
				}
				if err := e.Extra[0].Value.Decode(&bees); err != nil {
					t.Fatal(err)
				}
				counts[len(bees)]++
				for _, b := range bees {
					if b.Entity.ID != "minecraft:bee" || b.Least != 600 || b.Ticks < 0 || b.Ticks >= 599 {
						t.Errorf("a bee is %+v", b)
					}
				}
			}
		}
	}
	if counts[2] == 0 || counts[3] == 0 || len(counts) != 2 {
		t.Errorf("nests by their number of bees: %v", counts)
	}
}

// Plants that a tree cuts in half are gone, vines that it takes the hold from too,
// and the snow at its foot is known to the grass.
func TestWhatIsAroundATreeAdapts(t *testing.T) {
	upper := block.MustParse("minecraft:tall_grass[half=upper]")
	lower := block.MustParse("minecraft:tall_grass[half=lower]")
	// The leaves of a bush reach down to the ground around its log.
	f := configured(t, "jungle_bush")
	cut, whole := 0, 0
	for seed := range int64(20) {
		c, _ := flat(block.GrassBlock.Default(), seed)
		for x := range 16 {
			for z := range 16 {
				if x != 8 || z != 8 {
					c.Set(x, top, z, lower)
					c.Set(x, top+1, z, upper)
				}
			}
		}
		if !f.Place(c, 8, top, 8) {
			t.Fatal("no bush")
		}
		for x := range 16 {
			for z := range 16 {
				a, b := c.Block(x, top, z), c.Block(x, top+1, z)
				switch {
				case a == lower && b == upper:
					whole++
				case a == lower || b == upper:
					t.Errorf("at %d,%d is %v below %v", x, z, a, b)
				default:
					cut++
				}
			}
		}
	}
	if cut == 0 || whole == 0 {
		t.Errorf("%d plants were cut, %d are whole", cut, whole)
	}
}
