package snbt

import (
	"bytes"
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
)

// corpusChunks returns the NBT of 998 chunks of real worlds.
func corpusChunks(tb testing.TB) [][]byte {
	tb.Helper()
	chunks, err := corpus.Load(testbed.Shared(tb, "worlds/chunks-998.bin.zst"))
	if err != nil {
		tb.Fatal(err)
	}
	all := make([][]byte, len(chunks))
	for i, c := range chunks {
		all[i] = c.NBT
	}
	return all
}

// plainEmptyLists returns the document of a tape with End as the element type
// of every empty list, and with ordered members if sorted.
func plainEmptyLists(tb testing.TB, t nbt.Tag) nbt.Raw {
	tb.Helper()
	var w nbt.Writer
	w.Reset(nil)
	copyTag(&w, t)
	doc, err := w.Bytes()
	if err != nil {
		tb.Fatal(err)
	}
	return nbt.Raw{Type: t.Type(), Data: doc[1:]}
}

func copyTag(w *nbt.Writer, t nbt.Tag) {
	switch t.Type() {
	case nbt.TypeCompound:
		w.BeginCompound()
		for name, member := range t.Members() {
			copyTag(w.NameBytes(name), member)
		}
		w.End()
	case nbt.TypeList:
		w.BeginList(nbt.TypeEnd, t.Len())
		for _, elem := range t.Elements() {
			copyTag(w, elem)
		}
		w.End()
	default:
		w.Raw(t.Raw())
	}
}

func TestCorpusSurvivesEveryStyle(t *testing.T) {
	var tape nbt.Tape
	var text []byte
	for i, chunk := range corpusChunks(t) {
		if testing.Short() && i%10 != 0 {
			continue
		}
		if err := tape.Parse(chunk); err != nil {
			t.Fatal(err)
		}
		want := plainEmptyLists(t, tape.Root())
		for _, style := range []Style{Compact, Pretty} {
			text = Append(text[:0], tape.Root(), style)
			got, err := Parse(string(text), nbt.Limits{})
			if err != nil {
				t.Fatalf("chunk %d, style %d: %v", i, style, err)
			}
			if got.Type != want.Type || !bytes.Equal(got.Data, want.Data) {
				t.Fatalf("chunk %d, style %d: not the same after print and parse", i, style)
			}
		}
		text = Append(text[:0], tape.Root(), Canonical)
		got, err := Parse(string(text), nbt.Limits{})
		if err != nil {
			t.Fatalf("chunk %d, canonical: %v", i, err)
		}
		again, err := AppendRaw(nil, want, nbt.Limits{}, Canonical)
		if err != nil || !bytes.Equal(again, text) {
			t.Fatalf("chunk %d: canonical text depends on more than the value (%v)", i, err)
		}
		if len(got.Data) != len(want.Data) {
			t.Fatalf("chunk %d: canonical text has %d bytes of payload, want %d", i, len(got.Data), len(want.Data))
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	chunks := corpusChunks(b)[:64]
	for _, style := range []Style{Compact, Pretty, Canonical} {
		b.Run([]string{"compact", "pretty", "canonical"}[style], func(b *testing.B) {
			tapes := make([]nbt.Tape, len(chunks))
			total := 0
			for i, c := range chunks {
				if err := tapes[i].Parse(c); err != nil {
					b.Fatal(err)
				}
				total += len(Append(nil, tapes[i].Root(), style))
			}
			b.SetBytes(int64(total / len(chunks)))
			b.ReportAllocs()
			var dst []byte
			n := 0
			for b.Loop() {
				dst = Append(dst[:0], tapes[n%len(tapes)].Root(), style)
				n++
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	chunks := corpusChunks(b)[:64]
	for _, style := range []Style{Compact, Pretty} {
		b.Run([]string{"compact", "pretty"}[style], func(b *testing.B) {
			texts := make([]string, len(chunks))
			total := 0
			for i, c := range chunks {
				var tape nbt.Tape
				if err := tape.Parse(c); err != nil {
					b.Fatal(err)
				}
				texts[i] = string(Append(nil, tape.Root(), style))
				total += len(texts[i])
			}
			b.SetBytes(int64(total / len(chunks)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if _, err := Parse(texts[n%len(texts)], nbt.Limits{}); err != nil {
					b.Fatal(err)
				}
				n++
			}
		})
	}
}
