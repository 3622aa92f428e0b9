package oracle

import (
	"fmt"
	"math/bits"
	"slices"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/proto"
)

// comparison compares chunk after chunk; it is a worker's scratch.
type comparison struct {
	decoration func(block.State) bool // nil for none

	blocks [chunk.SectionCells]block.State
	biomes [chunk.BiomeCells]chunk.Biome
}

// compare returns what differs between a sample and what was made.
func (w *comparison) compare(s *Sample, made Made) (tally, error) {
	t := tally{Counts: Counts{Chunks: 1}, pairs: make(pairs), stable: make(pairs)}
	c := made.Chunk
	if s.Chunk.MinY() != c.MinY || s.Chunk.Height() != c.Height {
		return t, fmt.Errorf("the sample has %d blocks from y %d, the generator makes %d from %d",
			s.Chunk.Height(), s.Chunk.MinY(), c.Height, c.MinY)
	}
	if c.X != s.Pos().X || c.Z != s.Pos().Z {
		return t, fmt.Errorf("the generator made chunk %d,%d", c.X, c.Z)
	}
	if s.HasBiomes {
		if err := w.compareBiomes(s, made, &t); err != nil {
			return t, err
		}
	}
	masked := int64(0) // wrong blocks that depend on the order
	if s.Stage != Biomes {
		masked = w.compareBlocks(s, made, &t)
		if err := compareMask(s, c, &t); err != nil {
			return t, err
		}
		if err := compareMarks(s, c, &t); err != nil {
			return t, err
		}
	}
	wrong, excused := t.WrongBlocks, masked
	if s.Stage == Biomes {
		wrong, excused = t.BiomeWrong, t.BiomeTies
	}
	t.wrong, t.stableWrong = []int64{wrong}, []int64{wrong - excused}
	if wrong == 0 {
		t.Exact = 1
	}
	if wrong == excused {
		t.ExactMasked = 1
	}
	fewest := wrong
	for _, other := range made.Others {
		if fewest > 0 && s.Stage != Biomes {
			fewest = min(fewest, w.wrongIn(s, other))
		}
	}
	if t.orderWrong = []int64{fewest}; fewest == 0 {
		t.ExactInOrder = 1
	}
	ordered := wrong
	if made.InTurn != nil && s.Stage != Biomes {
		ordered = w.wrongIn(s, made.InTurn)
	}
	if t.orderedWrong = []int64{ordered}; ordered == 0 {
		t.ExactOrdered = 1
	}
	if s.Stage != Biomes {
		t.OrderedWrong = ordered
	}
	return t, nil
}

// wrongIn counts the blocks of a chunk that differ from the sample's.
func (w *comparison) wrongIn(s *Sample, c *proto.Chunk) (wrong int64) {
	low, high := s.Chunk.Range()
	for y := low; y < high; y++ {
		s.Chunk.SectionBlocks(y, &w.blocks)
		for i, got := range c.Blocks[int(y-low)*chunk.SectionCells:][:chunk.SectionCells] {
			if got != w.blocks[i] {
				wrong++
			}
		}
	}
	return wrong
}

// compareBiomes counts quarter cells.
func (w *comparison) compareBiomes(s *Sample, made Made, t *tally) error {
	var wrong []int
	names := s.Chunk.Tables().Biomes
	low, high := s.Chunk.Range()
	for y := low; y < high; y++ {
		if !s.Chunk.SectionBiomes(y, &w.biomes) {
			continue // not all of them are told
		}
		first := int(y-low) * chunk.BiomeCells
		for i, want := range w.biomes {
			number := int(made.Chunk.Biomes[first+i])
			if number >= len(made.Biomes) {
				return fmt.Errorf("the generator names %d biomes and made number %d", len(made.Biomes), number)
			}
			t.BiomeCells++
			if names.Name(want) != made.Biomes[number] {
				wrong = append(wrong, first+i)
			}
		}
	}
	t.BiomeWrong = int64(len(wrong))
	if len(wrong) == 0 || made.Ties == nil {
		return nil
	}
	for _, at := range made.Ties() {
		if slices.Contains(wrong, at) {
			t.BiomeTies++
		}
	}
	return nil
}

// The inner columns of a chunk are those with x and z of innerLow to innerHigh.
const (
	innerLow     = 4
	innerHigh    = 11
	innerColumns = (innerHigh - innerLow + 1) * (innerHigh - innerLow + 1)
)

