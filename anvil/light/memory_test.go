package light

import (
	"math/rand/v2"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
)

// memoryWorld is a world of a few chunks in memory, from chunk 0, 0.
type memoryWorld struct {
	Dimension
	width, depth int
	chunks       []*memoryChunk // nil: not loaded
	written      int            // calls of SetLight
}

type memoryChunk struct {
	low    chunk.SectionY
	blocks [][cells]block.State
	even   []bool // give the section as one state
	light  [2][]Layer
}

func newMemoryWorld(width, depth int, d Dimension) *memoryWorld {
	w := &memoryWorld{Dimension: d, width: width, depth: depth}
	for range width * depth {
		n := int(d.High - d.Low)
		w.chunks = append(w.chunks, &memoryChunk{
			low: d.Low, blocks: make([][cells]block.State, n), even: make([]bool, n),
			light: [2][]Layer{make([]Layer, n+2), make([]Layer, n+2)},
		})
	}
	return w
}

func (c *memoryChunk) Section(y chunk.SectionY, scratch *[cells]block.State) (*[cells]block.State, block.State) {
	states := &c.blocks[y-c.low]
	for _, s := range states {
		if s != states[0] {
			*scratch = *states // as one who unpacks does
			return scratch, 0
		}
	}
	return nil, states[0]
}

func (w *memoryWorld) chunk(x, z int32) *memoryChunk {
	if x < 0 || z < 0 || int(x) >= w.width || int(z) >= w.depth {
		return nil
	}
	return w.chunks[int(z)*w.width+int(x)]
}

func (w *memoryWorld) Loaded(x, z int32) bool { return w.chunk(x, z) != nil }

func (w *memoryWorld) Section(at SectionPos, scratch *[cells]block.State) (*[cells]block.State, block.State) {
	return w.chunk(at.X, at.Z).Section(at.Y, scratch)
}

func (w *memoryWorld) layer(at SectionPos, sky bool) *Layer {
	kind := blockLight
	if sky {
		kind = skyLight
	}
	return &w.chunk(at.X, at.Z).light[kind][at.Y-w.Low+1]
}

func (w *memoryWorld) Light(at SectionPos, sky bool, _ *Array) (*Array, uint8) {
	l := w.layer(at, sky)
	return l.Array, l.Level
}

func (w *memoryWorld) SetLight(at SectionPos, sky bool, array *Array, level uint8) {
	l := Layer{Level: level}
	if array != nil {
		l.Array = new(*array)
	}
	*w.layer(at, sky) = l
	w.written++
}

// set changes a block; false if there is none.
func (w *memoryWorld) set(p chunk.BlockPos, s block.State) bool {
	c := w.chunk(p.X>>4, p.Z>>4)
	if c == nil || chunk.SectionY(p.Y>>4) < w.Low || chunk.SectionY(p.Y>>4) >= w.High {
		return false
	}
	c.blocks[chunk.SectionY(p.Y>>4)-w.Low][p.Y&15<<8|p.Z&15<<4|p.X&15] = s
	return true
}

// area makes the whole world an area, with nothing around it.
func (w *memoryWorld) area(t testing.TB) Area {
	t.Helper()
	a := Area{Width: w.width + 2, Depth: w.depth + 2, Sky: w.Sky}
	a.Columns = make([]*Column, a.Width*a.Depth)
	for i, c := range w.chunks {
		if c == nil {
			continue
		}
		column := new(Column)
		if err := column.Set(w.Low, w.High, c, w.Foreign); err != nil {
			t.Fatal(err)
		}
		a.Columns[(i/w.width+1)*a.Width+i%w.width+1] = column
	}
	return a
}

