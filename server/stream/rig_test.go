package stream

import (
	"testing"

	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/server/protocol"
)

// corpusChunks are real chunks, every nth of them.
func corpusChunks(tb testing.TB, tables *chunk.Tables, every int) []*chunk.Chunk {
	tb.Helper()
	all, err := corpus.Load(testbed.Shared(tb, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		tb.Fatal(err)
	}
	decoder := chunk.NewDecoder(tables)
	var list []*chunk.Chunk
	for i := 0; i < len(all); i += every {
		c, err := decoder.Decode(all[i].NBT)
		if err != nil {
			tb.Fatalf("chunk %d of the corpus: %v", i, err)
		}
		list = append(list, c)
	}
	return list
}

// shapeOf is the shape that a chunk of a vanilla dimension has.
func shapeOf(c *chunk.Chunk) Shape {
	low, high := c.Range()
	return Shape{low, high}
}

func newEncoder(tb testing.TB, v registry.Version, tables *chunk.Tables) *Encoder {
	tb.Helper()
	e, err := NewEncoder(v, EncoderOptions{Tables: tables})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// decode reads a packet and checks its number.
func decode(tb testing.TB, v registry.Version, data []byte, p protocol.Packet) {
	tb.Helper()
	r := protocol.NewReader(data)
	id := r.VarInt("id")
	if want, ok := protocol.ID(registry.Play, registry.Clientbound, p); !ok || id != want {
		tb.Fatalf("packet number %d, want that of %s", id, p.PacketName())
	}
	if err := protocol.Decode(r, v, p); err != nil {
		tb.Fatal(err)
	}
}
