package chunk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/clients"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// speaker says our chunks in the judge's words and back. The names in the
// palettes are all that ours and the judge's numbers have in common.
type speaker struct {
	tables  *chunk.Tables
	columns bool // biomes are given by column
	low     int  // sections with biomes, where they are not
	count   int

	// numbers gives the judge's number of a state's text, states our state of
	// a number that was met, said the number of a state that was met.
	numbers map[string]uint16
	states  map[uint16]block.State
	said    map[block.State]uint16
	biomes  map[string]uint16
	names   []string // of biomes
	tape    nbt.Tape
}

func newSpeaker(states, biomes []string, low, count int) *speaker {
	s := &speaker{
		tables: chunk.NewTables(), low: low, count: count, names: biomes,
		numbers: map[string]uint16{}, states: map[uint16]block.State{}, said: map[block.State]uint16{},
		biomes: map[string]uint16{},
	}
	for i, text := range states {
		s.numbers[text] = uint16(i)
	}
	for i, name := range biomes {
		s.biomes[name] = uint16(i)
	}
	return s
}

// chunk says a chunk. Light in sections without blocks is left out if the
// judge is known not to read those.
func (s *speaker) chunk(c *chunk.Chunk, needsBlocks bool) (clients.Chunk, error) {
	out := clients.Chunk{X: int(c.Pos().X), Z: int(c.Pos().Z)}
	var err error
	if out.Biomes, err = s.chunkBiomes(c); err != nil {
		return out, err
	}
	low, high := c.SectionRange()
	for y := low; y < high; y++ {
		if !c.HasSection(y) || needsBlocks && !c.HasBlocks(y) {
			continue
		}
		section := clients.ChunkSection{Y: int(y)}
		if section.Blocks, err = s.blocks(c, y); err != nil {
			return out, fmt.Errorf("chunk %v: section %d: %w", c.Pos(), y, err)
		}
		section.BlockLight = light(c, chunk.BlockLight, y)
		section.SkyLight = light(c, chunk.SkyLight, y)
		out.Sections = append(out.Sections, section)
	}
	return out, nil
}

func (s *speaker) blocks(c *chunk.Chunk, y chunk.SectionY) ([]uint16, error) {
	var states [chunk.SectionCells]block.State
	c.SectionBlocks(y, &states)
	numbers := make([]uint16, len(states))
	for i, state := range states {
		n, ok := s.said[state]
		if !ok {
			var err error
			if n, err = s.number(state); err != nil {
				return nil, fmt.Errorf("block %d: %w", i, err)
			}
		}
		numbers[i] = n
	}
	return numbers, nil
}

func (s *speaker) number(state block.State) (uint16, error) {
	text, err := s.text(state)
	if err != nil {
		return 0, err
	}
	n, ok := s.numbers[text]
	if !ok {
		return 0, fmt.Errorf("the judge has no state %s", text)
	}
	if other, twice := s.states[n]; twice {
		return 0, fmt.Errorf("states %v and %v are both %s", other, state, text)
	}
	s.said[state], s.states[n] = n, state
	return n, nil
}

// text returns name and properties of any state.
func (s *speaker) text(state block.State) (string, error) {
	if state.Native() {
		return state.String(), nil
	}
	entry := s.tables.States.NBT(state)
	if err := s.tape.ParseNetwork(append([]byte{byte(nbt.TypeCompound)}, entry...)); err != nil {
		return "", fmt.Errorf("entry of %v: %w", state, err)
	}
	name, ok := s.tape.Root().Get("Name").Bytes()
	if !ok {
		return "", fmt.Errorf("entry of %v has no name", state)
	}
	var properties [][2]string
	for key, value := range s.tape.Root().Get("Properties").Members() {
		text, ok := value.Bytes()
		if !ok {
			return "", fmt.Errorf("entry of %s: %s is no text", name, key)
		}
		properties = append(properties, [2]string{string(key), string(text)})
	}
	return clients.StateText(string(name), properties), nil
}

// light returns the light of a section, nil if it is absent.
func light(c *chunk.Chunk, kind chunk.Light, y chunk.SectionY) []byte {
	var bytes [chunk.LightBytes]byte
	if !c.SectionLight(kind, y, &bytes) {
		return nil
	}
	return bytes[:]
}

// eachBiome calls visit with a position of every biome, in the judge's order.
func (s *speaker) eachBiome(visit func(i, x, y, z int)) {
	if s.columns {
		for i := range 256 {
			visit(i, i&15, 0, i>>4)
		}
		return
	}
	for i := range 64 * s.count {
		visit(i, i&3*4, s.low*16+i>>4*4, i>>2&3*4)
	}
}

func (s *speaker) chunkBiomes(c *chunk.Chunk) (numbers []uint16, err error) {
	s.eachBiome(func(i, x, y, z int) {
		biome, ok := c.Biome(x, y, z)
		n, known := s.biomes[s.tables.Biomes.Name(biome)]
		if err == nil && (!ok || !known) {
			err = fmt.Errorf("chunk %v: biome at %d,%d,%d is %q (given: %t)", c.Pos(), x, y, z, s.tables.Biomes.Name(biome), ok)
		}
		numbers = append(numbers, n)
	})
	return numbers, err
}

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

// judgeReads has the judge read what is in a folder and compares it with what
// should be there.
func judgeReads(t *testing.T, world *clients.ChunkWorld, dir string, want []clients.Chunk) {
	t.Helper()
	const batch = 25
	for part := range slices.Chunk(want, batch) {
		at := positions(part)
		got, err := world.Digests(dir, at)
		if err != nil || len(got) != len(part) {
			t.Fatalf("%d chunks of %d: %v", len(got), len(part), err)
		}
		for i, digest := range got {
			d := clients.DiffDigests(digest, part[i])
			if d == "" {
				continue
			}
			whole, err := world.Read(dir, at[i:i+1])
			if err != nil || len(whole) != 1 {
				t.Fatalf("%s (%v)", d, err)
			}
			t.Fatalf("the library read: %s", clients.DiffChunks(whole[0], part[i]))
		}
	}
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
