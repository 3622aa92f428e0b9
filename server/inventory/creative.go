package inventory

import (
	"errors"
	"fmt"

	"strata/server/item"
	"strata/server/protocol"
)

// Errors of what a client in creative mode asks for. The stack is not taken
// then, and Sync tells the client so.
var (
	// ErrMode is a client that is not in creative mode.
	ErrMode = errors.New("not in creative mode")
	// ErrSlot is a slot that is not.
	ErrSlot = errors.New("no such slot")
	// ErrThrottled is a stack thrown too soon.
	ErrThrottled = errors.New("too many thrown")
)

// Throttle bounds how many stacks a player throws out of nothing. The numbers
// are the game's: each costs 20 of 1,480, which regain 1 a tick.
type Throttle struct {
	spent int64
	tick  int64
}

const (
	throwCost  = 20
	throwLimit = 1480
)

// Throw reports whether one may be thrown in a tick, and counts it if so.
func (t *Throttle) Throw(tick int64) bool {
	t.spent = max(0, t.spent-max(0, tick-t.tick))
	t.tick = max(t.tick, tick)
	if t.spent >= throwLimit {
		return false
	}
	t.spent += throwCost
	return true
}

// Creative puts a stack that the client made up into a slot of a player's own
// window, or returns the one that it throws, for slots below 0. Errors are those
// above and those of item.FromCreative.
func (w *Window) Creative(p *protocol.SetCreativeModeSlot, mode protocol.GameMode, throws *Throttle, tick int64) (thrown item.Stack, err error) {
	at := int(p.Slot)
	switch {
	case mode != protocol.GameModeCreative:
		err = ErrMode
	case w.kind != Own || at == 0 || at >= len(w.slots):
		err = ErrSlot
	}
	var s item.Stack
	if err == nil {
		s, err = item.FromCreative(p.Item, w.version)
	}
	if err != nil {
		if at >= 0 && at < len(w.remote) {
			w.remote[at] = belief{}
		}
		return item.Stack{}, fmt.Errorf("creative slot %d: %w", at, err)
	}
	if at < 0 {
		if s.Empty() {
			return s, nil
		}
		if !throws.Throw(tick) {
			return item.Stack{}, fmt.Errorf("creative slot %d: %w", at, ErrThrottled)
		}
		return s, nil
	}
	w.put(&w.slots[at], s)
	w.remote[at] = belief{}
	if len(s.Changes()) == 0 && s.ID != item.Unknown {
		w.remote[at].sent(s)
	}
	return item.Stack{}, nil
}
