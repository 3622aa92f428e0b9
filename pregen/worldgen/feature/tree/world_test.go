package tree_test

import (
	"maps"
	"os"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/tree"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

const native = 4903

// world decorates chunks of a dimension of the game's own.
type world struct {
	maker     *gen.Maker
	dimension *gen.Dimension
	decorator *feature.Decorator
	made      map[made]*proto.Chunk
}

// made says what a chunk was made to.
type made struct {
	x, z int32
	to   chunk.Status
}

func builtin(t testing.TB) settings.Source {
	t.Helper()
	source, err := settings.Builtin(native)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func newLoader(t testing.TB) *feature.Loader {
	t.Helper()
	factories := feature.Core()
	maps.Copy(factories, tree.Factories())
	return feature.NewLoader(builtin(t), factories, func(string) {})
}

func newWorld(t testing.TB, seed int64, id string) *world {
	t.Helper()
	source := builtin(t)
	created, err := preset.New(source, preset.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	generator, err := gen.New(gen.Options{Source: source, Settings: created, DataVersion: native})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{made: make(map[made]*proto.Chunk)}
	if w.dimension, err = generator.Dimension("minecraft:" + id); err != nil {
		t.Fatal(err)
	}
	w.maker = w.dimension.NewMaker()
	minY, height := w.dimension.Range()
	s := feature.Settings{
		Biomes: w.dimension.Biomes(), Seed: seed, Zoom: climate.NewZoom(seed), MinY: minY, Height: height,
		SeaLevel: 63, Span: provider.Span{MinY: int32(minY), Height: int32(height)},
	}
	if id == "the_nether" {
		s.SeaLevel, s.Span.Height = 32, 128
	}
	system, err := feature.Load(newLoader(t), s)
	if err != nil {
		t.Fatal(err)
	}
	w.decorator = system.NewDecorator(func(x, z int32) *proto.Chunk { return w.make(x, z, chunk.StatusBiomes) })
	return w
}

func (w *world) make(x, z int32, to chunk.Status) *proto.Chunk {
	if c := w.made[made{x, z, to}]; c != nil {
		return c
	}
	c := w.dimension.New()
	c.Reset(x, z)
	if err := w.maker.Advance(c, chunk.StatusEmpty, to); err != nil {
		panic(err)
	}
	w.made[made{x, z, to}] = c
	return c
}

// rank is the order in which chunks near each other are decorated.
func rank(x, z int32) int {
	return [3][3]int{{0, 1, 2}, {7, 6, 3}, {8, 5, 4}}[(z%3+3)%3][(x%3+3)%3]
}

// reverse is the other way round.
func reverse(x, z int32) int { return 8 - rank(x, z) }

// decorated makes a chunk with all that it and its neighbours build in it.
func (w *world) decorated(x, z int32, rank func(x, z int32) int) *feature.Chunk {
	chunks := make(map[[2]int32]*feature.Chunk)
	for i := range int32(25) {
		cx, cz := x+i%5-2, z+i/5-2
		from := w.make(cx, cz, chunk.StatusCarvers)
		own := *from
		own.Blocks = append([]block.State(nil), from.Blocks...)
		own.Marks = append([]int32(nil), from.Marks...)
		chunks[[2]int32{cx, cz}] = feature.NewChunk(&own)
	}
	for turn := range 9 {
		for i := range int32(9) {
			cx, cz := x+i%3-1, z+i/3-1
			if rank(cx, cz) != turn {
				continue
			}
			var nine [9]*feature.Chunk
			for j := range nine {
				nine[j] = chunks[[2]int32{cx + int32(j%3) - 1, cz + int32(j/3) - 1}]
			}
			w.decorator.Decorate(nine, nil)
		}
	}
	if len(w.made) > 1200 {
		clear(w.made)
	}
	return chunks[[2]int32{x, z}]
}

// realChunks calls a function for full chunks of real worlds, at most limit of a
// world; STRATA_LONG_RUNS takes all.
func realChunks(t *testing.T, dimension string, limit int, do func(w *world, saved *chunk.Chunk)) (chunks int) {
	t.Helper()
	if os.Getenv("STRATA_LONG_RUNS") != "" {
		limit = 1 << 30
	}
	for _, from := range oracletest.Worlds[:3] {
		saved := oracletest.Chunks(t, chunk.NewTables(), from.Folder, dimension, "full")
		if len(saved) == 0 {
			continue
		}
		w := newWorld(t, from.Seed, dimension)
		for _, c := range saved[:min(limit, len(saved))] {
			do(w, c)
			chunks++
		}
	}
	return chunks
}
