package client

import (
	"slices"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// Window is the stacks of what is open, or of the player: package inventory says in
// which order.
type Window struct {
	// Type is the name of what is open, "" of the player's own window.
	Type string
	// State is what a click must name.
	State int32
	Slots []protocol.ItemStack
}

// windowSlots is the most slots that a window is taken to have.
const windowSlots = 1024

// keepItems keeps what is about items, and reports whether it was that.
func (c *Client) keepItems(p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.SetHeldSlot:
		c.Held = p.Slot
	case *protocol.OpenScreen:
		name, _ := registry.Of("minecraft:menu", c.Version()).Name(p.InventoryType)
		c.Windows[p.ContainerID] = &Window{Type: name}
	case *protocol.ContainerClose:
		delete(c.Windows, p.ContainerID)
	case *protocol.ContainerSetContent:
		w := c.window(p.ContainerID)
		w.State, w.Slots = p.StateID, slices.Clone(p.Items)
		c.Cursor = p.CarriedItem
	case *protocol.ContainerSetSlot:
		if p.Slot < 0 || p.Slot >= windowSlots {
			return true
		}
		w := c.window(p.ContainerID)
		w.State = p.StateID
		for len(w.Slots) <= int(p.Slot) {
			w.Slots = append(w.Slots, protocol.ItemStack{})
		}
		w.Slots[p.Slot] = p.Item
	case *protocol.SetCursorItem:
		c.Cursor = p.Contents
	default:
		return false
	}
	return true
}

// window returns a window, which may not have been opened: the player's own never is.
func (c *Client) window(id int32) *Window {
	w := c.Windows[id]
	if w == nil {
		w = &Window{}
		c.Windows[id] = w
	}
	return w
}

// Slot returns the name of the item in a slot of a window and how many there are; ""
// and 0 for none, also where the client knows of no slot.
func (c *Client) Slot(window int32, slot int) (name string, count int) {
	w := c.Windows[window]
	if w == nil || slot < 0 || slot >= len(w.Slots) || w.Slots[slot].Count <= 0 {
		return "", 0
	}
	name, _ = registry.Of("minecraft:item", c.Version()).Name(w.Slots[slot].ID)
	return name, int(w.Slots[slot].Count)
}
