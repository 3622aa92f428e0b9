package path

import (
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
)

// BenchmarkFirst finds the first block of a section's palette in real chunks;
// "gets" goes the same way with the tags' own methods.
func BenchmarkFirst(b *testing.B) {
	chunks, err := corpus.Load(testbed.Shared(b, "worlds/chunks-998.bin.zst"))
	if err != nil {
		b.Fatal(err)
	}
	if len(chunks) > 16 { // few enough to stay near the processor, as after a parse
		chunks = chunks[:16]
	}
	tapes := make([]nbt.Tape, len(chunks))
	for i, c := range chunks {
		if err := tapes[i].Parse(c.NBT); err != nil {
			b.Fatal(err)
		}
	}
	p, err := Parse("sections[{Y:3b}].block_states.palette[0].Name")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("path", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			if !p.First(tapes[n%len(tapes)].Root()).Exists() {
				b.Fatal("no such block")
			}
		}
	})
	b.Run("gets", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			found := nbt.Tag{}
			for _, s := range tapes[n%len(tapes)].Root().Get("sections").Elements() {
				if y, _ := s.Get("Y").Int(); y == 3 {
					found = s.Get("block_states").Get("palette").At(0).Get("Name")
					break
				}
			}
			if !found.Exists() {
				b.Fatal("no such block")
			}
		}
	})
	b.Run("parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Parse("sections[{Y:3b}].block_states.palette[0].Name"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
