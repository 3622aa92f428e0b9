package query

import (
	"time"

	"strata/anvil/chunk"
	"strata/nbt"
	"strata/region"
)

// Row is one chunk as expressions see it: the fields with a tag, by that name.
type Row struct {
	Dimension string `expr:"dimension" doc:"id of the dimension"`
	X         int    `expr:"x" doc:"position, in chunks"`
	Z         int    `expr:"z" doc:"position, in chunks"`
	RegionX   int    `expr:"region_x" doc:"position of the region"`
	RegionZ   int    `expr:"region_z" doc:"position of the region"`

	Timestamp int       `expr:"timestamp" doc:"when it was saved, in seconds since 1970"`
	Saved     time.Time `expr:"saved" doc:"timestamp as a time: saved < now() - duration(\"720h\")"`
	Sectors   int       `expr:"sectors" doc:"sectors of 4,096 bytes in the region file"`
	Border    int       `expr:"border" doc:"chunks between it and the nearest one that is absent, 0 to 32"`
	Selected  bool      `expr:"selected" doc:"it is in the selection that was given"`
	Players   int       `expr:"players" doc:"players who are in it"`
	Respawns  int       `expr:"respawns" doc:"players who respawn in it"`
	Spawn     bool      `expr:"spawn" doc:"the world's spawn is in it"`
	Forced    bool      `expr:"forced" doc:"it is kept loaded (/forceload)"`

	Readable bool   `expr:"readable" doc:"its record, and its document if it was needed, can be read"`
	Error    string `expr:"error" doc:"why it cannot be read"`
	Scheme   string `expr:"scheme" doc:"compression: zlib, gzip, none, lz4"`
	Bytes    int    `expr:"bytes" doc:"size of the record"`
	External bool   `expr:"external" doc:"its record is in a file of its own (.mcc)"`

	NBTBytes    int    `expr:"nbt_bytes" doc:"size of the document"`
	DataVersion int    `expr:"data_version" doc:"data version"`
	Status      string `expr:"status" doc:"status without namespace: full, features, ..."`
	LastUpdate  int    `expr:"last_update" doc:"tick of the last save"`
	Inhabited   int    `expr:"inhabited" doc:"ticks that players were near"`
	NBTX        int    `expr:"nbt_x" doc:"position in the document"`
	NBTZ        int    `expr:"nbt_z" doc:"position in the document"`
	Misplaced   bool   `expr:"misplaced" doc:"the document gives another position"`
	Light       bool   `expr:"light" doc:"its light is marked as right"`
	Entities    int    `expr:"entities" doc:"entities"`
	ProtoCount  int    `expr:"proto_entities" doc:"entities of a chunk that is not yet full"`
	BlockCount  int    `expr:"block_entities" doc:"block entities"`
	POI         int    `expr:"poi" doc:"points of interest"`

	Circle      func(x, z, radius int) bool         `expr:"circle" doc:"(X, Z, RADIUS): its centre is within RADIUS blocks of block X, Z"`
	Rectangle   func(x1, z1, x2, z2 int) bool       `expr:"rectangle" doc:"(X1, Z1, X2, Z2): it holds one of these blocks"`
	Block       func(names ...string) (bool, error) `expr:"block" doc:"(NAME, ...): it has one of these blocks"`
	Count       func(names ...string) (int, error)  `expr:"count_blocks" doc:"(NAME, ...): how many of these blocks it has"`
	Biome       func(names ...string) (bool, error) `expr:"biome" doc:"(NAME, ...): it has one of these biomes"`
	Structure   func(names ...string) (bool, error) `expr:"structure" doc:"(NAME, ...): one of these structures starts in it; none named: any"`
	Reference   func(names ...string) (bool, error) `expr:"reference" doc:"(NAME, ...): it refers to one of these structures; none named: any"`
	Entity      func(names ...string) (int, error)  `expr:"entity" doc:"(NAME, ...): how many of these entities it has"`
	BlockEntity func(names ...string) (int, error)  `expr:"block_entity" doc:"(NAME, ...): how many of these block entities it has"`
	NBT         func(path string) (any, error)      `expr:"nbt" doc:"(PATH): the first value at an NBT path of its document, or nil"`
	Has         func(path string) (bool, error)     `expr:"has" doc:"(PATH): its document has something at the NBT path"`
	Near        func(x, z, distance int) bool       `expr:"near" doc:"(X, Z, N): it is at most N chunks from chunk X, Z in either direction"`

	// What the functions read, of the present chunk.
	pos     region.ChunkPos
	query   *Query
	tape    *nbt.Tape
	decoder *chunk.Decoder
	decoded *chunk.Chunk
	data    []byte
	decoErr error
	near    *[2]neighbour // entity chunk and points of interest
}

// neighbour is the document of the same position in another folder.
type neighbour struct {
	tape nbt.Tape
	data []byte
}

// Pos returns the position of the chunk.
func (r *Row) Pos() region.ChunkPos { return r.pos }
