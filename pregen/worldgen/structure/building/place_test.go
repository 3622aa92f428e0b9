package building_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/building"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
)

// world decorates chunks of a dimension with the structures of this package.
type world struct {
	*featuretest.World
	system    *structure.System
	layouter  func() *structure.Layouter
	decorator *feature.Decorator
}

func newWorld(t testing.TB, seed int64, dimension string, templates *template.Library) *world {
	t.Helper()
	w := &world{World: featuretest.NewWorld(t, seed, dimension, gen.Factories())}
	w.system, _ = structuretest.Load(t, seed, featuretest.Native, dimension, templates, building.Factories())
	w.layouter = func() *structure.Layouter { return w.Dimension.NewLayouter(templates) }
	w.decorator = w.World.System.NewDecorator(w.Carved)
	return w
}

// decorated makes a chunk with all that it and its neighbours build in it, in
// an order, and returns the starts that reach into it.
func (w *world) decorated(x, z int32, order featuretest.Order) (*feature.Chunk, []*structure.Start) {
	starts := w.system.NewKnown(nil).NewStarts(w.layouter())
	chunks := make(map[[2]int32]*feature.Chunk)
	at := func(x, z int32) *feature.Chunk {
		key := [2]int32{x, z}
		if chunks[key] == nil {
			own := *w.Carved(x, z)
			own.Blocks = slices.Clone(own.Blocks)
			own.Marks = slices.Clone(own.Marks)
			chunks[key] = feature.NewChunk(&own)
		}
		return chunks[key]
	}
	for turn := range 9 {
		for i := range int32(9) {
			cx, cz := x+i%3-1, z+i/3-1
			if order(cx, cz) != turn {
				continue
			}
			var nine [9]*feature.Chunk
			for n := range nine {
				nine[n] = at(cx+int32(n%3)-1, cz+int32(n/3)-1)
			}
			w.decorator.Decorate(nine, starts)
		}
	}
	var reach []*structure.Start
	starts.Referring(x, z, func(s *structure.Start) { reach = append(reach, s) })
	return at(x, z), reach
}

// kinds are the structures whose blocks are compared, by dimension and a part
// of their ids, with the least share of blocks that are right: what features
// and time did to the rest is not this package's.
var kinds = []struct {
	dimension, match string
	least            float64
}{
	{"overworld", "monument", 0.999}, {"overworld", "shipwreck", 0.997}, {"overworld", "ocean_ruin", 0.99},
	{"overworld", "ruined_portal", 0.999}, {"the_nether", "ruined_portal", 0.97},
}

// readAgain are chunks that the game had saved at carvers and read again before
// it decorated them. It then forgets the heights of generation and computes
// them anew when they are first asked for: here in the midst of a portal.
var readAgain = map[string]bool{"vanilla-a -106,250": true}

// agreement counts blocks within pieces.
type agreement struct {
	chunks, exact, right, wrong, open int
	loot, wrongLoot                   int
	pairs                             map[string]int
}

// compareLoot compares the loot of block entities in pieces.
func (a *agreement) compareLoot(t *testing.T, saved *chunk.Chunk, ours *feature.Chunk, starts []*structure.Start) {
	t.Helper()
	entities, err := saved.BlockEntities()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entities {
		var want struct {
			LootTable     string
			LootTableSeed int64
		}
		if err := e.NBT.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if want.LootTable == "" || !inPieces(starts, e.Pos.X, e.Pos.Y, e.Pos.Z) {
			continue
		}
		if slices.ContainsFunc(ours.BlockEntities, func(o feature.BlockEntity) bool {
			return o.ID == e.ID && o.X == e.Pos.X && o.Y == e.Pos.Y && o.Z == e.Pos.Z &&
				o.LootTable == want.LootTable && o.LootSeed == want.LootTableSeed
		}) {
			a.loot++
			continue
		}
		a.wrongLoot++
		t.Errorf("no %s with %+v at %v", e.ID, want, e.Pos)
	}
}

func inPieces(starts []*structure.Start, x, y, z int32) bool {
	return slices.ContainsFunc(starts, func(s *structure.Start) bool {
		return slices.ContainsFunc(s.Pieces, func(p structure.Piece) bool { return p.Common().Box.Contains(x, y, z) })
	})
}

func (a *agreement) compare(saved *chunk.Chunk, first, second *feature.Chunk, starts []*structure.Start) (wrong int) {
	blocks := 0
	for i, got := range first.Blocks {
		x, y, z := first.X<<4+int32(i&15), int32(first.MinY+i>>8), first.Z<<4+int32(i>>4&15)
		if !inPieces(starts, x, y, z) {
			continue
		}
		blocks++
		want := saved.Block(i&15, int(y), i>>4&15)
		switch {
		case want == got:
			a.right++
		case got != second.Blocks[i]:
			a.open++
		default:
			wrong++
			a.pairs[short(want)+" is "+short(got)]++
		}
	}
	if blocks > 0 {
		a.chunks++
		if wrong == 0 {
			a.exact++
		}
	}
	a.wrong += wrong
	return wrong
}

func short(s block.State) string { return strings.TrimPrefix(s.String(), "minecraft:") }

// TestBlocksOfPiecesAreThoseOfRealWorlds compares the blocks of full chunks
// where there are pieces.
func TestBlocksOfPiecesAreThoseOfRealWorlds(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	templates := building.Templates(t)
	limit := 2
	if os.Getenv("STRATA_ALL_CHUNKS") != "" {
		limit = 1 << 30
	}
	for _, kind := range kinds {
		a := &agreement{pairs: make(map[string]int)}
		var w *world
		folder := ""
		for _, saved := range featuretest.RealChunks(t, kind.dimension) {
			if !slices.ContainsFunc(saved.Structures, func(id string) bool { return strings.Contains(id, kind.match) }) {
				continue
			}
			pos := saved.Pos()
			if a.chunks >= limit || readAgain[fmt.Sprintf("%s %d,%d", saved.Folder, pos.X, pos.Z)] {
				continue
			}
			if saved.Folder != folder {
				folder, w = saved.Folder, newWorld(t, saved.Seed, kind.dimension, templates)
			}
			first, starts := w.decorated(pos.X, pos.Z, featuretest.Rank)
			second, _ := w.decorated(pos.X, pos.Z, featuretest.Reverse)
			wrong := a.compare(saved.Chunk, first, second, starts)
			a.compareLoot(t, saved.Chunk, first, starts)
			t.Logf("%s %d,%d %s: %d wrong; %v", saved.Folder, pos.X, pos.Z, saved.Tier, wrong, saved.Structures)
		}
		t.Logf("%s %s: %d chunks, %d exact; %d blocks right, %d wrong, %d open; loot %d right, %d wrong",
			kind.dimension, kind.match, a.chunks, a.exact, a.right, a.wrong, a.open, a.loot, a.wrongLoot)
		t.Log(featuretest.Top(a.pairs, 40))
		if share := float64(a.right) / float64(a.right+a.wrong); !(share >= kind.least) {
			t.Errorf("%s %s: %.4f of the blocks are right, want %.3f", kind.dimension, kind.match, share, kind.least)
		}
	}
}
