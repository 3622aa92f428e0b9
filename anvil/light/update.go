package light

import (
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
)

// SectionPos is the position of a section: a block's, divided by 16.
type SectionPos struct {
	X int32
	Y chunk.SectionY
	Z int32
}

// World is what Update reads and changes. Sections between Low and High of its
// Dimension are asked for blocks, the ones below and above, too, for light.
type World interface {
	// Loaded reports whether a chunk is there. Light ends where it is not.
	Loaded(x, z int32) bool
	// Section returns the states of a section as Blocks does.
	Section(at SectionPos, scratch *[4096]block.State) (states *[4096]block.State, one block.State)
	// Light returns the light of a section, or nil and the level of all its
	// blocks. It may use scratch. What it returns is only read.
	Light(at SectionPos, sky bool, scratch *Array) (array *Array, level uint8)
	// SetLight changes the light of a section. array is nil if all blocks
	// have the same level, and good during the call.
	SetLight(at SectionPos, sky bool, array *Array, level uint8)
}

// Dimension is what light needs to know of one.
type Dimension struct {
	Low, High chunk.SectionY // its sections, High not included
	Sky       bool           // it has sky light
	// Foreign names the facts of states that the native table lacks; if nil,
	// they are those of stone.
	Foreign *block.States
}

// MaxEdits is how many blocks an Update takes.
const MaxEdits = 1 << 18

// maxSlots is how many sections a place can tell apart.
const maxSlots = 1 << 20

// update is the state of a call of Update.
type update struct {
	Dimension
	active bool
	full   bool // maxSlots was reached
	world  World
	read   reader
	found  map[SectionPos]int32 // the slots
	edits  []place
	seeds  []place // that light may flow from into what was darkened
	states [cells]block.State
	array  Array
	saved  Array
}

// Update brings the light of a world up to date after the blocks at the given
// positions have changed. The light must have been right before, for the blocks
// that were there. It is then what it would be if all were computed anew,
// whatever the order of the edits. Positions outside of the dimension or in
// chunks that are not loaded are passed over. On an error nothing is changed.
func (e *Engine) Update(w World, d Dimension, edits []chunk.BlockPos) error {
	if d.Low >= d.High || d.High-d.Low > MaxSections || d.Low < -MaxSections || d.High > MaxSections {
		return fmt.Errorf("sections %d to %d: %w", d.Low, d.High, ErrRange)
	}
	if len(edits) > MaxEdits {
		return fmt.Errorf("%d edits: %w", len(edits), ErrRange)
	}
	e.begin(w, d)
	defer e.end()
	e.find(edits)
	e.refresh(blockLight)
	if d.Sky {
		e.refresh(skyLight)
	}
	if e.update.full {
		return fmt.Errorf("over %d sections: %w", maxSlots, ErrRange)
	}
	e.write()
	return nil
}

func (e *Engine) begin(w World, d Dimension) {
	e.reset()
	u := &e.update
	u.Dimension, u.world, u.active, u.full = d, w, true, false
	u.read.foreign = d.Foreign
	u.read.reset()
	if u.found == nil {
		u.found = map[SectionPos]int32{}
	}
	clear(u.found)
}

func (e *Engine) end() { e.update.world = nil }

// find fills edits with the places of those blocks that are there.
func (e *Engine) find(edits []chunk.BlockPos) {
	u := &e.update
	u.edits = u.edits[:0]
	at, slot := SectionPos{}, int32(unread)
	for _, p := range edits {
		pos := SectionPos{p.X >> 4, chunk.SectionY(p.Y >> 4), p.Z >> 4}
		if pos.Y < u.Low || pos.Y >= u.High {
			continue
		}
		if slot == unread || pos != at {
			at, slot = pos, e.slotAt(pos)
		}
		if slot >= 0 {
			u.edits = append(u.edits, place(uint32(slot)<<12|uint32(p.Y&15<<8|p.Z&15<<4|p.X&15)))
		}
	}
}

// slotAt returns the slot of a section, which it reads if it is not yet there;
// wall if it has no light.
func (e *Engine) slotAt(at SectionPos) int32 {
	u := &e.update
	if i, ok := u.found[at]; ok {
		return i
	}
	i := int32(wall)
	switch {
	case at.Y < u.Low-1 || at.Y > u.High || !u.world.Loaded(at.X, at.Z):
	case len(e.slots) == maxSlots:
		u.full = true
	default:
		i = int32(len(e.slots))
		e.slots = append(e.slots, e.load(at))
	}
	u.found[at] = i
	return i
}

func (e *Engine) load(at SectionPos) slot {
	u := &e.update
	s := slot{section: airSection(), pos: at, beside: [6]int32{unread, unread, unread, unread, unread, unread}}
	if at.Y >= u.Low && at.Y < u.High {
		s.section = u.read.read(u.world.Section(at, &u.states))
	}
	for c := range s.level {
		if channel(c) == skyLight && !u.Sky {
			break
		}
		array, level := u.world.Light(at, channel(c) == skyLight, &u.array)
		if array == nil {
			s.level[c] = evenPage(level & 15)
			continue
		}
		s.level[c], s.owned[c] = e.pages.get(), true
		unpack(s.level[c], array)
	}
	return s
}

// resolve finds the slot beside one and keeps it there.
func (e *Engine) resolve(from int32, d block.Direction) int32 {
	at := e.slots[from].pos
	switch d {
	case block.Down:
		at.Y--
	case block.Up:
		at.Y++
	case block.North:
		at.Z--
	case block.South:
		at.Z++
	case block.West:
		at.X--
	case block.East:
		at.X++
	}
	to := e.slotAt(at)
	e.slots[from].beside[d] = to
	if to >= 0 {
		e.slots[to].beside[d.Opposite()] = from
	}
	return to
}

// write hands the light that has changed to the world.
func (e *Engine) write() {
	u := &e.update
	for i := range e.slots {
		s := &e.slots[i]
		for c := range s.level {
			if !s.dirty[c] {
				continue
			}
			even, level, sky := pack(&u.array, s.level[c]), s.level[c][0], channel(c) == skyLight
			was, all := u.world.Light(s.pos, sky, &u.saved)
			switch {
			case even && was == nil && all == level, !even && was != nil && *was == u.array:
				// It went and came back.
			case even:
				u.world.SetLight(s.pos, sky, nil, level)
			default:
				u.world.SetLight(s.pos, sky, &u.array, 0)
			}
		}
	}
}