// relight computes all light anew. It returns it without changing the world's.
func (w *memoryWorld) relight(t testing.TB, e *Engine) []*Chunk {
	t.Helper()
	if err := e.Light(w.area(t)); err != nil {
		t.Fatal(err)
	}
	results := make([]*Chunk, len(w.chunks))
	for i, c := range w.chunks {
		if c != nil {
			results[i] = new(Chunk)
			if err := e.Result(i%w.width+1, i/w.width+1, results[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return results
}

// take makes the results the world's light.
func (w *memoryWorld) take(results []*Chunk) {
	for i, c := range w.chunks {
		if c != nil {
			copy(c.light[blockLight], results[i].Block)
			copy(c.light[skyLight], results[i].Sky)
		}
	}
}

// compare fails the test if the world's light is not the one computed anew.
func (w *memoryWorld) compare(t testing.TB, results []*Chunk, what string) {
	t.Helper()
	for i, c := range w.chunks {
		if c == nil {
			continue
		}
		for kind, want := range [2][]Layer{results[i].Block, results[i].Sky} {
			for y := range want {
				got := &c.light[kind][y]
				if got.Array == nil && want[y].Array == nil && got.Level == want[y].Level ||
					got.Array != nil && want[y].Array != nil && *got.Array == *want[y].Array {
					continue
				}
				for cell := range cells {
					if got.At(cell) != want[y].At(cell) {
						t.Fatalf("%s: chunk %d, light %d, section %d, cell %03x is %d, anew %d", what, i, kind, y-1, cell, got.At(cell), want[y].At(cell))
					}
				}
				t.Fatalf("%s: chunk %d, light %d, section %d is an array of equal levels", what, i, kind, y-1)
			}
		}
	}
}

// judge compares light computed anew with the naive reference's.
func (w *memoryWorld) judge(t testing.TB, results []*Chunk, what string) {
	t.Helper()
	height := (int(w.High-w.Low) + 2) * 16
	n := newNaive(w.width*16, height, w.depth*16)
	for i, c := range w.chunks {
		n.missing[i] = c == nil
		if c == nil {
			continue
		}
		for y := range c.blocks {
			for cell, s := range c.blocks[y] {
				n.states[n.index(i%w.width*16+cell&15, (y+1)*16+cell>>8, i/w.width*16+cell>>4&15)] = s
			}
		}
	}
	for _, sky := range []bool{false, true} {
		if sky && !w.Sky {
			continue
		}
		n.light(sky)
		for i, r := range results {
			if r == nil {
				continue
			}
			layers := r.Block
			if sky {
				layers = r.Sky
			}
			for y := range layers {
				for cell := range cells {
					at := n.index(i%w.width*16+cell&15, y*16+cell>>8, i/w.width*16+cell>>4&15)
					if got := layers[y].At(cell); got != n.levels[at] {
						t.Fatalf("%s: sky %t, chunk %d, section %d, cell %03x (%v) is %d, want %d", what, sky, i, y-1, cell, n.states[at], got, n.levels[at])
					}
				}
			}
		}
	}
}

// brush gives random states, some kinds more often than there are states of
// them.
type brush struct {
	*rand.Rand
	common []block.State
}

func newBrush(r *rand.Rand) *brush {
	b := &brush{Rand: r}
	for _, text := range []string{
		"air", "air", "air", "air", "air", "stone", "stone", "stone", "glass", "tinted_glass", "oak_leaves", "ice",
		"water", "water[level=3]", "lava", "torch", "glowstone", "sea_lantern", "redstone_torch[lit=false]", "magma_block",
		"stone_slab", "stone_slab[type=top]", "stone_slab[type=double]", "stone_slab[waterlogged=true]",
		"oak_stairs", "oak_stairs[half=top]", "oak_stairs[facing=east,shape=inner_left]", "oak_stairs[half=top,facing=west]",
		"farmland", "dirt_path", "snow[layers=3]", "snow[layers=8]", "oak_fence", "cobweb", "barrier", "light[level=7]",
		"piston_head[facing=up]", "piston_head[facing=north]", "end_portal_frame", "enchanting_table", "bedrock",
	} {
		b.common = append(b.common, block.MustParse("minecraft:"+text))
	}
	return b
}

func (b *brush) state() block.State {
	if b.IntN(5) == 0 {
		return block.State(b.IntN(block.StateCount))
	}
	return b.common[b.IntN(len(b.common))]
}

// landscape fills a world with ground, caves and things standing about.
func (b *brush) landscape(w *memoryWorld) {
	height := int32(w.High-w.Low) * 16
	for x := range int32(w.width * 16) {
		for z := range int32(w.depth * 16) {
			for y := range height / 2 {
				w.set(chunk.BlockPos{X: x, Y: int32(w.Low)*16 + y, Z: z}, block.Stone.Default())
			}
		}
	}
	for range 12 * w.width * w.depth {
		b.box(w, height)
	}
	for range 60 * w.width * w.depth {
		w.set(b.position(w), b.state())
	}
}

func (b *brush) position(w *memoryWorld) chunk.BlockPos {
	return xyz(int32(b.IntN(w.width*16)), int32(w.Low)*16+int32(b.IntN(int(w.High-w.Low)*16)), int32(b.IntN(w.depth*16)))
}

func (b *brush) box(w *memoryWorld, height int32) {
	from, s := b.position(w), b.state()
	from.Y = int32(w.Low)*16 + (from.Y-int32(w.Low)*16+height/2)/2
	if b.IntN(2) == 0 {
		s = block.Air.Default()
		from.Y = int32(w.Low)*16 + int32(b.IntN(int(height)))
	}
	dx, dy, dz := int32(b.IntN(12)+1), int32(b.IntN(8)+1), int32(b.IntN(12)+1)
	for x := range dx {
		for y := range dy {
			for z := range dz {
				w.set(xyz(from.X+x, from.Y+y, from.Z+z), s)
			}
		}
	}
}

func xyz(x, y, z int32) chunk.BlockPos { return chunk.BlockPos{X: x, Y: y, Z: z} }

// runs is testbed.Runs, with fewer under the race detector, which makes light
// ten times slower and finds nothing more in a later run.
func runs(t testing.TB, n int) int {
	t.Helper()
	if raceEnabled {
		n = max(1, n/8)
	}
	return testbed.Runs(t, n)
}
