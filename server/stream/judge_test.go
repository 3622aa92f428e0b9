package stream

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/bench/clients"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
)

// oracleChunks are finished chunks of real servers, at most n from each
// dimension.
func oracleChunks(t *testing.T, tables *chunk.Tables, n int) (list []*chunk.Chunk) {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(testbed.Shared(t, "oracle"), "*", "*", "full"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no oracle chunks: %v", err)
	}
	decoder := chunk.NewDecoder(tables)
	var unpack codec.Decoder
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(folder, "*.mca"))
		if err != nil {
			t.Fatal(err)
		}
		left := n
		for _, path := range paths {
			f, err := region.Open(path, region.Options{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			for slot := region.Slot(0); slot < region.Slots && left > 0; slot++ {
				record, err := f.Read(slot, nil)
				if err != nil {
					continue // mostly absent
				}
				data, err := record.AppendDecoded(&unpack, nil, 0)
				if err != nil {
					t.Fatal(err)
				}
				c, err := decoder.Decode(data)
				if err != nil {
					t.Fatalf("%s slot %d: %v", path, slot, err)
				}
				list = append(list, c)
				left--
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return list
}

// judged is what the judge must say of a chunk: testdata/judge.mjs.
func judged(c *chunk.Chunk, blockEntities int) []byte {
	shape := shapeOf(c)
	blocks := block.ForProtocol(registry.V26_1.Info().Protocol)
	biomes := registry.Of("minecraft:worldgen/biome", registry.V26_1)
	low, high := int(shape.Low)<<4, int(shape.High)<<4
	out := binary.LittleEndian.AppendUint32(nil, uint32(c.Pos().X))
	out = binary.LittleEndian.AppendUint32(out, uint32(c.Pos().Z))
	for y := low; y < high; y++ {
		for column := range 256 {
			s, _ := c.Tables().States.Base(c.Block(column&15, y, column>>4))
			out = binary.LittleEndian.AppendUint16(out, blocks.ID(s))
		}
	}
	instead := registry.Translate("minecraft:worldgen/biome", registry.Native, registry.V26_1)
	for y := low; y < high; y += 4 {
		for cell := range 16 {
			b, _ := c.Biome(cell&3<<2, y, cell>>2<<2)
			id, ok := biomes.ID(c.Tables().Biomes.Name(b))
			if !ok {
				id, _ = instead.Nearest(int32(b))
			}
			out = binary.LittleEndian.AppendUint16(out, uint16(id))
		}
	}
	for _, kind := range []chunk.Light{chunk.SkyLight, chunk.BlockLight} {
		for y := low - 16; y < high+16; y++ {
			for column := range 256 {
				level, _ := c.Light(kind, column&15, y, column>>4)
				out = append(out, level)
			}
		}
	}
	return binary.LittleEndian.AppendUint32(out, uint32(blockEntities))
}

// Chunks are read by libraries of others, of 26.1, as they are.
func TestPrismarineReadsWhatIsSent(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every block of many chunks in Node")
	}
	node, folder := clients.Installed(t)
	tables := chunk.NewTables()
	runs := testbed.Runs(t, 8)
	chunks := append(corpusChunks(t, tables, max(1, 998/runs)), oracleChunks(t, tables, max(1, runs/8))...)
	e := newEncoder(t, registry.V26_1, tables)
	var input bytes.Buffer
	var want [][]byte
	for _, c := range chunks {
		if !c.Full() || c.Height() == 0 {
			continue
		}
		data, err := e.AppendChunk(nil, c, shapeOf(c))
		if err != nil {
			t.Fatal(err)
		}
		list, err := c.BlockEntities()
		if err != nil {
			t.Fatal(err)
		}
		sent := len(e.bedsOf(c))
		for i := range list {
			if e.sends(&list[i], c, shapeOf(c)) {
				sent++
			}
		}
		for _, v := range []int{len(data), c.MinY(), c.Height()} {
			input.Write(binary.LittleEndian.AppendUint32(nil, uint32(int32(v))))
		}
		input.Write(data)
		want = append(want, judged(c, sent))
	}
	packets, cells := filepath.Join(t.TempDir(), "packets"), filepath.Join(t.TempDir(), "cells")
	if err := os.WriteFile(packets, input.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), node, filepath.Join("testdata", "judge.mjs"), folder, packets, cells).CombinedOutput(); err != nil {
		t.Fatalf("the judge: %v\n%s", err, out)
	}
	got, err := os.ReadFile(cells)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if len(got) < len(w) {
			t.Fatalf("the judge said %d bytes of chunk %d, want %d", len(got), i, len(w))
		}
		if !bytes.Equal(got[:len(w)], w) {
			at := 0
			for at < len(w) && got[at] == w[at] {
				at++
			}
			t.Errorf("chunk %d: the judge's answer differs at byte %d of %d: %d, want %d", i, at, len(w), got[at], w[at])
		}
		got = got[len(w):]
	}
	if len(got) > 0 {
		t.Errorf("the judge said %d bytes too many", len(got))
	}
	t.Logf("%d chunks were read", len(want))
}
