package light

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/chunk"
	"strata/bench/corpus"
	"strata/bench/testbed"
)

// judge compares the light that a game saved with the engine's.
type judge struct {
	chunks, equal  int
	stale          int // chunks equal but for stale light, see addStale
	roots          int // voxels of it
	voxels, layers int
	unlike         int            // layers that are saved although not Stored, or the reverse
	wrong          map[string]int // voxels of the rest by class
	example        map[string]string
}

func newJudge() *judge { return &judge{wrong: map[string]int{}, example: map[string]string{}} }

func (j *judge) report(t *testing.T, what string, allowed int) {
	t.Helper()
	n := 0
	for _, class := range slices.Sorted(maps.Keys(j.wrong)) {
		t.Logf("%s: %8d wrong: %s, first at %s", what, j.wrong[class], class, j.example[class])
		n += j.wrong[class]
	}
	t.Logf("%s: of %d chunks %d equal, %d more but for stale light from %d voxels, %d wrong voxels in the rest; %d layers (%d saved against the rule), %d voxels compared",
		what, j.chunks, j.equal, j.stale, j.roots, n, j.layers, j.unlike, j.voxels)
	if j.chunks == 0 {
		t.Errorf("%s: no chunk to compare", what)
	}
	if j.unlike*50 > j.layers { // the game keeps some arrays that went dark
		t.Errorf("%s: the rule of which layers are saved does not hold", what)
	}
	if differ := j.chunks - j.equal - j.stale; differ > allowed {
		t.Errorf("%s: %d chunks differ, %d are known to", what, differ, allowed)
	}
}

// world lights all chunks that have their neighbors, in a world whose chunks
// have sections low to high.
func (j *judge) world(t *testing.T, chunks map[chunkAt]*realChunk, low, high chunk.SectionY, sky bool) {
	t.Helper()
	var e Engine
	var light Chunk
	columns := map[chunkAt]*Column{}
	column := func(at chunkAt) *Column {
		c := columns[at]
		if c == nil {
			c = new(Column)
			if err := c.Set(low, high, chunks[at], nil); err != nil {
				t.Fatal(err)
			}
			columns[at] = c
		}
		return c
	}
	for _, at := range inOrder(chunks) {
		c := chunks[at]
		if !neighbored(chunks, at) || raceEnabled && j.chunks == 50 {
			continue
		}
		a := Area{Width: 3, Depth: 3, Sky: sky}
		for dz := -1; dz <= 1; dz++ {
			for dx := -1; dx <= 1; dx++ {
				a.Columns = append(a.Columns, column(chunkAt{at.x + dx, at.z + dz}))
			}
		}
		if err := e.Light(a); err != nil {
			t.Fatal(err)
		}
		j.result(t, &e, &light)
		wrong := j.chunk(c, &light, nil)
		j.chunks++
		if wrong == 0 {
			j.equal++
			continue
		}
		if j.addStale(&e, chunks, at) > 0 {
			j.result(t, &e, &light)
			wrong = j.chunk(c, &light, nil)
		}
		if wrong == 0 {
			j.stale++
			continue
		}
		j.chunk(c, &light, j.count)
	}
}

func (j *judge) result(t *testing.T, e *Engine, light *Chunk) {
	t.Helper()
	if err := e.Result(1, 1, light); err != nil {
		t.Fatal(err)
	}
}

// addStale adds to the light of the area around a chunk what the game had not
// taken back yet when it saved: levels that a block can not have of any
// neighbor, such as full sky light in leaves or any in stone, since the block
// came when the light of the chunk was already there. It returns how many there
// are.
func (j *judge) addStale(e *Engine, chunks map[chunkAt]*realChunk, at chunkAt) (n int) {
	for _, light := range []channel{blockLight, skyLight} {
		for i := range e.area.Columns {
			c := chunks[chunkAt{at.x + i%3 - 1, at.z + i/3 - 1}]
			for y, s := range c.sections {
				saved := s.block
				if light == skyLight {
					saved = s.sky
				}
				if row := y - int(e.area.low) + 1; row > 0 && row < e.area.rows {
					n += addStale(e, i*e.area.rows+row, saved, light)
				}
			}
		}
		e.spread(light)
	}
	j.roots += n
	return n
}

func addStale(e *Engine, slot int, saved []byte, light channel) (n int) {
	s := &e.slots[slot]
	for cell := range len(saved) * 2 {
		level := saved[cell/2] >> (cell % 2 * 4) & 15
		if level > s.level[light][cell] && level > mostGiven(&s.section, cell, light) {
			e.own(s, light)[cell] = level
			e.push(level, place(slot<<12|cell))
			n++
		}
	}
	return n
}