// inner reports whether a column is one of the inner ones.
func inner(x, z int) bool { return x >= innerLow && x <= innerHigh && z >= innerLow && z <= innerHigh }

// compareBlocks counts blocks and returns how many of the wrong ones depend on
// the order of decoration.
func (w *comparison) compareBlocks(s *Sample, made Made, t *tally) (masked int64) {
	var columns [256]struct{ wrong, foreign, masked int }
	low, high := s.Chunk.Range()
	for y := low; y < high; y++ {
		s.Chunk.SectionBlocks(y, &w.blocks)
		first := int(y-low) * chunk.SectionCells
		got := made.Chunk.Blocks[first:][:chunk.SectionCells]
		if slices.Equal(w.blocks[:], got) {
			continue
		}
		for i, want := range w.blocks {
			if want == got[i] {
				continue
			}
			t.WrongBlocks++
			t.pairs[pair{want, got[i]}]++
			unstable := bit(made.Unstable, first+i)
			if inner(i&15, i>>4&15) {
				column := &columns[i&255]
				column.wrong++
				if unstable {
					column.masked++
				}
				if w.decoration != nil && w.decoration(want) {
					column.foreign++
				}
			}
			if unstable {
				masked++
			} else {
				t.stable[pair{want, got[i]}]++
			}
		}
	}
	t.Blocks = int64(len(made.Chunk.Blocks))
	t.InnerBlocks = int64(innerColumns * made.Chunk.Height)
	t.InnerColumns, t.InnerColExact = innerColumns, innerColumns
	for _, column := range columns {
		t.InnerWrong += int64(column.wrong)
		t.InnerForeign += int64(column.foreign)
		t.InnerMasked += int64(column.masked)
		if column.wrong > 0 {
			t.InnerColExact--
			if column.wrong == column.foreign {
				t.InnerColForeign++
			}
			if column.wrong == column.masked {
				t.InnerColMasked++
			}
		}
	}
	for _, word := range made.Unstable {
		t.MaskedVoxels += int64(bits.OnesCount64(word))
	}
	return masked
}

func bit(words []uint64, i int) bool { return i>>6 < len(words) && words[i>>6]>>(i&63)&1 != 0 }

// compareMask compares the carving mask. A chunk at carvers that has none has an
// empty one; later the game keeps it until the chunk is finished.
func compareMask(s *Sample, c *proto.Chunk, t *tally) error {
	if s.Stage != Carvers && s.Stage != InitializeLight {
		return nil
	}
	mask, err := s.Chunk.CarvingMask()
	if err != nil {
		return err
	}
	if mask == nil && s.Stage != Carvers {
		return nil
	}
	t.Masks++
	for i := range max(len(mask), len(c.Carved)) {
		if word(mask, i) != word(c.Carved, i) {
			return nil
		}
	}
	t.MasksEqual++
	return nil
}

// word returns a word of a mask, whose end may be missing.
func word(mask []uint64, i int) uint64 {
	if i >= len(mask) {
		return 0
	}
	return mask[i]
}

// compareMarks compares the post-processing marks of each section, in their
// order. At carvers, neighbours that were decorated may have added theirs at the
// end. Dumps have none.
func compareMarks(s *Sample, c *proto.Chunk, t *tally) error {
	if s.Stage != Noise && s.Stage != Surface && s.Stage != Carvers || !s.HasBiomes {
		return nil
	}
	marks, err := s.Chunk.Marks(chunk.PostProcessing)
	if err != nil {
		return err
	}
	want, got := make([][]int, c.Height>>4), make([][]int, c.Height>>4)
	for _, at := range marks {
		if uint(int(at.Y)-c.MinY) < uint(c.Height) {
			index := c.Index(int(at.X)&15, int(at.Y), int(at.Z)&15)
			want[index>>12] = append(want[index>>12], index)
		}
	}
	for _, index := range c.Marks {
		got[index>>12] = append(got[index>>12], int(index))
	}
	t.Marks++
	for i := range want {
		if s.Stage == Carvers && len(want[i]) > len(got[i]) {
			want[i] = want[i][:len(got[i])]
		}
		if !slices.Equal(want[i], got[i]) {
			return nil
		}
	}
	t.MarksEqual++
	return nil
}
