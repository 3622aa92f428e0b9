package world

import (
	"bytes"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/nbt"
	"strata/server/blocks"
)

// BlockEntity returns a copy of the block entity at a place; false if there is none.
func (d *Dimension) BlockEntity(pos chunk.BlockPos) (e chunk.BlockEntity, found bool) {
	d.Read(pos.Chunk(), func(c *chunk.Chunk) {
		if e, found = c.BlockEntityAt(pos); found {
			e.NBT.Data = bytes.Clone(e.NBT.Data)
		}
	})
	return e, found
}

// SetBlockEntity puts a block entity in the place of what is there: a compound whose
// id, x, y and z are set here. It reports false if the block there has none, or its
// chunk is not there. Clients that draw it are told with Flush.
func (d *Dimension) SetBlockEntity(pos chunk.BlockPos, members nbt.Compound) bool {
	s, loaded := d.Block(pos)
	id := blocks.EntityOf(s)
	hold := d.columns[pos.Chunk()]
	if !loaded || id == "" || hold == nil {
		return false
	}
	raw, err := nbt.MarshalRaw(withPlace(members, id, pos))
	if err != nil {
		return false
	}
	err = hold.Update(store.Structural, func(c *chunk.Chunk) error { return c.SetBlockEntity(raw) })
	if err != nil {
		return false
	}
	if d.changes.entities == nil {
		d.changes.entities = map[chunk.BlockPos]bool{}
	}
	d.changes.entities[pos] = true
	return true
}

// withPlace is a block entity's compound with what and where it is.
func withPlace(members nbt.Compound, id string, pos chunk.BlockPos) nbt.Compound {
	c := nbt.Compound{{Name: "id", Value: id}, {Name: "x", Value: pos.X}, {Name: "y", Value: pos.Y}, {Name: "z", Value: pos.Z}}
	for _, m := range members {
		switch m.Name {
		case "id", "x", "y", "z":
		default:
			c = append(c, m)
		}
	}
	return c
}

// changeEntity follows a change of a block within an update of its chunk: a block
// entity that does not belong any more goes, one that has to be there comes.
func changeEntity(c *chunk.Chunk, pos chunk.BlockPos, old, now block.State) error {
	had, has := blocks.EntityOf(old), blocks.EntityOf(now)
	if had != has || has == "" && old.Block() != now.Block() {
		c.RemoveBlockEntity(pos)
	}
	if has == "" {
		return nil
	}
	if _, there := c.BlockEntityAt(pos); there {
		return nil
	}
	raw, err := nbt.MarshalRaw(withPlace(nil, has, pos))
	if err != nil {
		return err
	}
	return c.SetBlockEntity(raw)
}
