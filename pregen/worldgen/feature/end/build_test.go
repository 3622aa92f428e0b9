package end_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/end"
	"strata/pregen/worldgen/feature/featuretest"
)

// load returns a feature of the game's, or of a text.
func load(t *testing.T, text string) feature.Feature {
	t.Helper()
	f, err := featuretest.Feature(t, end.Factories(), text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// heights are where columns of a block end, by place.
func heights(c *feature.Context, id block.ID) map[[2]int]int {
	tops := make(map[[2]int]int)
	for x := -16; x < 32; x++ {
		for z := -16; z < 32; z++ {
			for y := c.MinY(); y < c.Top(); y++ {
				if c.Block(x, y, z).Block() == id {
					tops[[2]int{x, z}] = y
				}
			}
		}
	}
	return tops
}

const ownSpike = `{"type":"end_spike","config":{"spikes":[
	{"centerX":7,"centerZ":9,"radius":3,"height":70,"guarded":true},{"centerX":20,"centerZ":9,"radius":2,"height":80}
],"crystal_invulnerable":true,"crystal_beam_target":[0,90,0]}}`

func TestSpikesOfAConfigStandInTheirChunk(t *testing.T) {
	c, chunks := featuretest.Flat(block.EndStone.Default(), testbed.Seed(t))
	c.Set(10, 75, 12, block.Stone.Default())
	load(t, ownSpike).Place(c, 0, 0, 0)
	tops := heights(c, block.Obsidian)
	// 3*3+1 is the largest square of a distance.
	if len(tops) != 37 {
		t.Errorf("%d columns of obsidian, want 37", len(tops))
	}
	for at, y := range tops {
		if y != 69 {
			t.Errorf("the column at %v ends at %d, want 69", at, y)
		}
		if c.Block(at[0], 0, at[1]).Block() != block.Obsidian {
			t.Errorf("the column at %v does not begin at the bottom", at)
		}
	}
	if got := c.Block(10, 75, 12); !got.Air() {
		t.Errorf("%v is left beside the top", got)
	}
	for at, want := range map[[3]int]string{
		{7, 70, 9}:  "minecraft:bedrock",
		{7, 71, 9}:  "minecraft:fire[age=0,east=false,north=false,south=false,up=false,west=false]",
		{5, 70, 7}:  "minecraft:iron_bars[east=true,north=false,south=true,waterlogged=false,west=false]",
		{5, 72, 9}:  "minecraft:iron_bars[east=false,north=true,south=true,waterlogged=false,west=false]",
		{9, 73, 11}: "minecraft:iron_bars[east=false,north=true,south=false,waterlogged=false,west=true]",
		{7, 73, 9}:  "minecraft:iron_bars[east=true,north=true,south=true,waterlogged=false,west=true]",
		{6, 71, 9}:  "minecraft:air",
	} {
		if got := c.Block(at[0], at[1], at[2]); got != block.MustParse(want) {
			t.Errorf("at %v is %v, want %v", at, got, want)
		}
	}
	crystals := chunks[4].Entities
	if len(crystals) != 1 {
		t.Fatalf("%d entities, want 1", len(crystals))
	}
	e := crystals[0]
	if e.ID != "minecraft:end_crystal" || e.X != 7.5 || e.Y != 71 || e.Z != 9.5 {
		t.Errorf("the crystal is %+v", e)
	}
	var names []string
	for _, m := range e.Extra {
		names = append(names, m.Name)
	}
	if want := []string{"Rotation", "Invulnerable", "beam_target", "ShowBottom"}; !slices.Equal(names, want) {
		t.Errorf("the crystal has %v, want %v", names, want)
	}
	var target []int32
	if err := e.Extra[2].Value.Decode(&target); err != nil || !slices.Equal(target, []int32{0, 90, 0}) {
		t.Errorf("the target is %v, %v", target, err)
	}
}

func TestSpikesOfAWorld(t *testing.T) {
	spikes := end.SpikesOf(1)
	seen := make(map[int]bool)
	for _, s := range spikes {
		if r := s[0]*s[0] + s[1]*s[1]; r < 40*40 || r > 44*44 {
			t.Errorf("a spike at %d,%d", s[0], s[1])
		}
		rank := (s[3] - 76) / 3
		if seen[rank] || rank < 0 || rank > 9 || s[2] != 2+rank/3 || (s[4] == 1) != (rank == 1 || rank == 2) {
			t.Errorf("spike %v", s)
		}
		seen[rank] = true
	}
	if cmp.Equal(spikes, end.SpikesOf(2)) {
		t.Error("two seeds have the same spikes")
	}
}

func TestFarChunksHaveNoSpikes(t *testing.T) {
	c, chunks := featuretest.Flat(block.EndStone.Default(), 1)
	f := load(t, `"end_spike"`)
	f.Place(c, 0, 0, 0) // none is this near
	f.Place(c, 1600, 0, 0)
	for _, chunk := range chunks {
		if len(chunk.Entities) > 0 {
			t.Error("there is a crystal")
		}
	}
}

func TestIslandsShrinkDownwards(t *testing.T) {
	c, _ := featuretest.Flat(0, testbed.Seed(t))
	load(t, `"end_island"`).Place(c, 8, 80, 8)
	last := 1 << 30
	for y := 80; y > 60; y-- {
		n := 0
		for x := -16; x < 32; x++ {
			for z := -16; z < 32; z++ {
				if c.Block(x, y, z).Block() == block.EndStone {
					n++
				}
			}
		}
		switch {
		case n > last:
			t.Errorf("%d blocks at y %d, %d above", n, y, last)
		case y == 80 && n < 69: // within 5 of the middle
			t.Errorf("%d blocks at the top", n)
		}
		last = n
	}
	if last != 0 {
		t.Errorf("%d blocks at the bottom", last)
	}
}

func TestPlatformIsCleared(t *testing.T) {
	c, _ := featuretest.Flat(block.EndStone.Default(), 1)
	load(t, `"end_platform"`).Place(c, 8, 20, 8)
	for x := 5; x <= 11; x++ {
		for z := 5; z <= 11; z++ {
			for y := 18; y <= 23; y++ {
				want := block.EndStone
				if 6 <= x && x <= 10 && 6 <= z && z <= 10 && 19 <= y && y <= 22 {
					want = block.Air
					if y == 19 {
						want = block.Obsidian
					}
				}
				if got := c.Block(x, y, z).Block(); got != want {
					t.Errorf("at %d,%d,%d is %v, want %v", x, y, z, got, want)
				}
			}
		}
	}
}

func TestGatewaysKnowTheirExit(t *testing.T) {
	c, chunks := featuretest.Flat(block.EndStone.Default(), 1)
	load(t, `"end_gateway_return"`).Place(c, 8, 20, 8)
	bedrock := 0
	for dx := -1; dx <= 1; dx++ {
		for dy := -2; dy <= 2; dy++ {
			for dz := -1; dz <= 1; dz++ {
				if c.Block(8+dx, 20+dy, 8+dz).Block() == block.Bedrock {
					bedrock++
				}
			}
		}
	}
	// Two caps of five, and a point beyond each.
	if bedrock != 12 || c.Block(8, 20, 8).Block() != block.EndGateway || !c.Block(9, 20, 8).Air() {
		t.Errorf("%d blocks of bedrock around %v, beside it %v", bedrock, c.Block(8, 20, 8), c.Block(9, 20, 8))
	}
	list := chunks[4].BlockEntities
	if len(list) != 1 || list[0].ID != "minecraft:end_gateway" || len(list[0].Extra) != 3 {
		t.Fatalf("the block entities are %+v", list)
	}
	var exit []int32
	if err := list[0].Extra[1].Value.Decode(&exit); err != nil || !slices.Equal(exit, []int32{100, 50, 0}) {
		t.Errorf("the exit is %v, %v", exit, err)
	}
	load(t, `"end_gateway_delayed"`).Place(c, 8, 20, 8)
	if list = chunks[4].BlockEntities; len(list) != 1 || len(list[0].Extra) != 1 {
		t.Errorf("a gateway without an exit is %+v", list)
	}
}

func TestChorusPlantsEndInFlowers(t *testing.T) {
	c, _ := featuretest.Flat(block.EndStone.Default(), testbed.Seed(t))
	f := load(t, `"chorus_plant"`)
	f.Place(c, 8, featuretest.FlatTop+1, 8)
	if got := c.Block(8, featuretest.FlatTop+1, 8); !got.Air() {
		t.Errorf("%v stands in the air", got)
	}
	f.Place(c, 8, featuretest.FlatTop, 8)
	plants, flowers := 0, 0
	sides := map[string][3]int{
		"down": {0, -1, 0}, "up": {0, 1, 0}, "north": {0, 0, -1}, "south": {0, 0, 1}, "west": {-1, 0, 0}, "east": {1, 0, 0},
	}
	for x := -16; x < 32; x++ {
		for z := -16; z < 32; z++ {
			for y := featuretest.FlatTop; y < c.Top(); y++ {
				switch s := c.Block(x, y, z); s.Block() {
				case block.ChorusFlower:
					flowers++
				case block.ChorusPlant:
					plants++
					for side, d := range sides {
						near := c.Block(x+d[0], y+d[1], z+d[2]).Block()
						joined := near == block.ChorusPlant || near == block.ChorusFlower || side == "down" && near == block.EndStone
						if near != block.ChorusFlower && joined != (s.Property(side) == "true") {
							t.Errorf("%v at %d,%d,%d has %v to the %s", s, x, y, z, near, side)
						}
					}
				}
			}
		}
	}
	if plants < 2 || flowers < 1 {
		t.Errorf("%d blocks of plants, %d flowers", plants, flowers)
	}
}
