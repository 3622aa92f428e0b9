package protocol

import "fmt"

// metadataEnd is the index after the last entry.
const metadataEnd = 255

// Metadata is entries of an entity's metadata.
type Metadata []MetadataEntry

func (v *Metadata) wire(c *coder, name string) {
	c.push(name)
	defer c.pop()
	for i := 0; c.ok(); i++ {
		index := uint8(metadataEnd)
		if c.w != nil {
			if i < len(*v) {
				index = (*v)[i].Index
				if index == metadataEnd {
					c.fail("", fmt.Errorf("index %d: %w", index, ErrRange))
				}
			}
			c.w.Byte(index)
		} else {
			c.r.want(kindIndex, i, "")
			if b := c.r.take("", 1); b != nil {
				index = b[0]
			}
		}
		if index == metadataEnd {
			return
		}
		if i == MaxMetadata {
			c.fail("", fmt.Errorf("more than %d entries: %w", MaxMetadata, ErrTooLong))
			return
		}
		if c.r != nil {
			*v = append(*v, MetadataEntry{Index: index})
		}
		c.path[c.depth-1].index = i
		(*v)[i].wire(c, "")
	}
}

// Equipment is what a creature wears or holds in one slot.
type Equipment struct {
	Slot uint8 // of 7 bits
	Item ItemStack
}

// equipment is a list, never empty, in which a bit of the slot says that
// another element follows.
func equipment(v *[]Equipment, c *coder, name string) {
	const more = 0x80
	c.push(name)
	defer c.pop()
	if c.w != nil && len(*v) == 0 {
		c.fail("", fmt.Errorf("no slots: %w", ErrRange))
	}
	for i := 0; c.ok(); i++ {
		if i == MaxEquipment {
			c.fail("", fmt.Errorf("more than %d slots: %w", MaxEquipment, ErrTooLong))
			return
		}
		c.path[c.depth-1].index = i
		var slot uint8
		if c.w != nil {
			slot = (*v)[i].Slot
			if slot >= more {
				c.fail("slot", fmt.Errorf("%d: %w", slot, ErrRange))
			}
			if i < len(*v)-1 {
				slot |= more
			}
			c.w.Byte(slot)
		} else {
			c.r.want(kindMore, i, "slot")
			if b := c.r.take("slot", 1); b != nil {
				slot = b[0]
			}
			*v = append(*v, Equipment{Slot: slot &^ more})
		}
		(*v)[i].Item.wire(c, "item")
		if slot < more {
			return
		}
	}
}
