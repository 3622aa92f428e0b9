package inventory

import (
	"math/rand/v2"
	"testing"
	"time"

	"strata/anvil/registry"
	"strata/server/item"
	"strata/server/protocol"
)

// A model of what the game's client predicts for clicks in a chest, written
// apart from the windows: items are letters, slots a flat array of the window.

type pile struct {
	kind  byte // 0 for none
	count int
}

var modelItems = map[byte]struct {
	name string
	most int
}{'d': {"dirt", 64}, 'p': {"ender_pearl", 16}, 's': {"saddle", 1}, 'c': {"cobblestone", 64}}

type model struct {
	slots  []pile
	chest  int // slots of the chest
	hand   pile
	thrown int
	over   []int // slots of a drag, nil if there is none
	how    int
}

func most(p pile) int { return modelItems[p.kind].most }

func (m *model) set(i int, kind byte, count int) {
	if count == 0 {
		kind = 0
	}
	m.slots[i] = pile{kind, count}
}

func (m *model) hold(kind byte, count int) {
	if count == 0 {
		kind = 0
	}
	m.hand = pile{kind, count}
}

// give moves up to n from the hand to a slot of the same or nothing.
func (m *model) give(i, n int) {
	there := m.slots[i]
	n = min(n, m.hand.count, most(m.hand)-there.count)
	if n > 0 {
		m.set(i, m.hand.kind, there.count+n)
		m.hold(m.hand.kind, m.hand.count-n)
	}
}

func (m *model) left(i int) {
	there := m.slots[i]
	if m.hand.kind != 0 && (there.kind == 0 || there.kind == m.hand.kind) {
		m.give(i, m.hand.count)
		return
	}
	m.slots[i], m.hand = m.hand, there
}

func (m *model) right(i int) {
	there := m.slots[i]
	switch {
	case m.hand.kind == 0 && there.kind != 0:
		keep := there.count / 2
		m.hold(there.kind, there.count-keep)
		m.set(i, there.kind, keep)
	case m.hand.kind != 0 && (there.kind == 0 || there.kind == m.hand.kind):
		m.give(i, 1)
	case m.hand.kind != 0:
		m.slots[i], m.hand = m.hand, there
	}
}

// shift fills stacks of the same and then free slots: a chest's from the
// first, a player's from the last.
func (m *model) shift(from int) {
	var order []int
	if from < m.chest {
		for i := len(m.slots) - 1; i >= m.chest; i-- {
			order = append(order, i)
		}
	} else {
		for i := range m.chest {
			order = append(order, i)
		}
	}
	for _, free := range []bool{false, true} {
		for _, i := range order {
			it, there := m.slots[from], m.slots[i]
			if it.kind == 0 || free != (there.kind == 0) || !free && there.kind != it.kind {
				continue
			}
			n := min(it.count, most(it)-there.count)
			m.set(i, it.kind, there.count+n)
			m.set(from, it.kind, it.count-n)
		}
	}
}

func (m *model) endDrag() {
	over, how := m.over, m.how
	m.over = nil
	switch {
	case len(over) == 0:
	case len(over) == 1 && how == 0:
		m.left(over[0])
	case len(over) == 1:
		m.right(over[0])
	default:
		each := 1
		if how == 0 {
			each = m.hand.count / len(over)
		}
		for _, i := range over {
			m.give(i, each)
		}
	}
}

func (m *model) collect() {
	for _, full := range []bool{false, true} {
		for i, there := range m.slots {
			if there.kind != m.hand.kind || full != (there.count == most(there)) {
				continue
			}
			n := min(there.count, most(m.hand)-m.hand.count)
			m.hold(m.hand.kind, m.hand.count+n)
			m.set(i, there.kind, there.count-n)
		}
	}
}

// play does a click and says which slots changed.
func (m *model) play(mode, at, button int) []int {
	before := append([]pile(nil), m.slots...)
	switch mode {
	case modePickup:
		switch {
		case at == outside && button == 0:
			m.thrown += m.hand.count
			m.hold(0, 0)
		case at == outside && m.hand.kind != 0:
			m.thrown++
			m.hold(m.hand.kind, m.hand.count-1)
		case at == outside:
		case button == 0:
			m.left(at)
		default:
			m.right(at)
		}
	case modeQuickMove:
		m.shift(at)
	case modeSwap:
		key := len(m.slots) - HotbarSize + button
		m.slots[at], m.slots[key] = m.slots[key], m.slots[at]
	case modeThrow:
		if m.hand.kind == 0 && m.slots[at].kind != 0 {
			n := m.slots[at].count
			if button == 0 {
				n = 1
			}
			m.thrown += n
			m.set(at, m.slots[at].kind, m.slots[at].count-n)
		}
	case modePickupAll:
		if m.hand.kind != 0 && m.slots[at].kind == 0 {
			m.collect()
		}
	}
	return m.changes(before)
}

