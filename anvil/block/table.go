package block

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// maxStates is the size of the range of a State. The arrays of the table
// cover it, so that no lookup by state needs a bounds check and states from
// [States] have facts like any other: those of an ordinary full block.
const maxStates = 1 << 16

// table is the native table in memory. It is immutable once loaded.
type table struct {
	states   [maxStates]stateInfo
	colors   [maxStates]MapColor
	blocks   []blockInfo
	unknown  blockInfo // stands in for every ID beyond blocks
	index    nameIndex
	shapes   [][]Box
	fullCube uint16 // the shape that is the whole block
	faces    faceTable
	rgb      []uint32
	versions []*Version
}

// stateInfo is what is known of one state, in one word of memory.
type stateInfo struct {
	block ID
	shape uint16
	bits  uint32
}

// The fields of stateInfo.bits.
const (
	emissionBits  = 0 // 4 bits
	opacityBits   = 4 // 4 bits
	occlusionBits = 8 // 8 bits: index of an occlusion shape, 0 for none
	amountBits    = 16
	fluidBits     = 20

	bitFalling       = 1 << 22
	bitAir           = 1 << 23
	bitBlocksMotion  = 1 << 24
	bitLeaves        = 1 << 25
	bitSolidRender   = 1 << 26
	bitOccludes      = 1 << 27
	bitReplaceable   = 1 << 28
	bitFullCollision = 1 << 29
)

// blockInfo is what is known of one block.
type blockInfo struct {
	name    string // with namespace
	kind    string
	first   State
	count   uint16
	initial State // the default state
	props   []Property
	strides []uint16
	facts   blockFacts
}

var (
	loaded   atomic.Pointer[table]
	loadOnce sync.Once
)

// get returns the table and decodes it on the first call, which takes a few
// milliseconds.
func get() *table {
	if t := loaded.Load(); t != nil {
		return t
	}
	return load()
}

func load() *table {
	loadOnce.Do(func() {
		t, err := decodePacked(packed)
		if err != nil {
			panic(fmt.Sprintf("block: the embedded table: %v", err))
		}
		loaded.Store(t)
	})
	return loaded.Load()
}

func (t *table) block(id ID) *blockInfo {
	if int(id) < len(t.blocks) {
		return &t.blocks[id]
	}
	return &t.unknown
}

// nameIndex finds blocks by name without namespace: open addressing over at
// least twice as many slots as names. A slot holds the ID plus one.
type nameIndex struct {
	slots []uint16
	mask  uint64
}

func newNameIndex(blocks []blockInfo) nameIndex {
	n := 1
	for n < 2*len(blocks) {
		n *= 2
	}
	x := nameIndex{slots: make([]uint16, n), mask: uint64(n - 1)}
	for id := range blocks {
		i := xxhash.Sum64String(blocks[id].name[len(namespace):]) & x.mask
		for x.slots[i] != 0 {
			i = (i + 1) & x.mask
		}
		x.slots[i] = uint16(id + 1)
	}
	return x
}

// find returns the block of a name without namespace, given with its hash.
func find[T string | []byte](t *table, hash uint64, name T) (*blockInfo, ID, bool) {
	for i := hash & t.index.mask; ; i = (i + 1) & t.index.mask {
		slot := t.index.slots[i]
		if slot == 0 {
			return &t.unknown, Unknown, false
		}
		b := &t.blocks[slot-1]
		if b.name[len(namespace):] == string(name) {
			return b, ID(slot - 1), true
		}
	}
}

func (t *table) find(name []byte) (*blockInfo, ID, bool) {
	return find(t, xxhash.Sum64(name), name)
}

func (t *table) findString(name string) (*blockInfo, ID, bool) {
	return find(t, xxhash.Sum64String(name), name)
}
