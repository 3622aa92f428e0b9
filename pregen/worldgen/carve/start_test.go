package carve_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/pregen/worldgen/carve"
	"strata/pregen/worldgen/proto"
)

// mask returns what a worker carves of an empty chunk.
func mask(w *carve.Worker, d dimension, x, z int32) []uint64 {
	c := proto.New(d.minY, d.height)
	c.Reset(x, z)
	w.Carve(c, pool{}, pool{})
	return c.Carved
}

func TestMaskDoesNotDependOnTheTerrain(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	states := []block.State{0, block.MustParse("stone"), block.MustParse("water"), block.MustParse("grass_block"),
		block.MustParse("dirt"), block.MustParse("netherrack"), block.MustParse("bedrock")}
	for _, d := range []dimension{overworld, nether} {
		worker := load(t, d).NewWorker(int64(random.Uint64()), nil)
		carved := false
		for range 30 {
			c := proto.New(d.minY, d.height)
			c.Reset(random.Int32N(1000), random.Int32N(1000))
			for i := range c.Blocks {
				c.Blocks[i] = states[random.IntN(len(states))]
			}
			c.ComputeHeights()
			p := pool{state: states[random.IntN(3)], solid: random.IntN(2) == 0, mark: true, top: states[1]}
			worker.Carve(c, p, p)
			want := mask(worker, d, c.X, c.Z)
			if !slices.Equal(c.Carved, want) {
				t.Errorf("%s: the mask of chunk %d, %d depends on its blocks", d.folder, c.X, c.Z)
			}
			carved = carved || slices.ContainsFunc(want, func(word uint64) bool { return word != 0 })
		}
		if !carved {
			t.Errorf("%s: nothing was carved in thirty chunks", d.folder)
		}
	}
}

// What a worker remembers changes nothing, whatever it carved before: near,
// far, and far enough to share slots of its cache.
func TestRememberedStartsAreThoseDrawnAnew(t *testing.T) {
	seed := testbed.Seed(t)
	random := rand.New(rand.NewPCG(uint64(seed), 2))
	for _, d := range []dimension{overworld, nether} {
		carvers := load(t, d)
		worker := carvers.NewWorker(seed, nil)
		x, z := int32(-7), int32(30)
		for n := range 24 {
			switch random.IntN(4) {
			case 0:
				x, z = random.Int32N(1<<20)-1<<19, random.Int32N(1<<20)-1<<19
			case 1:
				x += 32
			default:
				x, z = x+random.Int32N(3)-1, z+random.Int32N(3)-1
			}
			got := mask(worker, d, x, z)
			if want := mask(carvers.NewWorker(seed, nil), d, x, z); !slices.Equal(got, want) {
				t.Fatalf("%s, step %d: chunk %d, %d depends on what came before", d.folder, n, x, z)
			}
		}
	}
}

func TestBiomesOfADimensionAgree(t *testing.T) {
	biomes := map[string][]string{}
	for _, id := range allBiomes(t) {
		list := carversOf(t, id)
		biomes[list] = append(biomes[list], id)
	}
	for list, want := range map[string]int{
		`["minecraft:cave","minecraft:cave_extra_underground","minecraft:canyon"]`: 55,
		`"minecraft:nether_cave"`: 5,
		`[]`:                      6, // of the End, and the void
	} {
		if got := len(biomes[list]); got != want {
			t.Errorf("%d biomes have carvers %s, want %d", got, list, want)
		}
	}
}

func TestChunksAtTheEndOfTheWorldAreCarved(t *testing.T) {
	worker := load(t, overworld).NewWorker(1, nil)
	for _, x := range []int32{1875000, -1875001, 1<<27 - 1, -1 << 27} {
		mask(worker, overworld, x, -x)
	}
}

func TestWarmWorkerDoesNotAllocate(t *testing.T) {
	worker := load(t, overworld).NewWorker(99, nil)
	c := proto.New(overworld.minY, overworld.height)
	stone := block.MustParse("stone")
	c.Marks = make([]int32, 0, 1<<16)
	var p carve.Aquifer = pool{state: block.MustParse("water"), mark: true}
	var s carve.Surface = pool{}
	carveAt := func(x int32) {
		c.Reset(x, 0)
		for i := range c.Blocks {
			c.Blocks[i] = stone
		}
		worker.Carve(c, p, s)
	}
	for x := range int32(16) {
		carveAt(x)
	}
	if n := testing.AllocsPerRun(3, func() {
		for x := range int32(16) {
			carveAt(x)
		}
	}); n != 0 {
		t.Errorf("carving 16 chunks again allocates %v times", n)
	}
}