// mostGiven is the highest level that a cell can have.
func mostGiven(s *section, cell int, c channel) uint8 {
	kind := s.kind[cell]
	if c == skyLight && kind&kindDims == 0 {
		return 15
	}
	most := 15 - kind&lossMask
	if c == blockLight && kind&kindEmits != 0 {
		most = max(most, s.at(uint32(cell)).LightEmission())
	}
	return most
}

// count counts a wrong voxel by class.
func (j *judge) count(class string, x, y, z int) {
	if j.wrong[class] == 0 {
		j.example[class] = fmt.Sprintf("%d,%d,%d", x, y, z)
	}
	j.wrong[class]++
}

// chunk compares a chunk and returns how many voxels differ.
func (j *judge) chunk(c *realChunk, light *Chunk, count func(class string, x, y, z int)) (wrong int) {
	for i := range light.Block {
		y := int(light.Low) + i
		var saved realSection
		if s := c.sections[y]; s != nil {
			saved = *s
		}
		wrong += j.layer("block", c, y, saved.block, &light.Block[i], count)
		if i < len(light.Sky) {
			wrong += j.layer("sky", c, y, saved.sky, &light.Sky[i], count)
		}
	}
	return wrong
}

// layer compares a section. What is not saved is dark if it would be.
func (j *judge) layer(what string, c *realChunk, y int, saved []byte, l *Layer, count func(class string, x, y, z int)) (wrong int) {
	if (saved != nil) != l.Stored {
		j.unlike++
	}
	if saved == nil && !l.Stored {
		return 0
	}
	if saved == nil {
		saved = make([]byte, 2048)
	}
	j.layers++
	states, one := c.Section(chunk.SectionY(y), nil)
	for cell := range cells {
		j.voxels++
		got, want := int(l.At(cell)), int(saved[cell/2]>>(cell%2*4)&15)
		if got == want {
			continue
		}
		wrong++
		if states != nil {
			one = states[cell]
		}
		if count != nil {
			count(fmt.Sprintf("%s light %d in %v, ours %d", what, want, one.Block(), got),
				c.x*16+cell&15, y*16+cell>>8, c.z*16+cell>>4&15)
		}
	}
	return wrong
}

func TestLightOfTheOracle(t *testing.T) {
	r := newRealReader()
	j := newJudge()
	for _, world := range []string{"vanilla-a", "fabric-b", "paper-c", "stages-26.1.2"} {
		for _, dimension := range []struct {
			name      string
			low, high chunk.SectionY
			sky       bool
		}{{"overworld", -4, 20, true}, {"the_nether", 0, 16, false}, {"the_end", 0, 16, false}} {
			if _, err := os.Stat(filepath.Join(testbed.Shared(t, "oracle", world), dimension.name)); err == nil {
				chunks := r.folder(t, testbed.Shared(t, "oracle", world, dimension.name, "full"))
				j.world(t, chunks, dimension.low, dimension.high, dimension.sky)
			}
		}
	}
	j.report(t, "oracle", 0)
}

// TestLightOfSampleWorlds is about a played world of 1.21.3, whose light has a
// history of edits, too.
func TestLightOfSampleWorlds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "worlds")
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	overworld := newJudge()
	overworld.world(t, newRealReader().folder(t, filepath.Join(dir, "sample", "layout-1.21.3", "region")), -4, 20, true)
	overworld.report(t, "layout-1.21.3", 1)
}

// TestLightOfHistory is about a world of 26.2 whose overworld is empty.
func TestLightOfHistory(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("unpacking takes too long")
	}
	dir := t.TempDir()
	unpackPart(t, testbed.Shared(t, "worlds", "history-6-saves.tar.zst"), "history/save-6/dimensions/", dir)
	dimensions := filepath.Join(dir, "history", "save-6", "dimensions", "minecraft")
	overworld, nether := newJudge(), newJudge()
	overworld.world(t, newRealReader().folder(t, filepath.Join(dimensions, "overworld", "region")), -4, 20, true)
	overworld.report(t, "save-6 overworld", 0)
	nether.world(t, newRealReader().folder(t, filepath.Join(dimensions, "the_nether", "region")), 0, 16, false)
	nether.report(t, "save-6 nether", 0)
}

// unpackPart unpacks the region files of an archive whose names have a prefix.
func unpackPart(t testing.TB, archive, prefix, dir string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg || !strings.HasPrefix(h.Name, prefix) || filepath.Base(filepath.Dir(h.Name)) != "region" {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}
