package light

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
)

// TestLightIsTheFixpoint compares with the naive reference, in worlds with
// missing chunks too.
func TestLightIsTheFixpoint(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	for i := range runs(t, 12) {
		w := newMemoryWorld(1+r.IntN(3), 1+r.IntN(3), Dimension{Low: chunk.SectionY(r.IntN(5) - 3), High: 3, Sky: r.IntN(4) > 0})
		newBrush(r).landscape(w)
		if len(w.chunks) > 2 && r.IntN(2) == 0 {
			w.chunks[r.IntN(len(w.chunks))] = nil
		}
		w.judge(t, w.relight(t, new(Engine)), fmt.Sprint("world ", i))
	}
}

// TestLightOfAChunkIsThatOfTheArea lights each chunk of a world by itself and
// all at once.
func TestLightOfAChunkIsThatOfTheArea(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2))
	w := newMemoryWorld(5, 4, Dimension{Low: -1, High: 3, Sky: true})
	newBrush(r).landscape(w)
	var e Engine
	whole := w.relight(t, &e)
	a := w.area(t)
	for _, i := range r.Perm(len(w.chunks)) {
		x, z := i%w.width+1, i/w.width+1
		part := Area{Width: 3, Depth: 3, Sky: true}
		for k := range 9 {
			part.Columns = append(part.Columns, a.Columns[(z+k/3-1)*a.Width+x+k%3-1])
		}
		if err := e.Light(part); err != nil {
			t.Fatal(err)
		}
		var c Chunk
		if err := e.Result(1, 1, &c); err != nil {
			t.Fatal(err)
		}
		for y := range c.Block {
			for cell := range cells {
				if c.Block[y].At(cell) != whole[i].Block[y].At(cell) || c.Sky[y].At(cell) != whole[i].Sky[y].At(cell) {
					t.Fatalf("chunk %d, section %d, cell %03x: %d and %d, in the area %d and %d", i, y-1, cell,
						c.Block[y].At(cell), c.Sky[y].At(cell), whole[i].Block[y].At(cell), whole[i].Sky[y].At(cell))
				}
			}
			if c.Block[y].Stored != whole[i].Block[y].Stored || c.Sky[y].Stored != whole[i].Sky[y].Stored {
				t.Fatalf("chunk %d, section %d: not stored alike", i, y-1)
			}
		}
	}
}

// TestLightUnderAnIslandComesFromChunksOfAir lights a roof of one chunk's width
// amid chunks without any block.
func TestLightUnderAnIslandComesFromChunksOfAir(t *testing.T) {
	w := newMemoryWorld(5, 3, Dimension{Low: 0, High: 2, Sky: true})
	for i := range int32(16 * 48) {
		w.set(xyz(32+i%16, 16, i/16), block.Stone.Default())
	}
	var e Engine
	whole := w.relight(t, &e)
	w.judge(t, whole, "under the island")
	for x := range 16 {
		want := uint8(15 - min(x+1, 16-x))
		if got := whole[w.width+2].Sky[1].At(x); got != want {
			t.Errorf("%d blocks under the island light is %d, want %d", min(x+1, 16-x), got, want)
		}
	}
}

// TestLightFromFourteenBlocksAwayArrives opens a roof above one block at a time
// and lights a hall from there, and from a lamp in the dark, out to where no
// light gets into the chunk in the middle any more.
func TestLightFromFourteenBlocksAwayArrives(t *testing.T) {
	lamp := block.Glowstone.Default()
	if lamp.LightEmission() != 15 {
		t.Fatal("a lamp gives less than full light")
	}
	distance := func(v int32) int { return int(max(16-v, v-31, 0)) }
	var e Engine
	for z := range int32(48) {
		for x := range int32(48) {
			d := distance(x) + distance(z)
			if d == 0 || d > 16 {
				continue
			}
			w := newMemoryWorld(3, 3, Dimension{Low: 0, High: 2, Sky: true})
			for i := range int32(48 * 48) {
				w.set(xyz(i%48, 16, i/48), block.Stone.Default())
			}
			w.set(xyz(x, 16, z), block.Air.Default())
			w.set(xyz(x, 1, z), lamp)
			nine := w.area(t)
			part := Area{Width: 3, Depth: 3, Sky: true}
			for i := range 9 {
				part.Columns = append(part.Columns, nine.Columns[(i/3+1)*5+i%3+1])
			}
			var c Chunk
			if err := e.Light(part); err != nil {
				t.Fatal(err)
			}
			if err := e.Result(1, 1, &c); err != nil {
				t.Fatal(err)
			}
			nearX, nearZ := min(max(x, 16), 31), min(max(z, 16), 31)
			cell := int(nearZ&15<<4 | nearX&15)
			want := uint8(max(0, 15-d))
			if sky := c.Sky[1].At(15<<8 | cell); sky != want {
				t.Errorf("sky light of a hole at %d, %d: %d in the chunk, want %d", x, z, sky, want)
			}
			if own := c.Block[1].At(1<<8 | cell); own != want {
				t.Errorf("block light of a lamp at %d, %d: %d in the chunk, want %d", x, z, own, want)
			}
		}
	}
}