func (m *model) changes(before []pile) []int {
	var changed []int
	for i := range before {
		if before[i] != m.slots[i] {
			changed = append(changed, i)
		}
	}
	return changed
}

func (p pile) stack() item.Stack {
	if p.kind == 0 {
		return item.Stack{}
	}
	return item.Named(modelItems[p.kind].name, int32(p.count))
}

// A client that predicts as the game does needs no packet after the first.
func TestClientsThatPredictAreToldNothing(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	p, chest := &Player{}, make(Items, 27)
	w, err := Open(3, Generic9x3, chest, p, registry.V26_1)
	if err != nil {
		t.Fatal(err)
	}
	m := &model{slots: make([]pile, w.Len()), chest: 27}
	for i := range m.slots {
		kind := "dpsc\x00\x00"[rng.IntN(6)]
		if kind != 0 {
			m.set(i, kind, 1+rng.IntN(modelItems[kind].most))
		}
		w.put(&w.slots[i], m.slots[i].stack())
	}
	w.Sync()
	thrown := 0
	send := func(mode, at, button int, changed []int) {
		t.Helper()
		c := &protocol.ContainerClick{ContainerID: 3, StateID: w.state, Slot: int16(at), Button: int8(button), Mode: int32(mode)}
		for _, i := range changed {
			c.Changed = append(c.Changed, protocol.ChangedSlot{Slot: int16(i), Item: item.Hashed(m.slots[i].stack(), registry.V26_1)})
		}
		c.Carried = item.Hashed(m.hand.stack(), registry.V26_1)
		for _, s := range w.Click(c, protocol.GameModeSurvival).Dropped {
			thrown += int(s.Count)
		}
		for i := range m.slots {
			if !w.Get(i).Equal(m.slots[i].stack()) {
				t.Fatalf("%+v: slot %d has %d of %s, the client %+v", c, i, w.Get(i).Count, w.Get(i).Name(), m.slots[i])
			}
		}
		if packets := w.Sync(); len(packets) != 0 {
			t.Fatalf("%+v: sent %+v, cursor %+v", c, packets[0], w.Cursor())
		}
		if thrown != m.thrown {
			t.Fatalf("%+v: threw %d, the client %d", c, thrown, m.thrown)
		}
	}
	for n := range 6000 {
		if n%40 == 0 { // what was thrown is replaced
			i, kind := rng.IntN(len(m.slots)), "dpsc"[rng.IntN(4)]
			m.set(i, kind, 1+rng.IntN(modelItems[kind].most))
			w.put(&w.slots[i], m.slots[i].stack())
			w.Sync()
		}
		mode, at, button := rng.IntN(7), rng.IntN(len(m.slots)), rng.IntN(2)
		switch mode {
		case modeClone:
			continue
		case modeSwap:
			button = rng.IntN(HotbarSize)
		case modePickup:
			if rng.IntN(60) == 0 {
				at = outside
			}
		case modePickupAll:
			button = 0
		case modeThrow:
			if rng.IntN(4) != 0 {
				continue
			}
		case modeDrag:
			if m.hand.kind != 0 {
				m.drag(rng, send)
			}
			continue
		}
		send(mode, at, button, m.play(mode, at, button))
	}
}

// drag draws over slots that take what is held, as a client only offers those.
func (m *model) drag(rng *rand.Rand, send func(mode, at, button int, changed []int)) {
	m.over, m.how = nil, rng.IntN(2)
	send(modeDrag, outside, m.how<<2, nil)
	for range rng.IntN(8) {
		at := rng.IntN(len(m.slots))
		fits := m.slots[at].kind == 0 || m.slots[at].kind == m.hand.kind
		for _, o := range m.over {
			fits = fits && o != at
		}
		if fits && len(m.over) < m.hand.count {
			m.over = append(m.over, at)
			send(modeDrag, at, m.how<<2|1, nil)
		}
	}
	how := m.how
	before := append([]pile(nil), m.slots...)
	m.endDrag()
	send(modeDrag, outside, how<<2|2, m.changes(before))
}
