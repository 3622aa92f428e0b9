package light

import (
	"math/rand/v2"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
)

// FuzzEdits builds a small world from the input, lights it, makes the edits
// that follow in the input, and holds what is then against the light computed
// anew and that against the naive reference. The
// first byte says how large the world is, the second how it is filled; each
// edit is six bytes: x, y, z, two of the state, and whether the batch ends.
func FuzzEdits(f *testing.F) {
	f.Add([]byte{0, 0})
	f.Add([]byte{7, 1, 5, 20, 5, 0, 1, 0, 6, 20, 5, 0, 1, 1, 5, 20, 5, 0, 0, 1})
	r := rand.New(rand.NewPCG(1, 2))
	for size := range byte(8) {
		input := []byte{size, byte(r.Uint32())}
		for range 6 * 40 {
			input = append(input, byte(r.Uint32()))
		}
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) < 2 || len(input) > 600 {
			return
		}
		size, fill, input := input[0], input[1], input[2:]
		w := newMemoryWorld(1+int(size&1), 1, Dimension{Low: -1, High: chunk.SectionY(size >> 1 & 1 & size), Sky: size&4 == 0})
		b := newBrush(rand.New(rand.NewPCG(uint64(fill), 0)))
		if fill&3 != 0 {
			b.landscape(w)
		}
		var e Engine
		w.take(w.relight(t, &e))
		var list []chunk.BlockPos
		for ; len(input) >= 6; input = input[6:] {
			p := xyz(int32(input[0]&31), int32(input[1]&31)-16, int32(input[2]&15))
			s := b.common[int(input[3])%len(b.common)]
			if input[3] >= 128 {
				s = block.State((int(input[3])<<8 | int(input[4])) % block.StateCount)
			}
			w.set(p, s)
			list = append(list, p)
			if input[5]&3 != 1 && len(input) >= 12 {
				continue
			}
			if err := e.Update(w, w.Dimension, list); err != nil {
				t.Fatal(err)
			}
			list = list[:0]
		}
		if err := e.Update(w, w.Dimension, list); err != nil {
			t.Fatal(err)
		}
		last := w.relight(t, new(Engine))
		w.judge(t, last, "at last")
		w.compare(t, last, "after the edits")
	})
}
