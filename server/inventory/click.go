package inventory

import (
	"strata/server/item"
	"strata/server/protocol"
)

// The modes of clicks.
const (
	modePickup = iota
	modeQuickMove
	modeSwap
	modeClone
	modeThrow
	modeDrag
	modePickupAll
)

const (
	outside    = -999 // the slot of clicks outside a window
	offhandKey = 40   // the button of a swap with the offhand
	unlimited  = 1<<31 - 1
)

// Result is what a click did beside changing slots.
type Result struct {
	// Ignored says that the click was for another window, or for no slot.
	Ignored bool
	// Dropped are stacks that the player throws.
	Dropped []item.Stack
}

// Click does what a click does. The caller has made sure that the container is
// still in reach, and calls Sync afterwards. A spectator's click changes
// nothing, and makes Sync send all slots.
func (w *Window) Click(p *protocol.ContainerClick, mode protocol.GameMode) Result {
	at := int(p.Slot)
	if p.ContainerID != w.id || at >= len(w.slots) || at < -1 && at != outside {
		return Result{Ignored: true}
	}
	if mode == protocol.GameModeSpectator {
		w.resend = true
		return Result{}
	}
	w.creative, w.dropped = mode == protocol.GameModeCreative, nil
	w.do(at, int(p.Button), int(p.Mode))
	for _, changed := range p.Changed {
		if i := int(changed.Slot); i >= 0 && i < len(w.remote) {
			w.remote[i] = belief{hashed: true, hash: changed.Item}
		}
	}
	w.remoteCursor = belief{hashed: true, hash: p.Carried}
	if p.StateID != w.state {
		w.resend = true
	}
	dropped := w.dropped
	w.dropped = nil
	return Result{Dropped: dropped}
}

func (w *Window) do(at, button, mode int) {
	if mode == modeDrag {
		w.doDrag(at, button)
		return
	}
	if w.drag.phase != 0 {
		w.drag = drag{} // any other click ends it and does nothing
		return
	}
	if at == outside {
		if (mode == modePickup || mode == modeQuickMove) && (button == 0 || button == 1) {
			w.throwCursor(button == 0)
		}
		return
	}
	if at < 0 {
		return
	}
	s := &w.slots[at]
	switch mode {
	case modePickup:
		if button == 0 || button == 1 {
			w.pickup(s, button == 0)
		}
	case modeQuickMove:
		if button == 0 || button == 1 {
			w.quickMoveAll(at)
		}
	case modeSwap:
		if button >= 0 && button < HotbarSize || button == offhandKey {
			w.swap(s, button)
		}
	case modeClone:
		if there := s.get(); w.creative && w.cursor.Empty() && !there.Empty() {
			w.cursor = there.WithCount(there.MaxSize())
		}
	case modeThrow:
		w.throwSlot(s, button == 0)
	case modePickupAll:
		w.pickupAll(s, button == 0)
	}
}

func (w *Window) drop(s item.Stack) {
	if !s.Empty() {
		w.dropped = append(w.dropped, s)
	}
}

func (w *Window) throwCursor(all bool) {
	n := int32(1)
	if all {
		n = w.cursor.Count
	}
	var taken item.Stack
	if w.cursor.Empty() {
		return
	}
	taken, w.cursor = w.cursor.Split(n)
	w.drop(taken)
}

// pickup is a click with the left (whole) or right button.
func (w *Window) pickup(s *slot, whole bool) {
	there := s.get()
	switch {
	case there.Empty():
		if !w.cursor.Empty() {
			w.placeCursor(s, whole)
		}
	case !w.mayTake(s):
	case w.cursor.Empty():
		n := there.Count
		if !whole {
			n = (n + 1) / 2
		}
		w.cursor = w.take(s, n, unlimited)
	case s.mayPlace(w.cursor):
		if there.Same(w.cursor) {
			w.placeCursor(s, whole)
		} else if w.cursor.Count <= s.limit(w.cursor) {
			w.put(s, w.cursor)
			w.cursor = there
		}
	case there.Same(w.cursor):
		taken := w.take(s, there.Count, w.cursor.MaxSize()-w.cursor.Count)
		w.cursor = w.cursor.WithCount(w.cursor.Count + taken.Count)
	}
}

func (w *Window) placeCursor(s *slot, whole bool) {
	n := int32(1)
	if whole {
		n = w.cursor.Count
	}
	w.cursor = w.insert(s, w.cursor, n)
}

// swap swaps a slot with one of the hotbar or the offhand.
func (w *Window) swap(s *slot, key int) {
	source, there := w.player.Get(key), s.get()
	if s.in == Container(w.player) && s.at == key {
		return
	}
	switch {
	case source.Empty() && there.Empty():
	case source.Empty():
		if w.mayTake(s) {
			// First, as what is left of a recipe looks for a free slot too.
			w.player.Set(key, there)
			w.take(s, there.Count, unlimited)
		}
	case there.Empty():
		if s.mayPlace(source) {
			put, rest := source.Split(s.limit(source))
			w.player.Set(key, rest)
			w.put(s, put)
		}
	case w.mayTake(s) && s.mayPlace(source):
		put, rest := source.Split(s.limit(source))
		if rest.Empty() {
			w.player.Set(key, there)
			w.put(s, put)
			return
		}
		w.player.Set(key, rest)
		w.put(s, put)
		w.drop(w.player.Add(there))
	}
}

// throwSlot throws one of a slot, or all.
func (w *Window) throwSlot(s *slot, one bool) {
	there := s.get()
	if !w.cursor.Empty() || there.Empty() {
		return
	}
	n := there.Count
	if one {
		n = 1
	}
	taken := w.take(s, n, unlimited)
	w.drop(taken)
	for rounds := 0; !one && !taken.Empty() && s.get().ID == taken.ID && !s.get().Empty() && rounds < maxRounds; rounds++ {
		taken = w.take(s, n, unlimited)
		w.drop(taken)
	}
}

// pickupAll collects what is the same as on the cursor, full stacks last.
func (w *Window) pickupAll(s *slot, forward bool) {
	if w.cursor.Empty() || !s.get().Empty() && w.mayTake(s) {
		return
	}
	for pass := range 2 {
		for k := range w.slots {
			i := k
			if !forward {
				i = len(w.slots) - 1 - k
			}
			from := &w.slots[i]
			there := from.get()
			room := w.cursor.MaxSize() - w.cursor.Count
			if room <= 0 {
				return
			}
			if there.Empty() || from.role == result || !there.Same(w.cursor) || !w.mayTake(from) ||
				pass == 0 && there.Count == there.MaxSize() {
				continue
			}
			taken := w.take(from, there.Count, room)
			w.cursor = w.cursor.WithCount(w.cursor.Count + taken.Count)
		}
	}
}
