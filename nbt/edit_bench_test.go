package nbt

import "testing"

// BenchmarkEditChunk sets LastUpdate and replaces a section, the tape made
// before; "copy" is the memory copied without any edit.
func BenchmarkEditChunk(b *testing.B) {
	chunks := corpusChunks(b)
	if len(chunks) > 64 {
		chunks = chunks[:64]
	}
	tapes := make([]Tape, len(chunks))
	section := make([]Raw, len(chunks))
	total := 0
	for i, c := range chunks {
		if err := tapes[i].Parse(c); err != nil {
			b.Fatal(err)
		}
		section[i] = tapes[i].Root().Get("sections").At(4).Raw()
		total += len(c)
	}
	var out []byte
	b.Run("edit", func(b *testing.B) {
		e := tapes[0].Edit()
		b.SetBytes(int64(total / len(chunks)))
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			i := n % len(tapes)
			root := tapes[i].Root()
			e.Reset(&tapes[i])
			e.Set(root, "LastUpdate", e.Long(int64(n)))
			e.SetElement(root.Get("sections"), 4, section[i])
			var err error
			if out, err = e.AppendTo(out[:0]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(int64(total / len(chunks)))
		for n := 0; b.Loop(); n++ {
			out = append(out[:0], chunks[n%len(chunks)]...)
		}
	})
}
