package chunk

import (
	"math/bits"

	"strata/anvil/block"
)

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
