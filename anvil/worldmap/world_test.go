package worldmap

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/region"
	"strata/region/codec"
)

// ground describes a world: what is in each of its chunks, nil for none.
type ground func(pos region.ChunkPos) *chunk.Chunk

// build makes a world whose chunks are those of an area.
func build(t testing.TB, area Area, of ground) *anvil.World {
	t.Helper()
	w, err := anvil.Create(filepath.Join(t.TempDir(), "world"), anvil.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[region.Pos]map[region.Slot][]byte)
	var encoder chunk.Encoder
	for z := area.Min.Z; z <= area.Max.Z; z++ {
		for x := area.Min.X; x <= area.Max.X; x++ {
			pos := region.ChunkPos{X: x, Z: z}
			c := of(pos)
			if c == nil {
				continue
			}
			data, err := encoder.Encode(nil, c)
			if err != nil {
				t.Fatal(err)
			}
			if files[pos.Region()] == nil {
				files[pos.Region()] = make(map[region.Slot][]byte)
			}
			files[pos.Region()][pos.Slot()] = data
		}
	}
	d, err := w.Dimension(anvil.Overworld)
	if err != nil {
		t.Fatal(err)
	}
	for pos, chunks := range files {
		writeRegion(t, filepath.Join(d.Region, pos.Name()), chunks)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w, err = anvil.Open(w.Path(), anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// writeRegion writes a region file of documents.
func writeRegion(t testing.TB, path string, chunks map[region.Slot][]byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	w, err := region.Create(path, region.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pack, err := codec.NewEncoder(codec.Zlib, codec.MinLevel)
	if err != nil {
		t.Fatal(err)
	}
	for slot := range region.Slot(region.Slots) {
		document, ok := chunks[slot]
		if !ok {
			continue
		}
		stream, err := pack.Append(nil, document)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Put(slot, region.Record{Scheme: codec.Zlib, Data: stream}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
}

// picture draws a world and decodes the picture with the standard library.
func picture(t testing.TB, w *anvil.World, o Options, scale int) (*image.NRGBA, *Result) {
	t.Helper()
	p, err := NewPlan(w, o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	result, err := p.WritePNG(t.Context(), &out, scale)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	m, ok := decoded.(*image.NRGBA)
	if !ok {
		t.Fatalf("a picture of type %T", decoded)
	}
	return m, result
}

// empty is a chunk without blocks.
func empty(t testing.TB, pos region.ChunkPos, status chunk.Status) *chunk.Chunk {
	t.Helper()
	c, err := chunk.New(testTables, pos, chunk.Options{DataVersion: anvil.NativeVersion, MinSection: -4, Sections: 24, Status: status})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var testTables = chunk.NewTables()

// fill sets the blocks of a column from one y to another.
func fill(t testing.TB, c *chunk.Chunk, x, z, low, high int, name string) {
	t.Helper()
	if err := c.Fill(x, low, z, x, high, z, block.MustParse(name)); err != nil {
		t.Fatal(err)
	}
}

// noise is a number of 0 to n-1 for a place.
func noise(x, z, kind, n int) int {
	h := uint64(x)*0x9e3779b97f4a7c15 ^ uint64(z)*0xc2b2ae3d27d4eb4f ^ uint64(kind)*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 32
	return int(h % uint64(n))
}

// hills is a piece of land with everything that is drawn in a way of its own:
// slopes, water, trees, biomes, holes, chunks at all statuses. Chunk cx, cz of
// it is put at pos.
func hills(t testing.TB, pos region.ChunkPos, cx, cz int) *chunk.Chunk {
	t.Helper()
	if noise(cx, cz, 1, 9) == 0 {
		return nil
	}
	status := chunk.StatusFull
	switch noise(cx, cz, 2, 7) {
	case 0:
		status = chunk.StatusFeatures
	case 1:
		status = chunk.StatusBiomes
	}
	c := empty(t, pos, status)
	if status == chunk.StatusBiomes {
		return c
	}
	for z := range 16 {
		for x := range 16 {
			wx, wz := cx*16+x, cz*16+z
			top := 58 + noise(wx>>3, wz>>3, 3, 12) + noise(wx, wz, 4, 3)
			if noise(wx, wz, 5, 60) == 0 {
				continue
			}
			fill(t, c, x, z, 40, top-1, "stone")
			fill(t, c, x, z, top, top, "grass_block")
			if top < 62 {
				fill(t, c, x, z, top, top, "sand")
				fill(t, c, x, z, top+1, 62, "water")
			} else if noise(wx>>1, wz>>1, 6, 9) == 0 {
				fill(t, c, x, z, top+3, top+5, "oak_leaves")
			}
			biome, _ := testTables.Biomes.Find("minecraft:" + []string{"plains", "swamp", "desert", "cherry_grove"}[noise(wx>>4, wz>>4, 7, 4)])
			for y := 40; y < 80; y += 4 {
				if err := c.SetBiome(x, y, z, biome); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return c
}
