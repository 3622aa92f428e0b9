package chunk

import (
	"runtime"
	"testing"
)

// TestMemoryOfAChunk holds decoded chunks to 64 objects and 64 KiB each, on
// the mean of the corpus.
func TestMemoryOfAChunk(t *testing.T) {
	chunks := corpusChunks(t)
	d := NewDecoder(NewTables())
	kept := make([]*Chunk, len(chunks))
	fill := func() {
		for i, data := range chunks {
			c, err := d.Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			kept[i] = c
		}
	}
	fill() // the tables and the decoder's own memory
	clear(kept)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&before)
	fill()
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	n := float64(len(chunks))
	objects := float64(after.HeapObjects-before.HeapObjects) / n
	bytes := float64(after.HeapAlloc-before.HeapAlloc) / n
	t.Logf("%.1f objects and %.0f bytes a chunk", objects, bytes)
	if objects > 64 || bytes > 64<<10 || objects < 2 {
		t.Error("not between 2 and 64 objects, or over 64 KiB")
	}
	runtime.KeepAlive(kept)
	runtime.KeepAlive(chunks)
}
