package chunk

import (
	"fmt"

	"strata/nbt"
)

// BlockEntity is a block entity as the chunk has it.
type BlockEntity struct {
	Pos BlockPos
	// HasPos is false for one that lacks a coordinate.
	HasPos bool
	// ID is its type, such as minecraft:chest, "" if it does not say.
	ID string
	// NBT is the compound with all of it, the position included.
	NBT nbt.Raw
}

// BlockEntities returns the block entities in their order. The error is
// ErrType if they are not a list of compounds.
func (c *Chunk) BlockEntities() ([]BlockEntity, error) {
	list, err := c.elements(memberBlockEntities, nbt.TypeCompound)
	if err != nil {
		return nil, err
	}
	var all []BlockEntity
	for _, data := range list {
		all = append(all, blockEntity(data))
	}
	return all, nil
}

func blockEntity(data []byte) BlockEntity {
	e := BlockEntity{NBT: nbt.Raw{Type: nbt.TypeCompound, Data: data}}
	e.Pos, e.HasPos = positionOf(data)
	e.ID, _ = findMember(inside(data), "id").Text()
	return e
}

// BlockEntityAt returns the block entity of a block, the last if there are
// several, as in the game.
func (c *Chunk) BlockEntityAt(pos BlockPos) (found BlockEntity, ok bool) {
	list, err := c.elements(memberBlockEntities, nbt.TypeCompound)
	if err != nil {
		return found, false
	}
	for _, data := range list {
		if at, has := positionOf(data); has && at == pos {
			found, ok = blockEntity(data), true
		}
	}
	return found, ok
}

// SetBlockEntity adds a block entity, in place of those at its position. value
// is a compound with x, y and z; it is copied. The errors are ErrNBT for one
// that is not, and ErrRange for a position outside of the chunk.
func (c *Chunk) SetBlockEntity(value nbt.Raw) error {
	if _, err := c.compounds(memberBlockEntities, []nbt.Raw{value}); err != nil {
		return err
	}
	pos, ok := positionOf(value.Data)
	if !ok {
		return c.memberError(memberBlockEntities, fmt.Errorf("no position: %w", ErrNBT))
	}
	if pos.Chunk() != c.pos {
		return c.memberError(memberBlockEntities, fmt.Errorf("at %v: %w", pos, ErrRange))
	}
	return c.changeBlockEntities(pos, value.Data)
}

// RemoveBlockEntity removes the block entities at a position and reports
// whether there was any.
func (c *Chunk) RemoveBlockEntity(pos BlockPos) bool {
	if _, ok := c.BlockEntityAt(pos); !ok {
		return false
	}
	return c.changeBlockEntities(pos, nil) == nil
}

// changeBlockEntities leaves out those of a position and adds one, unless it
// is nil.
func (c *Chunk) changeBlockEntities(pos BlockPos, add []byte) error {
	list, err := c.elements(memberBlockEntities, nbt.TypeCompound)
	if err != nil {
		return err
	}
	var payloads [][]byte
	for _, data := range list {
		if at, ok := positionOf(data); !ok || at != pos {
			payloads = append(payloads, data)
		}
	}
	if add != nil {
		payloads = append(payloads, add)
	}
	return c.setList(memberBlockEntities, nbt.TypeCompound, payloads)
}

// SetBlockEntities sets all block entities. The values are copied. The error
// is ErrNBT for a value that is not a compound.
func (c *Chunk) SetBlockEntities(values []nbt.Raw) error {
	payloads, err := c.compounds(memberBlockEntities, values)
	if err != nil {
		return err
	}
	return c.setList(memberBlockEntities, nbt.TypeCompound, payloads)
}

// Entities returns the entities that the chunk itself holds: since 1.17 those
// of chunks that are not full, before of all. The error is ErrType if they are
// not a list of compounds.
func (c *Chunk) Entities() ([]nbt.Raw, error) {
	list, err := c.elements(memberEntities, nbt.TypeCompound)
	if err != nil {
		return nil, err
	}
	var all []nbt.Raw
	for _, data := range list {
		all = append(all, nbt.Raw{Type: nbt.TypeCompound, Data: data})
	}
	return all, nil
}

// SetEntities sets the entities that the chunk itself holds. The values are
// copied. The error is ErrNBT for a value that is not a compound.
func (c *Chunk) SetEntities(values []nbt.Raw) error {
	payloads, err := c.compounds(memberEntities, values)
	if err != nil {
		return err
	}
	return c.setList(memberEntities, nbt.TypeCompound, payloads)
}
