package server

import (
	"bytes"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/server/blocks"
	"strata/server/command"
	"strata/server/item"
	"strata/server/world"
)

// Dimensions implements command.Worlds.
func (h *host) Dimensions() []string { return h.s.game.Dimensions() }

// world returns a dimension, nil if there is no such.
func (h *host) world(dimension string) *world.Dimension {
	for _, d := range h.s.worlds {
		if d.ID() == dimension {
			return d
		}
	}
	return nil
}

// Height implements command.Worlds.
func (h *host) Height(dimension string) (low, high int32) {
	d := h.world(dimension)
	if d == nil {
		return 0, 0
	}
	low, high = d.Height()
	return low, high + 1
}

// Block implements command.Worlds.
func (h *host) Block(dimension string, pos command.BlockPos) (block.State, bool) {
	d := h.world(dimension)
	if d == nil {
		return block.Air.Default(), false
	}
	return d.Block(pos)
}

// BlockData implements command.Worlds.
func (h *host) BlockData(dimension string, pos command.BlockPos) (data nbt.Raw, found bool) {
	d := h.world(dimension)
	if d == nil {
		return data, false
	}
	d.Read(pos.Chunk(), func(c *chunk.Chunk) {
		var e chunk.BlockEntity
		if e, found = c.BlockEntityAt(pos); found {
			data = nbt.Raw{Type: e.NBT.Type, Data: bytes.Clone(e.NBT.Data)}
		}
	})
	return data, found
}

// SetBlock implements command.Worlds. What a container held that is replaced is gone,
// but for SetDestroy, which throws it out.
func (h *host) SetBlock(dimension string, pos command.BlockPos, state block.State, data nbt.Raw, how command.SetMode) bool {
	before, loaded := h.Block(dimension, pos)
	if !loaded || !data.Exists() && before == state {
		return false
	}
	d := h.world(dimension)
	h.s.game.ShutContainers(dimension, pos)
	c := d.Context()
	c.NoDrops = h.Rule("minecraft:block_drops") == 0
	switch how {
	case command.SetDestroy:
		blocks.Break(c, pos, "", true)
	default:
		c.NoContents = true
	}
	changed := before != state
	switch {
	case !changed && !data.Exists():
		return false
	case !changed:
	case how == command.SetStrict:
		changed = d.SetBlock(pos, state)
	default:
		blocks.Apply(c, []blocks.Change{{Pos: pos, State: state}})
	}
	return h.setData(d, pos, data) || changed
}

// setData gives a block the data of its block entity.
func (h *host) setData(d *world.Dimension, pos command.BlockPos, data nbt.Raw) bool {
	var members nbt.Compound
	if !data.Exists() || data.Decode(&members) != nil {
		return false
	}
	return d.SetBlockEntity(pos, members)
}

// SetSlot implements command.Worlds.
func (h *host) SetSlot(dimension string, pos command.BlockPos, slot int, stack item.Stack) (done, container bool) {
	return h.s.game.SetContainerSlot(dimension, pos, slot, stack)
}

// Biome implements command.Worlds.
func (h *host) Biome(dimension string, pos command.BlockPos) (name string, found bool) {
	d := h.world(dimension)
	if d == nil {
		return "", false
	}
	d.Read(pos.Chunk(), func(c *chunk.Chunk) {
		var b chunk.Biome
		if b, found = c.Biome(int(pos.X), int(pos.Y), int(pos.Z)); found {
			name = c.Tables().Biomes.Name(b)
		}
	})
	return name, found
}

var heightmaps = map[string]chunk.Heightmap{
	"world_surface": chunk.WorldSurface, "motion_blocking": chunk.MotionBlocking,
	"motion_blocking_no_leaves": chunk.MotionBlockingNoLeaves, "ocean_floor": chunk.OceanFloor,
}

// Top implements command.Worlds.
func (h *host) Top(dimension, heightmap string, x, z int32) (y int32, found bool) {
	kind, known := heightmaps[heightmap]
	d := h.world(dimension)
	if !known || d == nil {
		return 0, false
	}
	d.Read(chunk.BlockPos{X: x, Z: z}.Chunk(), func(c *chunk.Chunk) {
		var at int
		at, found = c.HeightAt(kind, int(x), int(z))
		y = int32(at)
	})
	return y, found
}
