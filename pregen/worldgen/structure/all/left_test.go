package all_test

import (
	"bytes"
	"os"
	"testing"

	"strata/anvil/chunk"
	"strata/pregen"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
	"strata/region"
)

// stored are chunks as they were saved.
type stored map[region.ChunkPos]*chunk.Chunk

func (s stored) read(pos region.ChunkPos) (*chunk.Chunk, error) {
	if c := s[pos]; c != nil {
		return c.Clone(), nil
	}
	return nil, pregen.ErrNotStored
}

// square is an area around a chunk.
type square struct {
	middle region.ChunkPos
	radius int32
}

// Contains implements pregen.Area.
func (s square) Contains(p region.ChunkPos) bool {
	return max(p.X-s.middle.X, s.middle.X-p.X, p.Z-s.middle.Z, s.middle.Z-p.Z) <= s.radius
}

// makeArea makes an area with what was stored before, and adds the chunks to to.
func makeArea(t *testing.T, seed int64, templates *template.Library, middle region.ChunkPos, radius int32, before, to stored) map[region.ChunkPos]bool {
	t.Helper()
	g, err := worldWith(t, seed, templates).NewGenerator("minecraft:overworld", chunk.StatusFeatures, chunk.NewTables())
	if err != nil {
		t.Fatal(err)
	}
	w, err := g.NewWorker()
	if err != nil {
		t.Fatal(err)
	}
	b := &pregen.Batch{
		Area: square{middle, radius},
		At:   region.ChunkPos{X: middle.X - radius - 2, Z: middle.Z - radius - 2}, Side: int(2*radius) + 5, Stored: before.read,
	}
	for z := middle.Z - radius - 2; z <= middle.Z+radius+2; z++ {
		for x := middle.X - radius - 2; x <= middle.X+radius+2; x++ {
			pos := region.ChunkPos{X: x, Z: z}
			wanted := pregen.Wanted{Pos: pos, Rim: !square{middle, radius}.Contains(pos)}
			if c := before[pos]; c != nil {
				wanted.Stored = c.Clone()
			}
			b.Chunks = append(b.Chunks, wanted)
		}
	}
	left := map[region.ChunkPos]bool{}
	err = w.Generate(t.Context(), b, func(m pregen.Made) error {
		if m.LeftToGame {
			left[m.Pos] = true
		}
		if m.Chunk != nil {
			to[m.Pos] = m.Chunk.Clone()
		}
		return m.Err
	})
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// Without game files chunks that need templates wait for them; with game files
// the world then becomes the one that they would have made at once.
func TestChunksWithoutGameFilesAreTakenUpWithThem(t *testing.T) {
	if os.Getenv("STRATA_LONG_RUNS") == "" {
		t.Skip("takes half a minute; STRATA_LONG_RUNS=1 runs it")
	}
	const seed, radius = 5, 3
	middle := nearest(t, seed, "overworld", "minecraft:village_plains", "minecraft:village_taiga")
	middle.X -= 5 // where the village ends
	files := structuretest.Templates(t)
	atOnce, without, then := stored{}, stored{}, stored{}
	if left := makeArea(t, seed, files, middle, radius, stored{}, atOnce); len(left) != 0 {
		t.Errorf("%d chunks are left to the game with game files", len(left))
	}
	left := makeArea(t, seed, template.Builtin(), middle, radius, stored{}, without)
	if len(left) == 0 || len(left) == (2*radius+1)*(2*radius+1) {
		t.Errorf("%d chunks are left to the game without game files", len(left))
	}
	equal := 0
	var enc chunk.Encoder
	encoded := func(c *chunk.Chunk) []byte {
		data, err := enc.Encode(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Clone(data)
	}
	for pos, c := range without {
		if (square{middle, radius}).Contains(pos) && !left[pos] {
			if equal++; !bytes.Equal(encoded(c), encoded(atOnce[pos])) {
				t.Errorf("chunk %v is another without game files", pos)
			}
		}
		then[pos] = c
	}
	makeArea(t, seed, files, middle, radius, without, then)
	for pos, c := range atOnce {
		if !bytes.Equal(encoded(c), encoded(then[pos])) {
			t.Errorf("chunk %v at %v is another than at once", pos, then[pos].Status())
		}
	}
	t.Logf("of %d chunks %d are left to the game and %d equal", (2*radius+1)*(2*radius+1), len(left), equal)
}
