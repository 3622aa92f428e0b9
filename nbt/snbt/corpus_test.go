package snbt

import (
	"encoding/json"
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

// plainEmptyLists returns the payload of a tag with End as the element type of
// every empty list, which is what text keeps of it.
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

func TestCorpusSurvivesEveryForm(t *testing.T) {
	var tape nbt.Tape
	for i, chunk := range corpusChunks(t) {
		if (testing.Short() || raceEnabled) && i%20 != 0 {
			continue
		}
		if err := tape.Parse(chunk); err != nil {
			t.Fatal(err)
		}
		checkForms(t, tape.Root())
		if i%20 == 0 && !json.Valid(AppendPlainJSON(nil, tape.Root())) {
			t.Fatalf("chunk %d: plain JSON is not valid", i)
		}
		if t.Failed() {
			t.Fatalf("chunk %d", i)
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

func BenchmarkJSON(b *testing.B) {
	chunks := corpusChunks(b)[:64]
	tapes := make([]nbt.Tape, len(chunks))
	texts := make([]string, len(chunks))
	total := 0
	for i, c := range chunks {
		if err := tapes[i].Parse(c); err != nil {
			b.Fatal(err)
		}
		texts[i] = string(AppendJSON(nil, tapes[i].Root()))
		total += len(texts[i])
	}
	b.Run("append", func(b *testing.B) {
		b.SetBytes(int64(total / len(chunks)))
		b.ReportAllocs()
		var dst []byte
		n := 0
		for b.Loop() {
			dst = AppendJSON(dst[:0], tapes[n%len(tapes)].Root())
			n++
		}
	})
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(total / len(chunks)))
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			if _, err := ParseJSON(texts[n%len(texts)], nbt.Limits{}); err != nil {
				b.Fatal(err)
			}
			n++
		}
	})
}
