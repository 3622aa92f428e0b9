package inventory

import (
	"strata/server/item"
	"strata/server/protocol"
)

// belief is what a client believes of a slot: nothing that is known, a stack
// that it was sent, or one that it says by hashes.
type belief struct {
	known  bool
	stack  item.Stack
	hashed bool
	hash   protocol.Optional[protocol.HashedItem]
}

// holds reports whether the client believes what is so. What it says by hashes
// becomes what it was sent.
func (b *belief) holds(w *Window, s item.Stack) bool {
	if b.hashed {
		b.known, b.stack, b.hashed = item.Matches(b.hash, s, w.version), s, false
		b.hash = protocol.Optional[protocol.HashedItem]{}
	}
	return b.known && b.stack.Equal(s)
}

func (b *belief) sent(s item.Stack) { *b = belief{known: true, stack: s} }

// Sync returns the packets after which the client believes what is so. The
// first one of a window has all slots.
func (w *Window) Sync() []protocol.Packet {
	if w.resend {
		w.resend = false
		return []protocol.Packet{w.content()}
	}
	var packets []protocol.Packet
	for i := range w.slots {
		s := w.slots[i].get()
		if w.remote[i].holds(w, s) {
			continue
		}
		w.remote[i].sent(s)
		packets = append(packets, &protocol.ContainerSetSlot{
			ContainerID: w.id, StateID: w.nextState(), Slot: int16(i), Item: item.Wire(s, w.version),
		})
	}
	if !w.remoteCursor.holds(w, w.cursor) {
		w.remoteCursor.sent(w.cursor)
		packets = append(packets, &protocol.SetCursorItem{Contents: item.Wire(w.cursor, w.version)})
	}
	return packets
}

// Resend makes the next Sync send all slots.
func (w *Window) Resend() { w.resend = true }

// content sends all of the window.
func (w *Window) content() protocol.Packet {
	p := &protocol.ContainerSetContent{
		ContainerID: w.id, StateID: w.nextState(), Items: make([]protocol.ItemStack, len(w.slots)),
		CarriedItem: item.Wire(w.cursor, w.version),
	}
	for i := range w.slots {
		s := w.slots[i].get()
		w.remote[i].sent(s)
		p.Items[i] = item.Wire(s, w.version)
	}
	w.remoteCursor.sent(w.cursor)
	return p
}

// nextState gives the state that a packet makes known. The game keeps 15 bits.
func (w *Window) nextState() int32 {
	w.state = (w.state + 1) & 0x7fff
	return w.state
}

// Inherit takes over what the client believes of the player's slots from
// another window, which was open meanwhile: for the player's own window, after
// the other one is closed. Slots that the other one did not show are as they
// were.
func (w *Window) Inherit(other *Window) {
	type place struct {
		in Container
		at int
	}
	seen := map[place]belief{}
	for i, s := range other.slots {
		if s.in == Container(other.player) {
			seen[place{other.player, s.at}] = other.remote[i]
		}
	}
	for i, s := range w.slots {
		if s.in != Container(w.player) {
			continue
		}
		if b, ok := seen[place{w.player, s.at}]; ok {
			w.remote[i] = b
		}
	}
	// Closing a window empties the client's cursor.
	w.remoteCursor.sent(item.Stack{})
}
