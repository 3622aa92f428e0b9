package block

import (
	"errors"
	"fmt"
	"math/bits"
	"path/filepath"
	"slices"
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// worldChunk is what the tests read of a chunk.
type worldChunk struct {
	MinSection int32 `nbt:"yPos"`
	Heightmaps map[string][]int64
	Sections   []struct {
		Y           int8
		BlockStates struct {
			Palette []struct {
				Name       string
				Properties map[string]string
			} `nbt:"palette"`
			Data []int64 `nbt:"data"`
		} `nbt:"block_states"`
		BlockLight []byte
		SkyLight   []byte
	} `nbt:"sections"`
}

// voxels is a chunk with its blocks and light spread out, x fastest, then z.
// Light of -1 is not saved.
type voxels struct {
	height     int
	states     []State
	block, sky []int8
}

func spread(c *worldChunk, resolve func(name string, properties map[string]string) State) *voxels {
	low, high := int(c.MinSection), int(c.MinSection)
	for _, s := range c.Sections {
		if len(s.BlockStates.Palette) > 0 {
			high = max(high, int(s.Y)+1)
		}
	}
	v := &voxels{height: (high - low) * 16}
	n := v.height * 256
	v.states, v.block, v.sky = make([]State, n), slices.Repeat([]int8{-1}, n), slices.Repeat([]int8{-1}, n)
	for _, s := range c.Sections {
		at := (int(s.Y) - low) * 4096
		if at < 0 || at >= n {
			continue
		}
		palette := make([]State, len(s.BlockStates.Palette))
		for i, p := range s.BlockStates.Palette {
			palette[i] = resolve(p.Name, p.Properties)
		}
		width := max(4, bits.Len(uint(len(palette)-1)))
		per := 64 / width
		for i := range 4096 {
			switch {
			case len(palette) == 1:
				v.states[at+i] = palette[0]
			case len(palette) > 1:
				word := uint64(s.BlockStates.Data[i/per])
				v.states[at+i] = palette[word>>(i%per*width)&(1<<width-1)]
			}
			if len(s.BlockLight) == 2048 {
				v.block[at+i] = int8(s.BlockLight[i/2] >> (i % 2 * 4) & 15)
			}
			if len(s.SkyLight) == 2048 {
				v.sky[at+i] = int8(s.SkyLight[i/2] >> (i % 2 * 4) & 15)
			}
		}
	}
	return v
}

// judge counts what was looked at and what differs.
type judge struct {
	columns, voxels int
	stale           int            // voxels with the sky light of a time before a tree
	bad             map[string]int // by what differs
	seen            map[State]bool
}

func newJudge() *judge { return &judge{bad: map[string]int{}, seen: map[State]bool{}} }

func (j *judge) chunk(t *testing.T, data []byte) {
	t.Helper()
	var c worldChunk
	if err := nbt.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	v := spread(&c, func(name string, properties map[string]string) State {
		s, ok := Resolve([]byte(name), pairs(properties))
		if !ok {
			t.Fatalf("%s %v is not native", name, properties)
		}
		j.seen[s] = true
		return s
	})
	j.heights(v, c.Heightmaps)
	j.light(v, v.block, false)
	j.light(v, v.sky, true)
}

// report fails the test for what differs, and if too little was looked at.
func (j *judge) report(t *testing.T) {
	t.Helper()
	shaped := 0
	for s := range j.seen {
		if s.UsesShapeForLight() {
			shaped++
		}
	}
	t.Logf("%d columns, %d voxels of light (%d stale), %d states (%d shaped)", j.columns, j.voxels, j.stale, len(j.seen), shaped)
	if j.columns == 0 || j.voxels == 0 || shaped < 10 && !testing.Short() {
		t.Error("the chunks hold too little")
	}
	if j.stale > j.voxels/10_000 {
		t.Errorf("%d stale voxels", j.stale)
	}
	for what, n := range j.bad {
		t.Errorf("%d times %s", n, what)
	}
}

// TestHeightsAndLightOfRealChunks holds the predicates and the light of states
// against chunks that the game made: the saved heightmaps, and for each block
// inside a chunk the light that its neighbors' light gives it.
func TestHeightsAndLightOfRealChunks(t *testing.T) {
	chunks, err := corpus.Load(testbed.Shared(t, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge()
	n := min(testbed.Runs(t, 200), len(chunks))
	for i := range n {
		j.chunk(t, chunks[i*len(chunks)/n].NBT)
	}
	j.report(t)
}

func TestHeightsAndLightOfTheOracle(t *testing.T) {
	j := newJudge()
	each := max(2, testbed.Runs(t, 200)/6)
	var dec codec.Decoder
	for _, world := range []string{"vanilla-a", "fabric-b", "paper-c"} {
		for _, dimension := range []string{"overworld", "the_nether"} {
			files, err := filepath.Glob(filepath.Join(testbed.Shared(t, "oracle", world, dimension, "full"), "*.mca"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s of %s: %d files, %v", dimension, world, len(files), err)
			}
			left := each
			for _, path := range files {
				left -= j.file(t, &dec, path, left)
			}
		}
	}
	j.report(t)
}

// file judges up to limit chunks of a region file and returns how many.
func (j *judge) file(t *testing.T, dec *codec.Decoder, path string, limit int) (n int) {
	t.Helper()
	f, err := region.Open(path, region.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := range region.Slot(region.Slots) {
		if n == limit {
			break
		}
		data, _, err := f.Decode(s, dec, nil, nil)
		if errors.Is(err, region.ErrAbsent) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		j.chunk(t, data)
		n++
	}
	return n
}

// heights compares the saved heightmaps with those of the predicates.
func (j *judge) heights(v *voxels, saved map[string][]int64) {
	for name, predicate := range map[string]func(State) bool{
		"WORLD_SURFACE": State.WorldSurface, "OCEAN_FLOOR": State.OceanFloor,
		"MOTION_BLOCKING": State.MotionBlocking, "MOTION_BLOCKING_NO_LEAVES": State.MotionBlockingNoLeaves,
	} {
		data := saved[name]
		if len(data) == 0 {
			continue
		}
		for column := range 256 {
			y := v.height
			for y > 0 && !predicate(v.states[(y-1)*256+column]) {
				y--
			}
			j.columns++
			if want := int(uint64(data[column/7]) >> (column % 7 * 9) & 511); y != want {
				j.bad[fmt.Sprintf("%s %d with %v there and %v at %d", name, want, v.top(want, column), v.top(y, column), y)]++
			}
		}
	}
}

// top is the state below height y of a column.
func (v *voxels) top(y, column int) State {
	if y <= 0 || y > v.height {
		return 0
	}
	return v.states[(y-1)*256+column]
}

// light compares each voxel that has all its neighbors with what they give.
func (j *judge) light(v *voxels, light []int8, sky bool) {
	for y := 1; y < v.height-1; y++ {
		for z := 1; z < 15; z++ {
			for x := 1; x < 15; x++ {
				at := y*256 + z*16 + x
				want, ok := v.expect(light, at, sky)
				if !ok {
					continue
				}
				j.voxels++
				switch got := light[at]; {
				case got == want:
				case sky && got == 15:
					// A neighbor's tree grew into the chunk after its light.
					j.stale++
				default:
					j.bad[fmt.Sprintf("light %d in %v, want %d (sky %t)", got, v.states[at], want, sky)]++
				}
			}
		}
	}
}

// steps lead to the neighbor in each direction.
var steps = [6]int{Down: -256, Up: 256, North: -16, South: 16, West: -1, East: 1}

// expect returns the light that a voxel has by its own emission and by its
// neighbors, if the light of all is saved.
func (v *voxels) expect(light []int8, at int, sky bool) (want int8, ok bool) {
	if light[at] < 0 {
		return 0, false
	}
	s := v.states[at]
	if !sky {
		want = int8(s.LightEmission())
	}
	loss := int8(max(1, s.Opacity()))
	for d, step := range steps {
		n := at + step
		if light[n] < 0 {
			return 0, false
		}
		// Light goes the other way than to where n lies.
		if FaceBlocksLight(v.states[n], s, Direction(d).Opposite()) {
			continue
		}
		l := light[n] - loss
		if sky && Direction(d) == Up && light[n] == 15 && s.PropagatesSkylightDown() {
			l = 15
		}
		want = max(want, l)
	}
	return want, true
}
