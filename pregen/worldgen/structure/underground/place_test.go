package underground_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
	"strata/pregen/worldgen/structure/underground"
)

// builder decorates chunks of a dimension with the structures of this package.
type builder struct {
	*featuretest.World
	structures *structure.System
	layouter   *structure.Layouter
	decorator  *feature.Decorator
}

func newBuilder(t testing.TB, seed int64, dimension string, templates *template.Library) *builder {
	t.Helper()
	b := &builder{World: featuretest.NewWorld(t, seed, dimension, gen.Factories())}
	source, err := settings.Builtin(featuretest.Native)
	if err != nil {
		t.Fatal(err)
	}
	b.layouter = b.Dimension.NewLayouter(templates)
	loader := structure.NewLoader(source, templates, underground.Factories())
	loader.Span = b.layouter.Span
	if b.structures, err = structure.Load(loader, b.Dimension.Biomes(), seed); err != nil {
		t.Fatal(err)
	}
	b.decorator = b.System.NewDecorator(b.Carved)
	return b
}

// Orders of decoration beside those of featuretest.
var (
	rows    featuretest.Order = func(x, z int32) int { return int((z%3+3)%3*3 + (x%3+3)%3) }
	columns featuretest.Order = func(x, z int32) int { return int(8 - (x%3+3)%3*3 - (z%3+3)%3) }
)

// decorated makes a chunk with all that it and its neighbours build in it, in
// an order, and returns the starts that reach into it.
func (b *builder) decorated(x, z int32, order featuretest.Order) (*feature.Chunk, []*structure.Start) {
	starts := b.structures.NewKnown(nil).NewStarts(b.layouter)
	chunks := make(map[[2]int32]*feature.Chunk)
	at := func(x, z int32) *feature.Chunk {
		key := [2]int32{x, z}
		if chunks[key] == nil {
			own := *b.Carved(x, z)
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
			b.decorator.Decorate(nine, starts)
		}
	}
	var reach []*structure.Start
	starts.Referring(x, z, func(s *structure.Start) { reach = append(reach, s) })
	return at(x, z), reach
}

// touched reports whether a piece lies in a chunk.
func (b *builder) touched(x, z int32) (touched bool) {
	b.structures.NewKnown(nil).NewStarts(b.layouter).Referring(x, z, func(s *structure.Start) {
		for _, p := range s.Pieces {
			touched = touched || p.Common().Box.MeetsColumns(x<<4, z<<4, x<<4+15, z<<4+15)
		}
	})
	return touched
}

// within returns the id of the first piece that a block is in, empty for none.
func within(starts []*structure.Start, x, y, z int32) string {
	for _, s := range starts {
		for _, p := range s.Pieces {
			if p.Common().Box.Contains(x, y, z) {
				return p.Common().ID
			}
		}
	}
	return ""
}

// ours are blocks that are seldom there but for structures of this package.
var ours = []block.ID{
	block.OakFence, block.DarkOakFence, block.IronChain, block.NetherBricks, block.NetherBrickFence, block.Cobweb,
	block.Rail,
}

// score compares blocks within pieces, and the structures' own blocks beside
// them, such as pillars.
type score struct {
	chunks, exact, right, wrong, open, beside int

	pairs map[string]int
	by    map[string]int // how many of those right are in a kind of piece
}

func newScore() *score { return &score{pairs: make(map[string]int), by: make(map[string]int)} }

// later reports whether a block came there after the chunk was made: fluids
// flow, and blocks that were marked are joined to their neighbours.
func later(want, got block.State) bool {
	if want.Fluid() != block.NoFluid && !want.FluidSource() {
		return true
	}
	return want.Block() == got.Block() && (got.Block().Kind() == "fence" || got.Block().Kind() == "iron_bars")
}

// compare compares a real chunk with ours, in several orders of decoration.
func (s *score) compare(saved *chunk.Chunk, made []*feature.Chunk, starts []*structure.Start) (wrong int) {
	first := made[0]
	inside := 0
	for i, got := range first.Blocks {
		x, y, z := first.X<<4+int32(i&15), int32(first.MinY+i>>8), first.Z<<4+int32(i>>4&15)
		want := saved.Block(i&15, int(y), i>>4&15)
		piece := within(starts, x, y, z)
		if piece != "" {
			inside++
		} else if slices.Contains(ours, want.Block()) || slices.Contains(ours, got.Block()) {
			s.beside++
		} else {
			continue
		}
		switch {
		case want == got:
			s.right++
			s.by[piece]++
		case slices.ContainsFunc(made, func(c *feature.Chunk) bool { return c.Blocks[i] != got }) || later(want, got):
			s.open++
		default:
			wrong++
			s.pairs[short(want)+" is "+short(got)]++
		}
	}
	s.wrong += wrong
	if inside > 0 {
		s.chunks++
		if wrong == 0 {
			s.exact++
		}
	}
	return wrong
}