// TestUpdateMatchesLight makes 10,000 random edits in batches. After each, the
// light is the one computed anew, and that now and then the naive one.
func TestUpdateMatchesLight(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 3))
	left := runs(t, 10_000)
	edits, batches, judged := 0, 0, 0
	for left > 0 {
		w := newMemoryWorld(3, 3, Dimension{Low: -2, High: 2, Sky: r.IntN(4) > 0})
		if r.IntN(3) == 0 {
			w.chunks[r.IntN(9)] = nil
		}
		b := newBrush(r)
		b.landscape(w)
		var whole, e, other Engine
		w.take(w.relight(t, &whole))
		for batch := range 10 {
			before := w.copy()
			list := b.edit(w, min(left, 1+r.IntN(1+r.IntN(600))))
			left, edits, batches = left-len(list), edits+len(list), batches+1
			what := fmt.Sprintf("batch %d of %d edits", batch, len(list))
			if err := e.Update(w, w.Dimension, list); err != nil {
				t.Fatal(err)
			}
			results := w.relight(t, &whole)
			w.compare(t, results, what)
			if batch == 9 {
				w.judge(t, results, what)
				judged++
			}
			// The same edits in another order.
			before.blocksOf(w)
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			if err := other.Update(before, w.Dimension, list); err != nil {
				t.Fatal(err)
			}
			before.compare(t, results, what+" in another order")
		}
	}
	t.Logf("%d edits in %d batches, %d of them judged", edits, batches, judged)
	if judged == 0 {
		t.Error("none was judged")
	}
}

// edit changes n blocks, in some batches close to each other.
func (b *brush) edit(w *memoryWorld, n int) (list []chunk.BlockPos) {
	near, together := b.position(w), b.IntN(2) == 0
	for range n {
		p := b.position(w)
		if together {
			p = xyz(near.X+int32(b.IntN(6)), near.Y+int32(b.IntN(6)), near.Z+int32(b.IntN(6)))
		}
		s := b.state()
		if b.IntN(3) == 0 {
			s = block.Air.Default()
		}
		w.set(p, s) // those outside are edits that are passed over
		list = append(list, p)
	}
	return list
}

func (w *memoryWorld) copy() *memoryWorld {
	c := newMemoryWorld(w.width, w.depth, w.Dimension)
	for i, from := range w.chunks {
		if from == nil {
			c.chunks[i] = nil
			continue
		}
		for kind := range from.light {
			copy(c.chunks[i].light[kind], from.light[kind])
		}
	}
	return c
}

// blocksOf takes the blocks of another world of the same size.
func (w *memoryWorld) blocksOf(from *memoryWorld) {
	for i, c := range from.chunks {
		if c != nil {
			copy(w.chunks[i].blocks, c.blocks)
		}
	}
}

// TestUpdateOneByOne makes each edit an update of its own, also across the
// borders of chunks, and takes them back.
func TestUpdateOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 4))
	w := newMemoryWorld(3, 3, Dimension{Low: 0, High: 3, Sky: true})
	b := newBrush(r)
	b.landscape(w)
	var e, whole Engine
	first := w.relight(t, &whole)
	w.take(first)
	type was struct {
		at    chunk.BlockPos
		state block.State
	}
	var undo []was
	for i := range runs(t, 300) {
		p := b.position(w)
		if i%2 == 0 {
			p.X = 15 + p.X&1
		}
		undo = append(undo, was{p, w.chunk(p.X>>4, p.Z>>4).blocks[p.Y>>4][p.Y&15<<8|p.Z&15<<4|p.X&15]})
		w.set(p, b.state())
		if err := e.Update(w, w.Dimension, []chunk.BlockPos{p}); err != nil {
			t.Fatal(err)
		}
		if i%10 == 9 {
			w.compare(t, w.relight(t, &whole), fmt.Sprint("edit ", i))
		}
	}
	for len(undo) > 0 {
		u := undo[len(undo)-1]
		undo = undo[:len(undo)-1]
		w.set(u.at, u.state)
		if err := e.Update(w, w.Dimension, []chunk.BlockPos{u.at}); err != nil {
			t.Fatal(err)
		}
	}
	w.compare(t, first, "all taken back")
}
