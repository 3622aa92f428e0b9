package client

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/nbt"
	"strata/region"
	"strata/server/protocol"
)

// Chunk is a column as it was sent, and what has changed since.
type Chunk struct {
	lowest   int                // the lowest section
	sections []protocol.Section // nil of a lean client
	changed  map[protocol.BlockPos]int32
	// Entities are its block entities as they were sent.
	Entities []protocol.ChunkBlockEntity
	// Times is how often the chunk was sent without having been forgotten between.
	Times int
}

// keepWorld keeps what is about the world, and reports whether it was that. What
// cannot be read of a chunk makes it one without blocks, see [Chunk.Block].
func (c *Client) keepWorld(p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.Login:
		c.EntityID = p.EntityID
		c.enter(&p.Spawn)
	case *protocol.Respawn:
		c.enter(&p.Spawn)
	case *protocol.LevelChunkWithLight:
		c.keepChunk(p)
	case *protocol.ForgetLevelChunk:
		delete(c.chunks, region.ChunkPos{X: p.ChunkX, Z: p.ChunkZ})
	case *protocol.SetChunkCacheCenter:
		c.center = region.ChunkPos{X: p.ChunkX, Z: p.ChunkZ}
	case *protocol.BlockUpdate:
		c.setBlock(p.Pos, p.State)
	case *protocol.SectionBlocksUpdate:
		for _, b := range p.Blocks {
			c.setBlock(placeOf(p.Section, b), b>>12)
		}
	default:
		return false
	}
	return true
}

// placeOf is where a block of an update of a section is: x, z and y within it, 4 bits
// each.
func placeOf(s protocol.SectionPos, b int32) protocol.BlockPos {
	return protocol.BlockPos{X: s.X<<4 | b>>8&15, Y: s.Y<<4 | b&15, Z: s.Z<<4 | b>>4&15}
}

// enter is another dimension, or the same anew: nothing of the old one is left.
func (c *Client) enter(s *protocol.SpawnInfo) {
	c.Dimension, c.GameMode = s.Name, s.GameMode
	c.lowest = lowestOf(c.Version(), c.Registries["minecraft:dimension_type"], s.Dimension)
	clear(c.chunks)
	clear(c.Entities)
	c.loaded = false
}

// lowestOf is the lowest section of dimensions of a type, by the type's number
// among those that were sent. A type that is not the game's own begins at 0.
func lowestOf(v registry.Version, names []string, number int32) int {
	if number < 0 || int(number) >= len(names) {
		return 0
	}
	for _, r := range registry.SyncedRegistries(v) {
		if r.ID != "minecraft:dimension_type" {
			continue
		}
		for _, e := range r.Entries {
			var kind struct {
				MinY int32 `nbt:"min_y"`
			}
			if e.ID == names[number] && nbt.UnmarshalNetwork(e.NBT, &kind) == nil {
				return int(kind.MinY >> 4)
			}
		}
	}
	return 0
}

func (c *Client) keepRegistry(r *protocol.RegistryData) {
	names := make([]string, len(r.Entries))
	for i, e := range r.Entries {
		names[i] = e.Key
	}
	c.Registries[r.ID] = names
}

func (c *Client) keepChunk(p *protocol.LevelChunkWithLight) {
	pos := region.ChunkPos{X: p.X, Z: p.Z}
	made := &Chunk{lowest: c.lowest, Times: 1}
	if was := c.chunks[pos]; was != nil {
		made.Times += was.Times
	}
	if !c.options.Lean {
		made.Entities = p.BlockEntities
		made.sections = sectionsOf(p.ChunkData)
	}
	c.chunks[pos] = made
}

// sectionsOf reads the sections of a chunk, nil if they are not whole.
func sectionsOf(data []byte) []protocol.Section {
	r := protocol.NewReader(data)
	var sections []protocol.Section
	for r.Remaining() > 0 {
		s := r.Section()
		if r.Err() != nil {
			return nil
		}
		sections = append(sections, s)
	}
	return sections
}

// setBlock keeps a change of a block whose chunk is there.
func (c *Client) setBlock(pos protocol.BlockPos, state int32) {
	in := c.chunks[chunk.BlockPos(pos).Chunk()]
	if in == nil || c.options.Lean {
		return
	}
	if in.changed == nil {
		in.changed = map[protocol.BlockPos]int32{}
	}
	in.changed[pos] = state
}

// Chunk returns a chunk that the client has, nil if it has it not.
func (c *Client) Chunk(pos region.ChunkPos) *Chunk { return c.chunks[pos] }

// Chunks is how many the client has.
func (c *Client) Chunks() int { return len(c.chunks) }

// EachChunk calls f with all chunks that the client has, in no order.
func (c *Client) EachChunk(f func(region.ChunkPos, *Chunk)) {
	for pos, in := range c.chunks {
		f(pos, in)
	}
}

// Center is the chunk around which the server sends others.
func (c *Client) Center() region.ChunkPos { return c.center }

// StateID returns the number of the state at a place in the version that is spoken,
// false if the client has no blocks there.
func (c *Client) StateID(pos protocol.BlockPos) (int32, bool) {
	in := c.chunks[chunk.BlockPos(pos).Chunk()]
	if in == nil {
		return 0, false
	}
	if id, ok := in.changed[pos]; ok {
		return id, true
	}
	at := int(pos.Y>>4) - in.lowest
	if at < 0 || at >= len(in.sections) {
		return 0, false
	}
	return in.sections[at].States.At(int(pos.Y&15)<<8 | int(pos.Z&15)<<4 | int(pos.X&15))
}

// Block returns the state at a place, false if the client has no blocks there or
// none of that number is known.
func (c *Client) Block(pos chunk.BlockPos) (block.State, bool) {
	id, ok := c.StateID(protocol.BlockPos(pos))
	if !ok || id < 0 || id > 1<<16-1 {
		return 0, false
	}
	return block.ForProtocol(c.Version().Protocol()).State(uint16(id))
}

// BiomeName returns the name of the biome of a block, false if the client has none
// there.
func (c *Client) BiomeName(pos chunk.BlockPos) (string, bool) {
	in := c.chunks[pos.Chunk()]
	if in == nil {
		return "", false
	}
	at := int(pos.Y>>4) - in.lowest
	if at < 0 || at >= len(in.sections) {
		return "", false
	}
	id, ok := in.sections[at].Biomes.At(int(pos.Y>>2&3)<<4 | int(pos.Z>>2&3)<<2 | int(pos.X>>2&3))
	names := c.Registries["minecraft:worldgen/biome"]
	if !ok || id < 0 || int(id) >= len(names) {
		return "", false
	}
	return names[id], true
}

// Surface returns the height above the highest block of a column that is not air,
// false if the client has no blocks there.
func (c *Client) Surface(x, z int32) (int32, bool) {
	in := c.chunks[chunk.BlockPos{X: x, Z: z}.Chunk()]
	if in == nil || in.sections == nil {
		return 0, false
	}
	low := int32(in.lowest) << 4
	for y := low + int32(len(in.sections))<<4 - 1; y >= low; y-- {
		if s, ok := c.Block(chunk.BlockPos{X: x, Y: y, Z: z}); ok && !s.Air() {
			return y + 1, true
		}
	}
	return low, true
}
