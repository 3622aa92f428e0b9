package chunk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"strata/anvil/chunk"
	"strata/bench/clients"
	"strata/region"
	"strata/region/codec"
)

// readFolder decodes the chunks at the positions from region files.
func readFolder(dir string, decoder *chunk.Decoder, at [][2]int) (chunks []*chunk.Chunk, err error) {
	folder, err := region.OpenFolder(dir, region.FolderOptions{Options: region.Options{ReadOnly: true}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	var unpack codec.Decoder
	for _, p := range at {
		pos := region.ChunkPos{X: int32(p[0]), Z: int32(p[1])}
		record, err := folder.Read(pos, nil)
		if err != nil {
			return nil, err
		}
		data, err := record.AppendDecoded(&unpack, nil, 0)
		if err != nil {
			return nil, err
		}
		c, err := decoder.Decode(data)
		if err != nil {
			return nil, err
		}
		if c.Pos() != pos {
			return nil, fmt.Errorf("chunk %v says that it is %v", pos, c.Pos())
		}
		chunks = append(chunks, c)
	}
	return chunks, nil
}

// writeFolder encodes chunks into new region files.
func writeFolder(dir string, chunks []*chunk.Chunk) error {
	byRegion := map[region.Pos][]*chunk.Chunk{}
	for _, c := range chunks {
		byRegion[c.Pos().Region()] = append(byRegion[c.Pos().Region()], c)
	}
	pack, err := codec.NewEncoder(codec.Zlib, codec.MinLevel)
	if err != nil {
		return err
	}
	var encoder chunk.Encoder
	for pos, chunks := range byRegion {
		w, err := region.Create(filepath.Join(dir, pos.Name()), region.Options{})
		if err != nil {
			return err
		}
		for _, c := range chunks {
			document, err := encoder.Encode(nil, c)
			if err != nil {
				w.Abort()
				return err
			}
			stream, err := pack.Append(nil, document)
			if err != nil {
				w.Abort()
				return err
			}
			if err := w.Put(c.Pos().Slot(), region.Record{Scheme: codec.Zlib, Data: stream}); err != nil {
				w.Abort()
				return err
			}
		}
		if err := w.Finish(); err != nil {
			return err
		}
	}
	return nil
}

// everyChunk returns the positions of all chunks in the region files of a
// folder.
func everyChunk(t *testing.T, dir string) (at [][2]int) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		pos, ok := region.ParseName(file.Name())
		if !ok {
			continue
		}
		f, err := region.Open(filepath.Join(dir, file.Name()), region.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		for s := range region.Slot(region.Slots) {
			if !f.Entry(s).Empty() {
				at = append(at, [2]int{int(pos.Chunk(s).X), int(pos.Chunk(s).Z)})
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return at
}

// judgeReads has the judge read what is in a folder, compares it with what
// should be there, and counts it.
func judgeReads(t *testing.T, world *clients.ChunkWorld, numbering *clients.Numbering, dir string, inFile []clients.Chunk) (counts tally) {
	t.Helper()
	for part := range slices.Chunk(inFile, judgedBatch) {
		at := positions(part)
		want := make([]clients.Chunk, len(part))
		for i, c := range part {
			want[i] = numbering.InLibrary(c)
		}
		got, err := world.Digests(dir, at)
		if err != nil || len(got) != len(part) {
			t.Fatalf("%d chunks of %d: %v", len(got), len(part), err)
		}
		for i, digest := range got {
			d := clients.DiffDigests(digest, want[i])
			if d == "" {
				continue
			}
			whole, err := world.Read(dir, at[i:i+1])
			if err != nil || len(whole) != 1 {
				t.Fatalf("%s (%v)", d, err)
			}
			t.Fatalf("the library read: %s", clients.DiffChunks(whole[0], want[i]))
		}
		counts.add(want)
	}
	return counts
}

func positions(chunks []clients.Chunk) (at [][2]int) {
	for _, c := range chunks {
		at = append(at, [2]int{c.X, c.Z})
	}
	return at
}

// tally counts what was compared.
type tally struct{ chunks, blocks, biomes, light int }

func (n *tally) add(chunks []clients.Chunk) {
	for _, c := range chunks {
		n.chunks++
		n.biomes += len(c.Biomes)
		for _, s := range c.Sections {
			n.blocks += len(s.Blocks)
			n.light += 2 * (len(s.BlockLight) + len(s.SkyLight))
		}
	}
}

func (n tally) String() string {
	return fmt.Sprintf("%d chunks, %d blocks, %d biomes, %d light levels", n.chunks, n.blocks, n.biomes, n.light)
}
