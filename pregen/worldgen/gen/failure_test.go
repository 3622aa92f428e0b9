package gen_test

import (
	"errors"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/pregen"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/terrain"
	"strata/region"
)

// bad is the chunk whose decoration fails.
var bad = region.ChunkPos{X: 1, Z: 0}

// lacking are structures of which one has no blocks at hand.
type lacking struct{ in region.ChunkPos }

func (l *lacking) NewWorker(*gen.Maker) gen.StructuresWorker { return l }
func (l *lacking) NewRecord(func(region.ChunkPos) (*chunk.Chunk, error)) gen.StructuresRecord {
	return nil
}
func (l *lacking) Use(gen.StructuresRecord)             {}
func (l *lacking) Place(*feature.Context, int64, int32) {}
func (l *lacking) Beard(int32, int32, *terrain.Beard)   {}
func (l *lacking) Store(*chunk.Chunk) error             { return nil }
func (l *lacking) Wanting(x, z int32) int {
	if x == l.in.X && z == l.in.Z {
		return 1
	}
	return 0
}

// rankOf is the order of decoration, as it is promised.
func rankOf(p region.ChunkPos) int {
	return [3][3]int{{0, 1, 2}, {7, 6, 3}, {8, 5, 4}}[(p.Z%3+3)%3][(p.X%3+3)%3]
}

// near calls f with the chunks within 2 of one.
func near(p region.ChunkPos, f func(region.ChunkPos)) {
	for dz := int32(-2); dz <= 2; dz++ {
		for dx := int32(-2); dx <= 2; dx++ {
			f(region.ChunkPos{X: p.X + dx, Z: p.Z + dz})
		}
	}
}

// unfinished are the chunks that are not decorated within a distance.
func unfinished(within int32) map[region.ChunkPos]bool {
	blocked := map[region.ChunkPos]bool{bad: true}
	for grown := true; grown; {
		grown = false
		for p := range blocked {
			near(p, func(q region.ChunkPos) {
				if distance(q) <= within && rankOf(q) > rankOf(p) && !blocked[q] {
					blocked[q], grown = true, true
				}
			})
		}
	}
	return blocked
}

func TestAChunkThatFailsLeavesThoseAfterItUnfinished(t *testing.T) {
	const radius = 4
	whole, _ := runTo(t, radius, anvil.End, pregen.Options{})
	want := chunks(t, whole, "the_end")
	fails := errors.New("it fails")
	for _, c := range []struct {
		name  string
		alter func(*gen.Generator)
		open  gen.OpenOptions
	}{
		{"panic", func(g *gen.Generator) {
			g.BeforeDecoration(func(x, z int32) {
				if x == bad.X && z == bad.Z {
					panic(fails)
				}
			})
		}, gen.OpenOptions{}},
		{"templates", nil, gen.OpenOptions{Structures: func(*gen.Dimension) (gen.Structures, error) { return &lacking{bad}, nil }}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := newWorldFolder(t)
			run := pregenRun{radius: radius, ids: []string{anvil.End}, open: c.open, alter: c.alter, structures: c.open.Structures != nil}
			report, err := run.in(t, t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			expectUnfinished(t, path, radius, report, c.alter != nil)
			// A later run takes them up, from what is stored.
			run.open.Structures, run.alter = nil, nil
			if _, err := run.in(t, t.Context(), path); err != nil {
				t.Fatal(err)
			}
			got := chunks(t, path, "the_end")
			for p, k := range want {
				if is := got[p]; is == nil || !sameChunk(t, k, is) {
					t.Errorf("chunk %v is another one than without the failure", p)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d chunks, want %d", len(got), len(want))
			}
		})
	}
}

// expectUnfinished checks the statuses of chunks around the bad one.
func expectUnfinished(t *testing.T, path string, radius int32, report *pregen.Report, failed bool) {
	t.Helper()
	blocked := unfinished(radius + 1)
	left := int64(0)
	for p, k := range chunks(t, path, "the_end") {
		if distance(p) > radius {
			continue
		}
		want := chunk.StatusFull
		near(p, func(q region.ChunkPos) {
			if blocked[q] {
				want = chunk.StatusInitializeLight
			}
		})
		if blocked[p] {
			want = chunk.StatusCarvers
		}
		if want != chunk.StatusFull {
			left++
		}
		if k.Status() != want {
			t.Errorf("chunk %v is at %s, want %v", p, k.StatusName(), want)
		}
	}
	got, other := report.LeftToGame, report.Failed
	if failed {
		got, other = report.Failed, report.LeftToGame
	}
	if got != left || other != 0 || left < 9 {
		t.Errorf("%+v: %d chunks are unfinished", report, left)
	}
	for _, f := range report.Failures {
		if !errors.Is(f.Err, gen.ErrUnfinished) {
			t.Errorf("chunk %v: %v", f.Pos, f.Err)
		}
	}
}
