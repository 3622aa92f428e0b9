package gen_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/light"
	"strata/nbt"
	"strata/pregen"
	"strata/region"
	"strata/region/codec"
)

// chunks reads the chunks of a dimension of a world on disk.
func chunks(t *testing.T, path, dimension string) map[region.ChunkPos]*chunk.Chunk {
	t.Helper()
	all := make(map[region.ChunkPos]*chunk.Chunk)
	tables := chunk.NewTables()
	names, err := filepath.Glob(filepath.Join(path, "dimensions/minecraft", dimension, "region/*.mca"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := region.Open(name, region.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		var inflate codec.Decoder
		for s := range region.Slot(region.Slots) {
			data, _, err := f.Decode(s, &inflate, nil, nil)
			if errors.Is(err, region.ErrAbsent) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			c, err := chunk.NewDecoder(tables).Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			all[c.Pos()] = c
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// distance is how far a chunk is from the origin's.
func distance(p region.ChunkPos) int32 { return max(p.X, -p.X, p.Z, -p.Z) }

// runTo makes a new world of a dimension and returns its folder.
func runTo(t *testing.T, radius int32, dimension string, o pregen.Options) (string, *pregen.Report) {
	t.Helper()
	path := newWorldFolder(t)
	report, err := runPregen(t, t.Context(), path, radius, []string{dimension}, o)
	if err != nil {
		t.Fatal(err)
	}
	return path, report
}

// The area is full, the ring around it is decorated, and of the next ring what
// was written into.
func TestRimIsSavedAsFarAsItHasCome(t *testing.T) {
	untouched := rimOf(t, anvil.Overworld, "overworld") + rimOf(t, anvil.End, "the_end")
	if untouched == 0 {
		t.Error("all of the outer ring is saved")
	}
}

func rimOf(t *testing.T, dimension, folder string) (untouched int) {
	t.Helper()
	const radius = 1
	path, report := runTo(t, radius, dimension, pregen.Options{})
	rim := int64(0)
	all := chunks(t, path, folder)
	for z := int32(-radius - 4); z <= radius+4; z++ {
		for x := int32(-radius - 4); x <= radius+4; x++ {
			p := region.ChunkPos{X: x, Z: z}
			c := all[p]
			switch d := distance(p) - radius; {
			case d <= 0:
				if c == nil || c.Status() != chunk.StatusFull || !c.LightOn() {
					t.Errorf("chunk %v of the area is not finished", p)
				}
				finished(t, c)
			case d == 1:
				if c == nil || c.Status() != chunk.StatusInitializeLight {
					t.Errorf("chunk %v beside the area is not decorated", p)
				}
				rim++
			case d == 2 && c != nil:
				mask, err := c.CarvingMask()
				if c.Status() != chunk.StatusCarvers || err != nil || len(mask) == 0 || !c.HasHeightmap(chunk.WorldSurfaceWG) || c.LightOn() {
					t.Errorf("chunk %v, which was written into, is at %s, %v", p, c.StatusName(), err)
				}
				rim++
			case d == 2:
				untouched++
			case c != nil:
				t.Errorf("chunk %v was saved", p)
			}
		}
	}
	if report.Rim != rim || report.New != 9 || rim < 16 {
		t.Errorf("%+v, %d chunks of the rim, %d untouched", report, rim, untouched)
	}
	return untouched
}

// finished checks what the game expects of a full chunk.
func finished(t *testing.T, c *chunk.Chunk) {
	t.Helper()
	for _, kind := range chunk.FinalHeightmaps {
		if !c.HasHeightmap(kind) {
			t.Errorf("chunk %v has no %v", c.Pos(), kind)
		}
	}
	if n := c.CheckHeightmaps(); n != 0 || c.HasHeightmap(chunk.WorldSurfaceWG) {
		t.Errorf("chunk %v: %d heights are not those of the blocks", c.Pos(), n)
	}
	for _, name := range []string{"carving_mask", "entities"} {
		if _, has := c.Member(name); has {
			t.Errorf("chunk %v has %s", c.Pos(), name)
		}
	}
	for _, name := range []string{"structures", "block_ticks", "fluid_ticks", "block_entities", "PostProcessing"} {
		if _, has := c.Member(name); !has {
			t.Errorf("chunk %v has no %s", c.Pos(), name)
		}
	}
}

// relit computes the light of a chunk from the stored blocks of its neighbours.
func relit(t *testing.T, all map[region.ChunkPos]*chunk.Chunk, p region.ChunkPos) *light.Chunk {
	t.Helper()
	area := light.Area{Width: 3, Depth: 3, Columns: make([]*light.Column, 9), Sky: true}
	for i := range area.Columns {
		c := all[region.ChunkPos{X: p.X + int32(i%3) - 1, Z: p.Z + int32(i/3) - 1}]
		if c == nil {
			continue
		}
		area.Columns[i] = new(light.Column)
		low, high := c.Range()
		if err := area.Columns[i].Set(low, high, light.ChunkBlocks{Chunk: c}, nil); err != nil {
			t.Fatal(err)
		}
	}
	var engine light.Engine
	if err := engine.Light(area); err != nil {
		t.Fatal(err)
	}
	var result light.Chunk
	if err := engine.Result(1, 1, &result); err != nil {
		t.Fatal(err)
	}
	return &result
}

// lightIsRight compares the light of stored chunks with that of their blocks.
func lightIsRight(t *testing.T, all map[region.ChunkPos]*chunk.Chunk) (checked int) {
	t.Helper()
	var encode chunk.Encoder
	for p, c := range all {
		if !c.LightOn() {
			continue
		}
		was, err := encode.Encode(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		if err := relit(t, all, p).Store(c); err != nil {
			t.Fatal(err)
		}
		is, err := encode.Encode(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(was, is) {
			t.Errorf("chunk %v has other light than its blocks and those of its neighbours give", p)
		}
		checked++
	}
	return checked
}

func TestLightIsThatOfTheFinalBlocks(t *testing.T) {
	path, _ := runTo(t, 1, anvil.Overworld, pregen.Options{})
	if n := lightIsRight(t, chunks(t, path, "overworld")); n != 9 {
		t.Errorf("%d chunks have light", n)
	}
}

// What a run leaves at its rim the next one goes on from: no tree is cut, and
// of chunks that were finished only the light may change.
func TestAnExtendedAreaIsThatOfALargerOne(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs: not under -short")
	}
	small, large := int32(1), int32(3)
	if long() {
		small, large = 8, 12
	}
	path, first := runTo(t, small, anvil.Overworld, pregen.Options{})
	before := chunks(t, path, "overworld")
	second, err := runPregen(t, t.Context(), path, large, []string{anvil.Overworld}, pregen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	side := int64(2*large + 1)
	if second.Existing != first.New || second.New != side*side-first.New || second.Failed != 0 {
		t.Errorf("%+v, then %+v", first, second)
	}
	after := chunks(t, path, "overworld")
	lightIsRight(t, after)
	for p, c := range before {
		if !c.Full() {
			continue
		}
		dropLight(after[p])
		dropLight(c)
		if !sameChunk(t, c, after[p]) {
			t.Errorf("chunk %v was finished, and has changed", p)
		}
	}
	direct, _ := runTo(t, large, anvil.Overworld, pregen.Options{})
	differ, farthest := 0, int32(0)
	for p, c := range chunks(t, direct, "overworld") {
		is := after[p]
		if is == nil {
			t.Errorf("chunk %v is not there", p)
			continue
		}
		if n := differences(c, is); n > 0 {
			differ += n
			farthest = max(farthest, distance(p)-small, small-distance(p))
		}
	}
	t.Logf("radius %d extended to %d: %d blocks differ from %d at once, at most %d chunks from the old rim", small, large, differ, large, farthest)
	if perChunk := differ / int(first.Rim); perChunk > 200 || farthest > 8 {
		t.Errorf("%d blocks for each chunk of the rim, %d chunks away", perChunk, farthest)
	}
}

func dropLight(c *chunk.Chunk) {
	c.RemoveLight()
	c.SetLightOn(true)
}

func sameChunk(t *testing.T, a, b *chunk.Chunk) bool {
	t.Helper()
	var encode chunk.Encoder
	x, err := encode.Encode(nil, a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := encode.Encode(nil, b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}

// differences counts the blocks in which two chunks differ.
func differences(a, b *chunk.Chunk) (n int) {
	var x, y [chunk.SectionCells]block.State
	low, high := a.Range()
	for s := low; s < high; s++ {
		a.SectionBlocks(s, &x)
		b.SectionBlocks(s, &y)
		for i := range x {
			if x[i] != y[i] {
				n++
			}
		}
	}
	return n
}

// A run that is stopped again and again comes to the files of one that is not,
// also where it continues what the world had.
func TestInterruptedRunsComeToTheSameFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs: not under -short")
	}
	radius, most := int32(2), 11
	if long() {
		radius, most = 5, 5
	}
	small := newWorldFolder(t)
	if _, err := runPregen(t, t.Context(), small, 0, []string{anvil.Nether}, pregen.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, begin := range []string{"", small} {
		whole, broken := begun(t, begin), begun(t, begin)
		if _, err := runPregen(t, t.Context(), whole, radius, []string{anvil.Nether}, pregen.Options{}); err != nil {
			t.Fatal(err)
		}
		stops := 0
		for ; ; stops++ {
			ctx, cancel := context.WithCancel(t.Context())
			made := 0
			o := pregen.Options{Seen: func(_ string, _ region.ChunkPos, s pregen.State) {
				if s == pregen.New {
					if made++; made == most {
						cancel()
					}
				}
			}, Workers: 1}
			_, err := runPregen(t, ctx, broken, radius, []string{anvil.Nether}, o)
			cancel()
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) || stops > 100 {
				t.Fatal(err)
			}
		}
		want, got := worldFiles(t, whole), worldFiles(t, broken)
		for name, data := range want {
			if got[name] != data {
				t.Errorf("from %q, %d stops: %s differs", filepath.Base(begin), stops, name)
			}
		}
		if len(got) != len(want) || stops < 2 {
			t.Errorf("%d files, want %d; %d stops", len(got), len(want), stops)
		}
	}
}

// begun is a new world, or a copy of one.
func begun(t *testing.T, of string) string {
	t.Helper()
	path := newWorldFolder(t)
	if of == "" {
		return path
	}
	if err := copyTree(filepath.Join(of, "dimensions"), filepath.Join(path, "dimensions")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return path
}

// copyTree copies a folder over another.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, name[len(from):])
		if e.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}

// membersOf lists the members of a chunk as it is written, and its heightmaps.
func membersOf(t *testing.T, c *chunk.Chunk) (names, maps []string) {
	t.Helper()
	var encode chunk.Encoder
	data, err := encode.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	var tape nbt.Tape
	if err := tape.Parse(data); err != nil {
		t.Fatal(err)
	}
	for name := range tape.Root().Members() {
		names = append(names, string(name))
	}
	for name := range tape.Root().Get("Heightmaps").Members() {
		maps = append(maps, string(name))
	}
	slices.Sort(names)
	slices.Sort(maps)
	return names, maps
}

// The members of chunks are those that the game itself writes at the status, as
// seen in worlds of 26.2; at carvers there are the heightmaps of generation
// beside.
func TestChunksHaveTheMembersOfTheGames(t *testing.T) {
	all := []string{
		"DataVersion", "Heightmaps", "InhabitedTime", "LastUpdate", "PostProcessing", "Status", "block_entities",
		"block_ticks", "fluid_ticks", "sections", "structures", "xPos", "yPos", "zPos",
	}
	final := []string{"MOTION_BLOCKING", "MOTION_BLOCKING_NO_LEAVES", "OCEAN_FLOOR", "WORLD_SURFACE"}
	want := map[chunk.Status]struct{ names, maps []string }{
		chunk.StatusFull:            {append(slices.Clone(all), "isLightOn"), final},
		chunk.StatusInitializeLight: {append(slices.Clone(all), "carving_mask", "entities"), final},
		chunk.StatusCarvers: {
			append(slices.Clone(all), "carving_mask", "entities"),
			append([]string{"OCEAN_FLOOR_WG", "WORLD_SURFACE_WG"}, final...),
		},
	}
	path, _ := runTo(t, 0, anvil.Nether, pregen.Options{})
	seen := make(map[chunk.Status]bool)
	for p, c := range chunks(t, path, "the_nether") {
		w := want[c.Status()]
		slices.Sort(w.names)
		slices.Sort(w.maps)
		names, maps := membersOf(t, c)
		if !slices.Equal(names, w.names) || !slices.Equal(maps, w.maps) {
			t.Errorf("chunk %v at %s has %v and heights %v", p, c.StatusName(), names, maps)
		}
		seen[c.Status()] = true
	}
	if len(seen) != len(want) {
		t.Errorf("saw %v", seen)
	}
}
