package chunk

import (
	"testing"

	"strata/anvil/block"
)

func BenchmarkDecode(b *testing.B) {
	chunks := corpusChunks(b)
	d := NewDecoder(NewTables())
	size, n := 0, 0
	for _, c := range chunks {
		size += len(c)
	}
	b.SetBytes(int64(size / len(chunks)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Decode(chunks[n%len(chunks)]); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

func BenchmarkEncode(b *testing.B) {
	chunks := decodedCorpus(b)
	var e Encoder
	var buf []byte
	size, n := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		out, err := e.Encode(buf[:0], chunks[n%len(chunks)])
		if err != nil {
			b.Fatal(err)
		}
		buf = out
		size += len(out)
		n++
	}
	b.SetBytes(int64(size / n))
}

func decodedCorpus(tb testing.TB) []*Chunk {
	d := NewDecoder(NewTables())
	var chunks []*Chunk
	for _, data := range corpusChunks(tb) {
		c, err := d.Decode(data)
		if err != nil {
			tb.Fatal(err)
		}
		chunks = append(chunks, c)
	}
	return chunks
}

func BenchmarkSetBlock(b *testing.B) {
	chunks := decodedCorpus(b)
	states := []block.State{block.Stone.Default(), block.Air.Default(), block.OakLeaves.Default(), block.Torch.Default()}
	n := uint32(0)
	b.ReportAllocs()
	for b.Loop() {
		n = n*1664525 + 1013904223
		c := chunks[n>>8%uint32(len(chunks))]
		c.SetBlock(int(n>>12&15), int(n>>16&255)-64, int(n>>24&15), states[n>>30])
	}
}

func BenchmarkBlock(b *testing.B) {
	chunks := decodedCorpus(b)
	n := uint32(0)
	air := 0
	for b.Loop() {
		n = n*1664525 + 1013904223
		if chunks[n>>8%8].Block(int(n>>12&15), int(n>>16&255)-64, int(n>>24&15)) == 0 {
			air++
		}
	}
	_ = air
}

func BenchmarkClone(b *testing.B) {
	chunks := decodedCorpus(b)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		chunks[n%len(chunks)].Clone()
		n++
	}
}

func BenchmarkSectionBlocks(b *testing.B) {
	chunks := decodedCorpus(b)
	var cells [SectionCells]block.State
	n := 0
	for b.Loop() {
		chunks[n%len(chunks)].SectionBlocks(SectionY(n/len(chunks)%12-4), &cells)
		n++
	}
}

func BenchmarkSetSectionBlocks(b *testing.B) {
	chunks := decodedCorpus(b)
	var cells [64][SectionCells]block.State
	for i := range cells {
		chunks[i].SectionBlocks(SectionY(i%8-4), &cells[i])
	}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		if err := chunks[n%len(chunks)].SetSectionBlocks(SectionY(n%8-4), &cells[n&63]); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

func BenchmarkComputeHeightmaps(b *testing.B) {
	chunks := decodedCorpus(b)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		chunks[n%len(chunks)].ComputeHeightmaps(FinalHeightmaps...)
		n++
	}
}