func short(s block.State) string { return strings.TrimPrefix(s.String(), "minecraft:") }

// entities returns the block entities of a real chunk that are in pieces, and
// that ours does not have.
func missingEntities(t *testing.T, saved *chunk.Chunk, made *feature.Chunk, starts []*structure.Start) (missing []string, found int) {
	t.Helper()
	theirs, err := saved.BlockEntities()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range theirs {
		if within(starts, e.Pos.X, e.Pos.Y, e.Pos.Z) == "" {
			continue
		}
		var loot struct {
			Table string `nbt:"LootTable"`
			Seed  int64  `nbt:"LootTableSeed"`
		}
		if err := e.NBT.Decode(&loot); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(made.BlockEntities, func(o feature.BlockEntity) bool {
			return o.X == e.Pos.X && o.Y == e.Pos.Y && o.Z == e.Pos.Z && o.ID == e.ID &&
				o.LootTable == loot.Table && o.LootSeed == loot.Seed
		}) {
			found++
		} else {
			missing = append(missing, e.ID)
		}
	}
	return missing, found
}

// marks compares which blocks in pieces are marked to be fitted to their
// neighbours, in a real chunk that never ticked and in ours.
func marks(t *testing.T, saved *chunk.Chunk, made *feature.Chunk, starts []*structure.Start) (both, differ int) {
	t.Helper()
	theirs, err := saved.Marks(chunk.PostProcessing)
	if err != nil {
		t.Fatal(err)
	}
	met := make(map[int]int)
	for _, at := range theirs {
		if within(starts, at.X, at.Y, at.Z) != "" {
			met[made.Index(int(at.X&15), int(at.Y), int(at.Z&15))] |= 1
		}
	}
	for _, i := range made.Marks {
		if within(starts, made.X<<4+i&15, int32(made.MinY)+i>>8, made.Z<<4+i>>4&15) != "" {
			met[int(i)] |= 2
		}
	}
	for _, in := range met {
		if in == 3 {
			both++
		} else {
			differ++
		}
	}
	return both, differ
}

// TestBlocksOfPiecesAreThoseOfRealWorlds compares the blocks of full chunks
// where there are pieces.
func TestBlocksOfPiecesAreThoseOfRealWorlds(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	orders := []featuretest.Order{featuretest.Rank, featuretest.Reverse, rows, columns}
	templates := template.Builtin()
	limit := 1
	if os.Getenv("STRATA_ALL_CHUNKS") != "" {
		limit = 1000
	}
	for _, c := range []struct {
		dimension, match string
		least            float64
	}{
		{"overworld", "mineshaft", 0.999}, {"overworld", "buried_treasure", 1},
		{"the_nether", "fortress", 1},
	} {
		s := newScore()
		var b *builder
		var missing []string
		folder, n, entities, marked := "", 0, 0, 0
		for _, saved := range featuretest.RealChunks(t, c.dimension) {
			if !slices.ContainsFunc(saved.Structures, func(id string) bool { return strings.Contains(id, c.match) }) {
				continue
			}
			if saved.Folder != folder {
				folder, n, b = saved.Folder, 0, nil
			}
			if n >= limit {
				continue
			}
			if b == nil {
				b = newBuilder(t, saved.Seed, c.dimension, templates)
			}
			pos := saved.Pos()
			if !b.touched(pos.X, pos.Z) {
				continue
			}
			n++
			made := make([]*feature.Chunk, len(orders))
			var starts []*structure.Start
			for i, order := range orders {
				made[i], starts = b.decorated(pos.X, pos.Z, order)
			}
			if wrong := s.compare(saved.Chunk, made, starts); wrong > 0 {
				t.Logf("%s %d,%d (tier %s): %d wrong", saved.Folder, pos.X, pos.Z, saved.Tier, wrong)
			}
			if saved.Tier == "A" {
				both, differ := marks(t, saved.Chunk, made[0], starts)
				marked += both
				if differ > 0 {
					t.Errorf("%s %d,%d: %d marks differ", saved.Folder, pos.X, pos.Z, differ)
				}
			}
			lost, found := missingEntities(t, saved.Chunk, made[0], starts)
			missing = append(missing, lost...)
			entities += found
		}
		t.Logf("%s: %d of %d chunks exact; of the blocks %d right (%d of all are beside pieces), %d wrong, %d open or later; right by pieces %v; %d block entities, %d marks",
			c.match, s.exact, s.chunks, s.right, s.beside, s.wrong, s.open, s.by, entities, marked)
		t.Log(featuretest.Top(s.pairs, 40))
		if !(float64(s.right) >= c.least*float64(s.right+s.wrong)) || s.right == 0 {
			t.Errorf("%s: %d of %d blocks are right", c.match, s.right, s.right+s.wrong)
		}
		if len(missing) > 0 {
			t.Errorf("%s: missing block entities %v", c.match, missing)
		}
	}
}
