package chunk

import (
	"fmt"
	"math/bits"
)

// Heightmap is a kind of heightmap: what counts as the highest block.
type Heightmap uint8

// The heightmaps. Those of world generation, WG, are in chunks below full
// and hold the same as the ones without WG, of a moment before carving.
const (
	WorldSurfaceWG Heightmap = iota
	WorldSurface
	OceanFloorWG
	OceanFloor
	MotionBlocking
	MotionBlockingNoLeaves

	heightmapCount
)

var heightmapNames = [heightmapCount]string{
	"WORLD_SURFACE_WG", "WORLD_SURFACE", "OCEAN_FLOOR_WG", "OCEAN_FLOOR", "MOTION_BLOCKING", "MOTION_BLOCKING_NO_LEAVES",
}

// FinalHeightmaps are those that a full chunk has.
var FinalHeightmaps = []Heightmap{WorldSurface, OceanFloor, MotionBlocking, MotionBlockingNoLeaves}

// String returns the name as in the NBT.
func (k Heightmap) String() string {
	if k < heightmapCount {
		return heightmapNames[k]
	}
	return "unknown"
}

func heightmapOf(name []byte) (Heightmap, bool) {
	for k, known := range heightmapNames {
		if known == string(name) {
			return Heightmap(k), true
		}
	}
	return 0, false
}

// heightmaps hold for each column the number of blocks from the lowest of
// Range up to and with the highest that counts, packed like the cells of a
// section.
type heightmaps struct {
	data   []uint64 // those that exist, one after the other
	kinds  uint8    // bit of each that exists
	width  uint8    // bits of a height, the same for all
	shared bool
}

const columns = 256

// widthOfHeight is the bits that heights 0 to n take.
func widthOfHeight(n int) uint8 { return uint8(bits.Len(uint(n))) }

// data of a map that exists.
func (h *heightmaps) of(k Heightmap) []uint64 {
	n := longsFor(columns, int(h.width))
	i := bits.OnesCount8(h.kinds & (1<<k - 1))
	return h.data[i*n : (i+1)*n : (i+1)*n]
}

func (h *heightmaps) own() {
	if h.shared {
		h.data, h.shared = append([]uint64(nil), h.data...), false
	}
}

// add makes room for a map if it does not exist.
func (h *heightmaps) add(k Heightmap, width uint8) {
	if h.kinds == 0 {
		h.width = width
	}
	if h.kinds&(1<<k) != 0 {
		h.own()
		return
	}
	n := longsFor(columns, int(h.width))
	at := bits.OnesCount8(h.kinds&(1<<k-1)) * n
	data := make([]uint64, len(h.data)+n)
	copy(data, h.data[:at])
	copy(data[at+n:], h.data[at:])
	h.data, h.shared = data, false
	h.kinds |= 1 << k
}

func (h *heightmaps) remove(k Heightmap) {
	if h.kinds&(1<<k) == 0 {
		return
	}
	n := longsFor(columns, int(h.width))
	at := bits.OnesCount8(h.kinds&(1<<k-1)) * n
	h.data = append(append([]uint64(nil), h.data[:at]...), h.data[at+n:]...)
	h.shared = false
	h.kinds &^= 1 << k
}

// HasHeightmap reports whether the chunk has a heightmap.
func (c *Chunk) HasHeightmap(k Heightmap) bool {
	return k < heightmapCount && c.heights.kinds&(1<<k) != 0
}

// HeightAt returns the y above the highest block of a column that counts, the
// lowest y in Range if none does. It reports false if the chunk does not have
// the heightmap.
func (c *Chunk) HeightAt(k Heightmap, x, z int) (y int, ok bool) {
	if !c.HasHeightmap(k) {
		return 0, false
	}
	return c.MinY() + int(cellAt(c.heights.of(k), c.heights.width, z&15<<4|x&15)), true
}

// SetHeight sets a height, as returned by HeightAt, in a heightmap that the
// chunk has. The error is ErrRange for a y outside of Range or a heightmap
// that is not there.
func (c *Chunk) SetHeight(k Heightmap, x, z, y int) error {
	h := y - c.MinY()
	if !c.HasHeightmap(k) || h < 0 || h > c.Height() {
		return fmt.Errorf("chunk %v: %v of column %d,%d to %d: %w", c.pos, k, x&15, z&15, y, ErrRange)
	}
	c.heights.own()
	setCell(c.heights.of(k), c.heights.width, z&15<<4|x&15, uint16(h))
	c.revision++
	return nil
}

// RemoveHeightmap removes a heightmap; the game makes it anew.
func (c *Chunk) RemoveHeightmap(k Heightmap) {
	if c.HasHeightmap(k) {
		c.heights.remove(k)
		c.revision++
	}
}
