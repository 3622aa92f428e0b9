package diff

import (
	"strata/anvil"
	"strata/anvil/store"
	"strata/region"
)

// The defaults of Options.
const (
	DefaultPaths  = 64
	DefaultBlocks = 64
)

// Options are how two sides are compared. The zero value compares everything.
type Options struct {
	// Ignore are the places that do not count.
	Ignore *Ignore
	// IgnoreTimestamps does not compare the timestamps of slots.
	IgnoreTimestamps bool
	// Paths and Blocks are the most of each that is listed of a record, objects as
	// many as paths; 0 means DefaultPaths and DefaultBlocks, below 0 none. What is
	// not listed is counted.
	Paths, Blocks int
	// Workers is how many regions are compared at the same time, by default one
	// for each processor.
	Workers int
	// Progress is called with the bytes of region files, of both sides, that have
	// been compared.
	Progress func(bytes int64)
}

func (o *Options) withDefaults() Options {
	d := *o
	if d.Paths == 0 {
		d.Paths = DefaultPaths
	}
	if d.Blocks == 0 {
		d.Blocks = DefaultBlocks
	}
	return d
}

// Region is what came out for one region: of chunks, entities and points of
// interest together.
type Region struct {
	Dimension string
	Pos       region.Pos
	// Classes are those of the chunks, by slot.
	Classes [region.Slots]Class
	// Kinds counts the records of each kind.
	Kinds [kinds]Counts
	// Reencoded are records that are compressed otherwise, or whose documents are
	// written otherwise, with the same content.
	Reencoded int64
	// Chunks are those that are not equal nor moved, in the order of slots.
	Chunks []Chunk
	// Patterns counts changes by path, keys and indices left out, as in
	// sections[].block_states.data.
	Patterns map[string]int64
	failed   []anvil.Failed
	bytes    int64
}

// Chunk is how a chunk differs.
type Chunk struct {
	Dimension string  `json:"dimension"`
	X         int32   `json:"x"`
	Z         int32   `json:"z"`
	Class     Class   `json:"class"`
	Region    *Record `json:"region,omitempty"`
	Entities  *Record `json:"entities,omitempty"`
	POI       *Record `json:"poi,omitempty"`
}

// Pos is the chunk's position.
func (c *Chunk) Pos() region.ChunkPos { return region.ChunkPos{X: c.X, Z: c.Z} }

func (c *Chunk) set(k store.Kind, r *Record) {
	switch k {
	case store.Entities:
		c.Entities = r
	case store.POI:
		c.POI = r
	default:
		c.Region = r
	}
}

// Record is how one record of a chunk differs.
type Record struct {
	Class Class `json:"class"`
	// Reencoded: the bytes differ, the content does not.
	Reencoded bool `json:"reencoded,omitempty"`
	// Error is why it is unreadable, or why more cannot be said.
	Error string `json:"error,omitempty"`
	*Document
	// Blocks are how many blocks differ, BlockKinds from what to what, and
	// BlockList the first of them.
	Blocks     int64         `json:"blocks,omitempty"`
	BlockKinds []Exchange    `json:"block_kinds,omitempty"`
	BlockList  []BlockChange `json:"block_list,omitempty"`
	// Biomes are how many cells of biomes differ: 4x4x4 blocks since 1.15, columns
	// before.
	Biomes     int64      `json:"biomes,omitempty"`
	BiomeKinds []Exchange `json:"biome_kinds,omitempty"`
	Sections   []Section  `json:"sections,omitempty"`
	// Objects are block entities of a chunk (and entities of a proto-chunk),
	// entities, or points of interest.
	Objects    int64          `json:"objects,omitempty"`
	ObjectList []ObjectChange `json:"object_list,omitempty"`
}

// Document is how two documents differ.
type Document struct {
	// Changes are how many places differ, Paths the first of them.
	Changes int64        `json:"changes"`
	Paths   []PathChange `json:"paths"`
}

// PathChange is one place of a document that differs. Old or New is "" if the
// place is not there; both are SNBT, shortened where it would be long.
type PathChange struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Section is how a section differs.
type Section struct {
	Y      int64 `json:"y"`
	Blocks int64 `json:"blocks"`
	Biomes int64 `json:"biomes"`
	// Damaged: the cells of one side cannot be read, and are not compared.
	Damaged bool `json:"damaged,omitempty"`
}

// Exchange is how often one thing has come in the place of another.
type Exchange struct {
	Old   string `json:"old"`
	New   string `json:"new"`
	Count int64  `json:"count"`
}

// BlockChange is a block that differs, by its position in the world.
type BlockChange struct {
	X   int64  `json:"x"`
	Y   int64  `json:"y"`
	Z   int64  `json:"z"`
	Old string `json:"old"`
	New string `json:"new"`
}

// ObjectChange is a block entity, entity or point of interest that differs.
type ObjectChange struct {
	// What is block_entity, entity or poi.
	What  string `json:"what"`
	Class Class  `json:"class"` // created, deleted or modified
	ID    string `json:"id"`
	// Key is its position, or its UUID.
	Key string `json:"key"`
	// Changes are how many places in it differ.
	Changes int64 `json:"changes"`
}

// Result is what came out for two sides.
type Result struct {
	// Counts of chunks.
	Counts
	// Region, Entities and POI count records.
	Region     Counts            `json:"region"`
	Entities   Counts            `json:"entities"`
	POI        Counts            `json:"poi"`
	Reencoded  int64             `json:"reencoded"`
	Dimensions []DimensionResult `json:"dimensions"`
	Blocks     int64             `json:"blocks"`
	Biomes     int64             `json:"biomes"`
	Objects    int64             `json:"objects"`
	// BlockKinds and Paths count over all, the most frequent first.
	BlockKinds []Exchange     `json:"block_kinds"`
	BiomeKinds []Exchange     `json:"biome_kinds"`
	Paths      []PathCount    `json:"paths"`
	Failed     []anvil.Failed `json:"failed"`
}

// DimensionResult is the part of a dimension.
type DimensionResult struct {
	Name string `json:"name"`
	Counts
	Region   Counts `json:"region"`
	Entities Counts `json:"entities"`
	POI      Counts `json:"poi"`
}

// PathCount is how many places differ whose paths are alike.
type PathCount struct {
	Path  string `json:"path"`
	Count int64  `json:"count"`
}

// Differ reports whether any chunk or record differs, or could not be compared.
func (r *Result) Differ() bool {
	return r.Counts.Differ() || r.Region.Differ() || r.Entities.Differ() || r.POI.Differ() || len(r.Failed) > 0
}
