package chunk

import (
	"fmt"
	"math/bits"

	"strata/anvil/block"
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

// Bits of heightmaps whose value is the same.
const (
	surfaceKinds = 1<<WorldSurfaceWG | 1<<WorldSurface
	floorKinds   = 1<<OceanFloorWG | 1<<OceanFloor
)

// heightKinds returns the bits of the heightmaps that a state counts for.
func (t *Tables) heightKinds(s block.State) (kinds uint8) {
	s = t.base(s)
	if !s.WorldSurface() {
		return 0
	}
	kinds = surfaceKinds
	if s.OceanFloor() {
		kinds |= floorKinds
	}
	if s.MotionBlocking() {
		kinds |= 1 << MotionBlocking
		if s.MotionBlockingNoLeaves() {
			kinds |= 1 << MotionBlockingNoLeaves
		}
	}
	return kinds
}

// updateHeights follows a change of one block.
func (c *Chunk) updateHeights(x, y, z int, old, state block.State) {
	is, was := c.tables.heightKinds(state), c.tables.heightKinds(old)
	if is == was {
		return
	}
	column, top := z&15<<4|x&15, y-c.MinY()+1
	for k := range heightmapCount {
		bit := uint8(1) << k
		if c.heights.kinds&bit == 0 || (is^was)&bit == 0 {
			continue
		}
		h := int(cellAt(c.heights.of(k), c.heights.width, column))
		switch {
		case is&bit != 0 && top > h:
			h = top
		case is&bit == 0 && top == h:
			h = c.highest(x, y-1, z, bit)
		default:
			continue
		}
		c.heights.own()
		setCell(c.heights.of(k), c.heights.width, column, uint16(h))
	}
}

// highest returns the height of the highest block that counts, from y down.
func (c *Chunk) highest(x, y, z int, bit uint8) int {
	low := c.MinY()
	for y >= low {
		s := c.at(SectionY(y >> 4))
		if s == nil || s.flags&sectionBlocks == 0 || s.blocks.width == 0 && c.tables.heightKinds(block.State(s.blocks.single))&bit == 0 {
			y = y&^15 - 1
			continue
		}
		for bottom := max(y&^15, low); y >= bottom; y-- {
			if c.tables.heightKinds(block.State(s.blocks.get(cellOf(x, y, z))))&bit != 0 {
				return y - low + 1
			}
		}
	}
	return 0
}

// ComputeHeightmaps makes heightmaps anew from the blocks, and adds those that
// the chunk does not have.
func (c *Chunk) ComputeHeightmaps(kinds ...Heightmap) {
	var want uint8
	for _, k := range kinds {
		if k < heightmapCount {
			want |= 1 << k
		}
	}
	if want == 0 {
		return
	}
	c.has |= hasHeightmaps
	c.compute(want)
	c.revision++
}

// refreshHeights makes those anew that the chunk has.
func (c *Chunk) refreshHeights() {
	if c.heights.kinds != 0 {
		c.compute(c.heights.kinds)
	}
}

func (c *Chunk) compute(want uint8) {
	var heights [heightmapCount][columns]uint16
	c.findHeights(want, &heights)
	for k := range heightmapCount {
		if want&(1<<k) != 0 {
			c.heightsExtra = withoutMember(c.heightsExtra, k.String())
			c.heights.add(k, widthOfHeight(c.Height()))
			pack(c.heights.of(k), heights[k][:], c.heights.width)
		}
	}
}

// findHeights goes down the sections until each column of each heightmap has
// its block.
func (c *Chunk) findHeights(want uint8, heights *[heightmapCount][columns]uint16) {
	work := getScratch()
	defer putScratch(work)
	var open [columns]uint8 // kinds that have no block yet
	for i := range open {
		open[i] = want
	}
	left := columns
	for y := c.topY - 1; y >= c.minY && left > 0; y-- {
		s := c.at(y)
		if s == nil || s.flags&sectionBlocks == 0 {
			continue
		}
		kinds, all := c.sectionKinds(s, work)
		if all&want == 0 {
			continue
		}
		for layer := 15; layer >= 0 && left > 0; layer-- {
			top := uint16(int(y-c.minY)*16 + layer + 1)
			for column, k := range kinds[layer*columns : (layer+1)*columns] {
				found := uint8(k) & open[column]
				if found == 0 {
					continue
				}
				open[column] &^= found
				if open[column] == 0 {
					left--
				}
				for ; found != 0; found &= found - 1 {
					heights[bits.TrailingZeros8(found)][column] = top
				}
			}
		}
	}
}

// sectionKinds returns for each block of a section the kinds that it counts
// for, and all of them together.
func (c *Chunk) sectionKinds(s *section, work *scratch) (kinds []uint16, all uint8) {
	kinds = work.spread[:]
	t := &s.blocks
	switch t.width {
	case 0:
		all = c.tables.heightKinds(block.State(t.single))
		for i := range kinds {
			kinds[i] = uint16(all)
		}
	case directWidth:
		unpack(kinds, t.data, t.width)
		for i, v := range kinds {
			k := c.tables.heightKinds(block.State(v))
			kinds[i] = uint16(k)
			all |= k
		}
	default:
		var of [256]uint16
		for i, p := range t.palette {
			k := c.tables.heightKinds(block.State(p))
			of[i] = uint16(k)
			all |= k
		}
		if all == 0 {
			return kinds, 0
		}
		unpack(kinds, t.data, t.width)
		for i, v := range kinds {
			kinds[i] = of[uint8(v)]
		}
	}
	return kinds, all
}

// CheckHeightmaps compares the heightmaps that the chunk has with its blocks,
// and returns how many columns of how many maps differ.
func (c *Chunk) CheckHeightmaps() (differ int) {
	var heights [heightmapCount][columns]uint16
	c.findHeights(c.heights.kinds, &heights)
	for k := range heightmapCount {
		if c.heights.kinds&(1<<k) == 0 {
			continue
		}
		stored := c.heights.of(k)
		for column, h := range heights[k] {
			if cellAt(stored, c.heights.width, column) != h {
				differ++
			}
		}
	}
	return differ
}
