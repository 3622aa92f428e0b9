package featuretest

import (
	"slices"
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

// Native is the data version whose documents are used.
const Native = 4903

// World decorates chunks of a dimension of the game's own.
type World struct {
	Dimension *gen.Dimension
	System    *feature.System
	// Missing counts the features that build nothing, by type.
	Missing map[string]int

	maker     *gen.Maker
	decorator *feature.Decorator
	biomes    map[[2]int32]*proto.Chunk
	carved    map[[2]int32]*proto.Chunk
}

// NewWorld returns the world of a seed. dimension is such as "the_nether".
// Features of types without a factory build nothing.
func NewWorld(t testing.TB, seed int64, dimension string, factories map[string]feature.Factory) *World {
	t.Helper()
	return NewWorldOf(t, Native, seed, dimension, factories)
}

// NewWorldOf is NewWorld with the documents of a data version.
func NewWorldOf(t testing.TB, version int32, seed int64, dimension string, factories map[string]feature.Factory) *World {
	t.Helper()
	source, err := settings.Builtin(version)
	if err != nil {
		t.Fatal(err)
	}
	created, err := preset.New(source, preset.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	made, err := gen.New(gen.Options{Source: source, Settings: created, DataVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	w := &World{biomes: make(map[[2]int32]*proto.Chunk), carved: make(map[[2]int32]*proto.Chunk), Missing: make(map[string]int)}
	if w.Dimension, err = made.Dimension("minecraft:" + dimension); err != nil {
		t.Fatal(err)
	}
	w.maker = w.Dimension.NewMaker()
	minY, height := w.Dimension.Range()
	span := provider.Span{MinY: int32(minY), Height: int32(height)}
	seaLevel := 63
	switch dimension {
	case "the_nether":
		span.Height, seaLevel = 128, 32
	case "the_end":
		span.Height, seaLevel = 128, 0
	}
	loader := feature.NewLoader(source, factories, func(kind string) { w.Missing[kind]++ })
	w.System, err = feature.Load(loader, feature.Settings{
		Biomes: w.Dimension.Biomes(), Seed: seed, Zoom: climate.NewZoom(seed),
		MinY: minY, Height: height, SeaLevel: seaLevel, Span: span,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.decorator = w.System.NewDecorator(func(x, z int32) *proto.Chunk { return w.advance(w.biomes, x, z, chunk.StatusBiomes) })
	return w
}

// Carved returns a chunk at carvers, which must not be changed.
func (w *World) Carved(x, z int32) *proto.Chunk {
	return w.advance(w.carved, x, z, chunk.StatusCarvers)
}

func (w *World) advance(known map[[2]int32]*proto.Chunk, x, z int32, to chunk.Status) *proto.Chunk {
	if c := known[[2]int32{x, z}]; c != nil {
		return c
	}
	c := w.Dimension.New()
	c.Reset(x, z)
	if err := w.maker.Advance(c, chunk.StatusEmpty, to); err != nil {
		panic(err)
	}
	known[[2]int32{x, z}] = c
	return c
}

// Order gives the turn of a chunk. Chunks of one turn are not near each other,
// or it does not matter which is first.
type Order func(x, z int32) int

// The order that pregeneration keeps, and its reverse.
var (
	Rank    Order = func(x, z int32) int { return ranks[mod(z)][mod(x)] }
	Reverse Order = func(x, z int32) int { return 8 - Rank(x, z) }
)

// From is the order of distance from a place, as chunks are made around a
// player.
func From(x, z int32) Order {
	return func(chunkX, chunkZ int32) int {
		dx, dz := int(chunkX-x), int(chunkZ-z)
		return dx*dx + dz*dz
	}
}

var ranks = [3][3]int{{0, 1, 2}, {7, 6, 3}, {8, 5, 4}}

func mod(n int32) int { return int(n%3+3) % 3 }

// cachedChunks is how many carved chunks a World remembers.
const cachedChunks = 600

// Decorated makes a chunk with all that it and the chunks within reach of it
// build in it, in an order.
func (w *World) Decorated(x, z, reach int32, order Order) *feature.Chunk {
	var list [][2]int32
	for dx := -reach; dx <= reach; dx++ {
		for dz := -reach; dz <= reach; dz++ {
			list = append(list, [2]int32{x + dx, z + dz})
		}
	}
	slices.SortStableFunc(list, func(a, b [2]int32) int { return order(a[0], a[1]) - order(b[0], b[1]) })
	return w.DecoratedAs(x, z, list)
}

// DecoratedAs is Decorated with the chunks around in the order of a list.
func (w *World) DecoratedAs(x, z int32, order [][2]int32) *feature.Chunk {
	return w.DecoratedAll(order)[[2]int32{x, z}]
}

// DecoratedAll decorates the chunks of a list in its order, and returns them and
// their neighbours.
func (w *World) DecoratedAll(order [][2]int32) map[[2]int32]*feature.Chunk {
	if len(w.carved) > cachedChunks {
		clear(w.carved)
		clear(w.biomes)
	}
	chunks := make(map[[2]int32]*feature.Chunk)
	at := func(x, z int32) *feature.Chunk {
		if c := chunks[[2]int32{x, z}]; c != nil {
			return c
		}
		from := w.Carved(x, z)
		own := *from
		own.Blocks = append([]block.State(nil), from.Blocks...)
		own.Marks = append([]int32(nil), from.Marks...)
		c := feature.NewChunk(&own)
		chunks[[2]int32{x, z}] = c
		return c
	}
	for _, p := range order {
		var nine [9]*feature.Chunk
		for i := range nine {
			nine[i] = at(p[0]+int32(i%3)-1, p[1]+int32(i/3)-1)
		}
		w.decorator.Decorate(nine, nil)
	}
	return chunks
}
