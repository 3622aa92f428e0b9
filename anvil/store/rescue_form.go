package store

import (
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
)

// rescueForm is what the rescue folder gets of an object: its payload, or, if it
// could not be made, what can be made instead. A chunk that cannot be encoded
// has its NBT with a name of ours where the chunk has what nobody can name. What
// cannot be compressed, or not to a stream that is short enough, stays NBT.
func (s *Store) rescueForm(sv *save) ([]byte, error) {
	if sv.payload != nil {
		return sv.payload, nil
	}
	e := s.encoders.get()
	defer s.encoders.put(e)
	data, _, err := sv.value.encode(e, nil)
	if c, ok := sv.value.(chunkContent); err != nil && ok {
		data, _, err = named(c).encode(e, nil)
	}
	if err != nil {
		return nil, err
	}
	stream, err := e.streams.Append(nil, data)
	if err != nil || len(stream) > s.streamLimit {
		return data, nil
	}
	return stream, nil
}

// unnamed begins the names of block states and biomes that have none, and is
// the status of a chunk whose own is too long. The game does not know them.
const unnamed = "strata:unknown"

// named is a copy of a chunk that can be encoded: block states and biomes that
// its tables did not give out, which a mistake in a program puts there, have
// names with their numbers.
func named(c chunkContent) chunkContent {
	n := namer{tables: c.Tables(), states: map[block.State]block.State{}, biomes: map[chunk.Biome]chunk.Biome{}}
	clone := c.Clone()
	for y := chunk.MinSectionY; y <= chunk.MaxSectionY; y++ {
		clone.Replace(y, n.state)
		clone.ReplaceBiomes(y, n.biome)
	}
	if len(clone.StatusName()) > maxName {
		clone.SetStatusName(unnamed)
	}
	return chunkContent{clone}
}

// maxName is the longest string of NBT.
const maxName = 1<<16 - 1

// namer gives names to what has none.
type namer struct {
	tables *chunk.Tables
	states map[block.State]block.State
	biomes map[chunk.Biome]chunk.Biome
}

func (n *namer) state(v block.State) block.State {
	if v.Native() || n.tables.States.NBT(v) != nil {
		return v
	}
	if to, ok := n.states[v]; ok {
		return to
	}
	to := block.Air.Default() // where there is no room for a name
	entry, err := nbt.MarshalRaw(map[string]string{"Name": fmt.Sprintf("%s_%d", unnamed, v)})
	if err == nil {
		if state, err := n.tables.States.Intern(entry.Data, nil, nil); err == nil {
			to = state
		}
	}
	n.states[v] = to
	return to
}

func (n *namer) biome(v chunk.Biome) chunk.Biome {
	if int(v) < n.tables.Biomes.Len() {
		return v
	}
	if to, ok := n.biomes[v]; ok {
		return to
	}
	to, err := n.tables.Biomes.InternString(fmt.Sprintf("%s_%d", unnamed, v))
	if err != nil {
		to, _ = n.tables.Biomes.Find("minecraft:plains")
	}
	n.biomes[v] = to
	return to
}
