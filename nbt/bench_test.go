package nbt

import (
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
)

func corpusChunks(tb testing.TB) [][]byte {
	chunks, err := corpus.Load(testbed.Shared(tb, "worlds/chunks-998.bin.zst"))
	if err != nil {
		tb.Fatal(err)
	}
	var all [][]byte
	for _, c := range chunks {
		all = append(all, c.NBT)
	}
	return all
}

func BenchmarkWalk(b *testing.B) {
	chunks := corpusChunks(b)
	var t Tape
	n, bytes, tags := 0, 0, 0
	for _, c := range chunks {
		if err := t.Parse(c); err != nil {
			b.Fatal(err)
		}
		bytes += len(c)
		tags += t.Len()
	}
	b.SetBytes(int64(bytes / len(chunks)))
	b.ReportAllocs()
	for b.Loop() {
		if err := t.Parse(chunks[n%len(chunks)]); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(tags)/float64(len(chunks)), "tags/op")
}

func BenchmarkSkip(b *testing.B) {
	chunks := corpusChunks(b)
	n := 0
	b.ReportAllocs()
	var x, z int64
	visit := func(name []byte, value Raw) bool {
		switch string(name) {
		case "xPos":
			x, _ = value.Int()
		case "zPos":
			z, _ = value.Int()
		}
		return true
	}
	for b.Loop() {
		if err := ScanRoot(chunks[n%len(chunks)], Limits{}, visit); err != nil {
			b.Fatal(err)
		}
		n++
	}
	_, _ = x, z
}

func BenchmarkWalkOne(b *testing.B) {
	chunks := corpusChunks(b)[:8]
	var t Tape
	n := 0
	for b.Loop() {
		if err := t.Parse(chunks[n&7]); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

func BenchmarkSkipOne(b *testing.B) {
	chunks := corpusChunks(b)[:8]
	n := 0
	visit := func([]byte, Raw) bool { return true }
	for b.Loop() {
		if err := ScanRoot(chunks[n&7], Limits{}, visit); err != nil {
			b.Fatal(err)
		}
		n++
	}
}
