package stream

import (
	"errors"
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/region"
	"strata/server/protocol"
)

// Errors of encoding.
var (
	// ErrVersion: there are no tables of the version.
	ErrVersion = errors.New("no such version")
	// ErrShape: a shape of no or too many sections, or outside of the world.
	ErrShape = errors.New("shape out of range")
)

// EncoderOptions say what an Encoder needs to know of the server.
type EncoderOptions struct {
	// Tables are those of the chunks that are encoded.
	Tables *chunk.Tables
	// Biomes are the names of the biomes in the order in which the server
	// sends their registry; nil for the game's own of the version.
	Biomes []string
}

// Encoder appends packets of the play state for one version. It belongs to one
// goroutine.
type Encoder struct {
	numbers *Numbering
	tables  *chunk.Tables
	flags   []uint8

	biomes    []int32 // numbers by chunk.Biome, biomeUnset where not asked for yet
	known     map[string]int32
	fallback  int32 // for biomes that clients are not told of
	biomeBits uint8

	// Scratch.
	palette      []block.State
	biomePalette []chunk.Biome
	longs, wide  []uint64
	body         []byte
	beds         []chunk.SectionY
	cells        [chunk.SectionCells]block.State
	changes      []int32
}

const biomeUnset = -1

// NewEncoder returns an encoder. The error is ErrVersion.
func NewEncoder(v registry.Version, o EncoderOptions) (*Encoder, error) {
	n := NumberingOf(v)
	if n == nil {
		return nil, fmt.Errorf("version %d: %w", v, ErrVersion)
	}
	if o.Tables == nil {
		o.Tables = chunk.NewTables()
	}
	e := &Encoder{numbers: n, tables: o.Tables, flags: flagsOf(), known: make(map[string]int32)}
	if o.Biomes == nil {
		for _, name := range registry.Of("minecraft:worldgen/biome", v).All() {
			o.Biomes = append(o.Biomes, name)
		}
	}
	for id, name := range o.Biomes {
		e.known[name] = int32(id)
	}
	e.biomeBits = max(widthOf(len(o.Biomes)), 1)
	e.fallback = e.known["minecraft:plains"] // or the first
	return e, nil
}

// Version returns the version that the packets are for.
func (e *Encoder) Version() registry.Version { return e.numbers.version }

// biome is the number of a biome on the wire.
func (e *Encoder) biome(b chunk.Biome) int32 {
	for int(b) >= len(e.biomes) {
		e.biomes = append(e.biomes, biomeUnset)
	}
	if id := e.biomes[b]; id != biomeUnset {
		return id
	}
	id, ok := e.known[e.tables.Biomes.Name(b)]
	if !ok {
		id = e.fallback
		native := registry.Of("minecraft:worldgen/biome", registry.Native)
		if at, has := native.ID(e.tables.Biomes.Name(b)); has {
			// One that the version lacks has something that stands in for it.
			near, _ := registry.Translate("minecraft:worldgen/biome", registry.Native, e.numbers.version).Nearest(at)
			if name, has := registry.Of("minecraft:worldgen/biome", e.numbers.version).Name(near); has {
				if known, has := e.known[name]; has {
					id = known
				}
			}
		}
	}
	e.biomes[b] = id
	return id
}

// ids are the numbers of the packets that are written here.
var ids = struct{ chunk, light int32 }{
	mustID(&protocol.LevelChunkWithLight{}), mustID(&protocol.LightUpdate{}),
}

func mustID(p protocol.Packet) int32 {
	id, ok := protocol.ID(registry.Play, registry.Clientbound, p)
	if !ok {
		panic("no packet " + p.PacketName())
	}
	return id
}

// append appends a packet of package protocol.
func (e *Encoder) append(dst []byte, p protocol.Packet) ([]byte, error) {
	w := protocol.NewWriter(dst)
	if err := protocol.EncodePacket(w, e.numbers.version, registry.Play, registry.Clientbound, p); err != nil {
		return dst, err
	}
	return w.Bytes(), nil
}

// AppendForget appends forget_level_chunk.
func (e *Encoder) AppendForget(dst []byte, pos region.ChunkPos) ([]byte, error) {
	return e.append(dst, &protocol.ForgetLevelChunk{ChunkX: pos.X, ChunkZ: pos.Z})
}

// AppendCenter appends set_chunk_cache_center.
func (e *Encoder) AppendCenter(dst []byte, pos region.ChunkPos) ([]byte, error) {
	return e.append(dst, &protocol.SetChunkCacheCenter{ChunkX: pos.X, ChunkZ: pos.Z})
}

// AppendBatchStart appends chunk_batch_start.
func (e *Encoder) AppendBatchStart(dst []byte) ([]byte, error) {
	return e.append(dst, &protocol.ChunkBatchStart{})
}

// AppendBatchFinished appends chunk_batch_finished for a batch of so many.
func (e *Encoder) AppendBatchFinished(dst []byte, chunks int) ([]byte, error) {
	return e.append(dst, &protocol.ChunkBatchFinished{BatchSize: int32(chunks)})
}

// AppendBlock appends block_update. The error is that of package protocol for a
// position that cannot be sent.
func (e *Encoder) AppendBlock(dst []byte, pos chunk.BlockPos, s block.State) ([]byte, error) {
	return e.append(dst, &protocol.BlockUpdate{Pos: protocol.BlockPos{X: pos.X, Y: pos.Y, Z: pos.Z}, State: e.numbers.State(s, e.tables)})
}

// Change is a block of a section that is another now.
type Change struct {
	// Cell is its place, y<<8 | z<<4 | x in the section, 0 to 4095.
	Cell  uint16
	State block.State
}

// AppendBlocks appends section_blocks_update for changes in the section y of a
// chunk, at least one.
func (e *Encoder) AppendBlocks(dst []byte, pos region.ChunkPos, y chunk.SectionY, changes []Change) ([]byte, error) {
	e.changes = e.changes[:0]
	for _, c := range changes {
		// The wire has x<<8 | z<<4 | y.
		at := int32(c.Cell&15)<<8 | int32(c.Cell&0xf0) | int32(c.Cell>>8&15)
		e.changes = append(e.changes, e.numbers.State(c.State, e.tables)<<12|at)
	}
	return e.append(dst, &protocol.SectionBlocksUpdate{
		Section: protocol.SectionPos{X: pos.X, Y: int32(y), Z: pos.Z}, Blocks: e.changes,
	})
}
