package inventory

import (
	"fmt"
	"slices"

	"strata/nbt"
	"strata/server/item"
)

// Numbers of a player's slots.
const (
	HotbarSize  = 9
	StorageSize = 36 // hotbar included
	Feet        = 36
	Legs        = 37
	Chest       = 38
	Head        = 39
	Offhand     = 40
	Body        = 41
	Saddle      = 42
	PlayerSlots = 43
)

// equipment are the members of a player's equipment in files, by slot from Feet
// on.
var equipment = [...]string{"feet", "legs", "chest", "head", "offhand", "body", "saddle"}

// Player is what a player carries. The zero Player carries nothing.
type Player struct {
	slots [PlayerSlots]item.Stack
	held  int
	// Changes counts changes, for those who look whether there were any.
	Changes uint64
	// unplaced are elements of a file that have no slot here.
	unplaced []item.Slot
	others   nbt.Compound // of the equipment
}

// Len returns how many slots there are.
func (p *Player) Len() int { return PlayerSlots }

// Get returns the stack in a slot.
func (p *Player) Get(i int) item.Stack { return p.slots[i] }

// Set puts a stack into a slot.
func (p *Player) Set(i int, s item.Stack) {
	p.slots[i] = s
	p.Changes++
}

// Held returns the number of the hotbar slot that is held.
func (p *Player) Held() int { return p.held }

// Hold holds another hotbar slot; it reports whether there is such a slot.
func (p *Player) Hold(slot int) bool {
	if slot < 0 || slot >= HotbarSize {
		return false
	}
	p.held = slot
	return true
}

// InHand returns the stack that is held.
func (p *Player) InHand() item.Stack { return p.slots[p.held] }

// SetInHand replaces the stack that is held.
func (p *Player) SetInHand(s item.Stack) { p.Set(p.held, s) }

// DropHeld takes one of the stack that is held, or all of it.
func (p *Player) DropHeld(all bool) item.Stack {
	n := int32(1)
	if all {
		n = p.InHand().Count
	}
	taken, rest := p.InHand().Split(n)
	if !taken.Empty() {
		p.SetInHand(rest)
	}
	return taken
}

// SwapHands swaps what is held with the offhand.
func (p *Player) SwapHands() {
	hand, off := p.InHand(), p.slots[Offhand]
	p.SetInHand(off)
	p.Set(Offhand, hand)
}

// Add puts a stack where there is room, as picking up does: onto stacks of the
// same, the held one first, then into the first free slot. It returns what
// finds none.
func (p *Player) Add(s item.Stack) item.Stack {
	if s.MaxSize() > 1 {
		s = p.addTo(p.held, s)
		s = p.addTo(Offhand, s)
		for i := 0; i < StorageSize && !s.Empty(); i++ {
			s = p.addTo(i, s)
		}
	}
	for i := 0; i < StorageSize && !s.Empty(); i++ {
		if p.slots[i].Empty() {
			taken, rest := s.Split(s.MaxSize())
			p.Set(i, taken)
			s = rest
		}
	}
	return s
}

// addTo puts what fits onto a stack of the same; it returns the rest.
func (p *Player) addTo(i int, s item.Stack) item.Stack {
	there := p.slots[i]
	if s.Empty() || there.Empty() || !there.Same(s) {
		return s
	}
	taken, rest := s.Split(there.MaxSize() - there.Count)
	if taken.Empty() {
		return s
	}
	p.Set(i, there.WithCount(there.Count+taken.Count))
	return rest
}

// Clear empties all slots and returns what was in them.
func (p *Player) Clear() []item.Stack {
	var all []item.Stack
	for i, s := range p.slots {
		if !s.Empty() {
			all = append(all, s)
			p.Set(i, item.Stack{})
		}
	}
	return all
}

// Load fills a player from the tags Inventory (a list of slots) and equipment
// (a compound) of its file; a tag that does not exist is empty. What has no
// place here is kept for Save.
func (p *Player) Load(inventory, worn nbt.Raw) error {
	slots, err := item.ParseSlots(inventory)
	if err != nil {
		return fmt.Errorf("load inventory: %w", err)
	}
	var members nbt.Compound
	if worn.Exists() {
		if err := worn.Decode(&members); err != nil {
			return fmt.Errorf("load equipment: %w", err)
		}
	}
	*p = Player{held: p.held, Changes: p.Changes + 1}
	for _, s := range slots {
		if i := int(s.Number); i < StorageSize && !s.Stack.Empty() && p.slots[i].Empty() {
			p.slots[i] = s.Stack
		} else {
			p.unplaced = append(p.unplaced, s)
		}
	}
	for _, m := range members {
		i := slices.Index(equipment[:], m.Name)
		raw, err := nbt.MarshalRaw(m.Value)
		if err != nil {
			return fmt.Errorf("load equipment: %w", err)
		}
		stack, err := item.Parse(raw)
		if i < 0 || err != nil || !p.slots[Feet+i].Empty() {
			p.others = append(p.others, m)
			continue
		}
		p.slots[Feet+i] = stack
	}
	return nil
}

// Save returns the tags Inventory and equipment.
func (p *Player) Save() (inventory, worn nbt.Raw) {
	var slots []item.Slot
	for i, s := range p.slots[:StorageSize] {
		if !s.Empty() {
			slots = append(slots, item.Slot{Number: uint8(i), Stack: s})
		}
	}
	members := nbt.Compound{}
	for i, name := range equipment {
		if s := p.slots[Feet+i]; !s.Empty() {
			members = append(members, nbt.Member{Name: name, Value: s.NBT()})
		}
	}
	for _, m := range p.others {
		if _, taken := members.Get(m.Name); !taken {
			members = append(members, m)
		}
	}
	worn, _ = nbt.MarshalRaw(members)
	return item.SlotsNBT(append(slots, p.unplaced...)), worn
}
