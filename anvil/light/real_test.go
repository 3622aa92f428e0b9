package light

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/bits"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// realSection is a section of a chunk that the game saved. Light that it did
// not save is nil.
type realSection struct {
	states     *[4096]block.State // nil: all one
	one        block.State
	block, sky []byte
}

// realChunk is what the tests read of such a chunk.
type realChunk struct {
	x, z     int
	low      int // the lowest section with blocks
	full     bool
	lit      bool
	sections map[int]*realSection
	nbt      []byte
}

// Section makes the chunk one that can be prepared.
func (c *realChunk) Section(y chunk.SectionY, _ *[4096]block.State) (*[4096]block.State, block.State) {
	s := c.sections[int(y)]
	if s == nil {
		return nil, 0
	}
	return s.states, s.one
}

// savedChunk is the form in the file.
type savedChunk struct {
	X        int32 `nbt:"xPos"`
	Z        int32 `nbt:"zPos"`
	Y        int32 `nbt:"yPos"`
	Status   string
	LightOn  int8 `nbt:"isLightOn"`
	Sections []struct {
		Y           int8
		BlockStates struct {
			Palette []struct {
				Name       string
				Properties map[string]string
			} `nbt:"palette"`
			Data []int64 `nbt:"data"`
		} `nbt:"block_states"`
		BlockLight []byte
		SkyLight   []byte
	} `nbt:"sections"`
}

// realReader reads chunks. Palette entries are resolved once.
type realReader struct {
	decoder codec.Decoder
	states  map[string]block.State
	unknown map[string]int
	keep    bool // the NBT
}

func newRealReader() *realReader {
	return &realReader{states: map[string]block.State{}, unknown: map[string]int{}}
}

func (r *realReader) state(name string, properties map[string]string) block.State {
	key := fmt.Sprint(name, properties)
	s, ok := r.states[key]
	if !ok {
		var pairs []block.Pair
		for k, v := range properties {
			pairs = append(pairs, block.Pair{Key: []byte(k), Value: []byte(v)})
		}
		if s, ok = block.Resolve([]byte(name), pairs); !ok {
			s = r.nearest(name, properties)
		}
		r.states[key] = s
	}
	return s
}

// nearest is for blocks of older versions: the same block with what it knows
// of the properties.
func (r *realReader) nearest(name string, properties map[string]string) block.State {
	r.unknown[name]++
	id, ok := block.Find(name)
	if !ok {
		return block.Stone.Default()
	}
	s := id.Default()
	for k, v := range properties {
		s, _ = s.With(k, v)
	}
	return s
}

func (r *realReader) chunk(data []byte) (*realChunk, error) {
	var saved savedChunk
	if err := nbt.Unmarshal(data, &saved); err != nil {
		return nil, err
	}
	c := &realChunk{
		x: int(saved.X), z: int(saved.Z), low: int(saved.Y),
		full: strings.TrimPrefix(saved.Status, "minecraft:") == "full", lit: saved.LightOn != 0,
		sections: map[int]*realSection{},
	}
	for _, s := range saved.Sections {
		section := &realSection{}
		if len(s.BlockLight) == 2048 {
			section.block = s.BlockLight
		}
		if len(s.SkyLight) == 2048 {
			section.sky = s.SkyLight
		}
		c.sections[int(s.Y)] = section
		palette := make([]block.State, len(s.BlockStates.Palette))
		for i, p := range s.BlockStates.Palette {
			palette[i] = r.state(p.Name, p.Properties)
		}
		if len(palette) < 2 {
			if len(palette) == 1 {
				section.one = palette[0]
			}
			continue
		}
		width := max(4, bits.Len(uint(len(palette)-1)))
		per := 64 / width
		if len(s.BlockStates.Data) != (4096+per-1)/per {
			return nil, errors.New("unexpected length of data")
		}
		section.states = new([4096]block.State)
		for i := range section.states {
			index := uint64(s.BlockStates.Data[i/per]) >> (i % per * width) & (1<<width - 1)
			if int(index) >= len(palette) {
				return nil, errors.New("index outside of the palette")
			}
			section.states[i] = palette[index]
		}
	}
	return c, nil
}

// chunkAt names a chunk.
type chunkAt struct{ x, z int }

// file adds the chunks of a region file to chunks.
func (r *realReader) file(t testing.TB, path string, chunks map[chunkAt]*realChunk) {
	t.Helper()
	f, err := region.Open(path, region.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := range region.Slot(region.Slots) {
		data, _, err := f.Decode(s, &r.decoder, nil, nil)
		if errors.Is(err, region.ErrAbsent) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := r.chunk(data)
		if err != nil {
			t.Fatalf("slot %d of %s: %v", s, path, err)
		}
		if r.keep {
			c.nbt = data
		}
		chunks[chunkAt{c.x, c.z}] = c
	}
}

// folder reads all region files below a folder.
func (r *realReader) folder(t testing.TB, path string) map[chunkAt]*realChunk {
	t.Helper()
	chunks := map[chunkAt]*realChunk{}
	err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".mca" {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Size() > 0 {
			r.file(t, path, chunks)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

// neighbored reports whether all eight neighbors of a chunk are there and
// full.
func neighbored(chunks map[chunkAt]*realChunk, at chunkAt) bool {
	for dz := -1; dz <= 1; dz++ {
		for dx := -1; dx <= 1; dx++ {
			if c := chunks[chunkAt{at.x + dx, at.z + dz}]; c == nil || !c.full {
				return false
			}
		}
	}
	return true
}

// inOrder returns where chunks are, row by row.
func inOrder(chunks map[chunkAt]*realChunk) []chunkAt {
	return slices.SortedFunc(maps.Keys(chunks), func(a, b chunkAt) int {
		return cmp.Or(cmp.Compare(a.z, b.z), cmp.Compare(a.x, b.x))
	})
}
