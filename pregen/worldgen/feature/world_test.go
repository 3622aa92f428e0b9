package feature_test

import (
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/gen"
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
	system    *feature.System
	decorator *feature.Decorator
	biomes    map[[2]int32]*proto.Chunk
	carved    map[[2]int32]*proto.Chunk
	missing   map[string]int
}

func newWorld(t testing.TB, seed int64, id string) *world {
	t.Helper()
	source, err := settings.Builtin(native)
	if err != nil {
		t.Fatal(err)
	}
	created, err := preset.New(source, preset.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	made, err := gen.New(gen.Options{Source: source, Settings: created, DataVersion: native})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{biomes: make(map[[2]int32]*proto.Chunk), carved: make(map[[2]int32]*proto.Chunk), missing: make(map[string]int)}
	if w.dimension, err = made.Dimension("minecraft:" + id); err != nil {
		t.Fatal(err)
	}
	w.maker = w.dimension.NewMaker()
	minY, height := w.dimension.Range()
	span := provider.Span{MinY: int32(minY), Height: int32(height)}
	seaLevel := 63
	switch id {
	case "the_nether":
		span.Height, seaLevel = 128, 32
	case "the_end":
		span.Height, seaLevel = 128, 0
	}
	loader := feature.NewLoader(source, feature.Core(), func(kind string) { w.missing[kind]++ })
	w.system, err = feature.Load(loader, feature.Settings{
		Biomes: w.dimension.Biomes(), Seed: seed, Zoom: climate.NewZoom(seed),
		MinY: minY, Height: height, SeaLevel: seaLevel, Span: span,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.decorator = w.system.NewDecorator(w.cells)
	return w
}

func (w *world) cells(x, z int32) *proto.Chunk { return w.make(w.biomes, x, z, chunk.StatusBiomes) }

func (w *world) make(known map[[2]int32]*proto.Chunk, x, z int32, to chunk.Status) *proto.Chunk {
	if c := known[[2]int32{x, z}]; c != nil {
		return c
	}
	c := w.dimension.New()
	c.Reset(x, z)
	if err := w.maker.Advance(c, chunk.StatusEmpty, to); err != nil {
		panic(err)
	}
	known[[2]int32{x, z}] = c
	return c
}

// rank is the order in which chunks near each other are decorated.
func rank(x, z int32) int {
	return [3][3]int{{0, 1, 2}, {7, 6, 3}, {8, 5, 4}}[(z%3+3)%3][(x%3+3)%3]
}

// reverse is the other way round.
func reverse(x, z int32) int { return 8 - rank(x, z) }

// decorated makes a chunk with all that it and its neighbours build in it. What
// chunks farther away build is not there.
func (w *world) decorated(x, z int32, rank func(x, z int32) int) *feature.Chunk {
	chunks := make(map[[2]int32]*feature.Chunk)
	for dx := int32(-2); dx <= 2; dx++ {
		for dz := int32(-2); dz <= 2; dz++ {
			from := w.make(w.carved, x+dx, z+dz, chunk.StatusCarvers)
			own := *from
			own.Blocks = append([]block.State(nil), from.Blocks...)
			own.Marks = append([]int32(nil), from.Marks...)
			chunks[[2]int32{x + dx, z + dz}] = feature.NewChunk(&own)
		}
	}
	for turn := range 9 {
		for dx := int32(-1); dx <= 1; dx++ {
			for dz := int32(-1); dz <= 1; dz++ {
				if rank(x+dx, z+dz) == turn {
					w.decorator.Decorate(around(chunks, x+dx, z+dz), nil)
				}
			}
		}
	}
	if len(w.carved) > 600 {
		clear(w.carved)
		clear(w.biomes)
	}
	return chunks[[2]int32{x, z}]
}

func around(chunks map[[2]int32]*feature.Chunk, x, z int32) (nine [9]*feature.Chunk) {
	for i := range nine {
		nine[i] = chunks[[2]int32{x + int32(i%3) - 1, z + int32(i/3) - 1}]
	}
	return nine
}
