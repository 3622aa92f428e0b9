package chunk_test

import (
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/clients"
	"strata/nbt"
)

// speaker says our chunks in the judge's words and back. The names in the
// palettes are all that ours and the judge's numbers have in common.
type speaker struct {
	tables  *chunk.Tables
	columns bool // biomes are given by column
	low     int  // sections with biomes, where they are not
	count   int

	// numbers gives the judge's number of a state's text, misread that of a
	// state that it takes for another. states are ours by the judge's number,
	// said the judge's by our number, -1 for one that was not met yet.
	numbers map[string]uint16
	misread map[string]uint16
	states  map[uint16]block.State
	said    []int32
	met     int
	biomes  map[string]uint16
	names   []string // of biomes
	tape    nbt.Tape
}

func newSpeaker(states, biomes []string, low, count int) *speaker {
	s := &speaker{
		tables: chunk.NewTables(), low: low, count: count, names: biomes,
		numbers: map[string]uint16{}, states: map[uint16]block.State{}, said: make([]int32, 1<<16),
		biomes: map[string]uint16{},
	}
	for i := range s.said {
		s.said[i] = -1
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
		if s.said[state] < 0 {
			if err := s.learn(state); err != nil {
				return nil, fmt.Errorf("block %d: %w", i, err)
			}
		}
		numbers[i] = uint16(s.said[state])
	}
	return numbers, nil
}

// learn finds the judge's number of a state.
func (s *speaker) learn(state block.State) error {
	text, err := s.text(state)
	if err != nil {
		return err
	}
	s.met++
	if n, ok := s.misread[text]; ok {
		s.said[state] = int32(n)
		return nil
	}
	n, ok := s.numbers[text]
	if !ok {
		return fmt.Errorf("the judge has no state %s", text)
	}
	if other, twice := s.states[n]; twice {
		return fmt.Errorf("states %v and %v are both %s", other, state, text)
	}
	s.said[state], s.states[n] = int32(n), state
	return nil
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
	s.eachBiome(func(_, x, y, z int) {
		biome, ok := c.Biome(x, y, z)
		n, known := s.biomes[s.tables.Biomes.Name(biome)]
		if err == nil && (!ok || !known) {
			err = fmt.Errorf("chunk %v: biome at %d,%d,%d is %q (given: %t)", c.Pos(), x, y, z, s.tables.Biomes.Name(biome), ok)
		}
		numbers = append(numbers, n)
	})
	return numbers, err
}
