package inventory

import (
	"errors"
	"fmt"

	"strata/anvil/registry"
	"strata/server/item"
	"strata/server/protocol"
)

// ErrSize is a container that has not the slots of a kind of window.
var ErrSize = errors.New("container of another size")

// Window is slots as one client sees them.
type Window struct {
	id      int32
	kind    Kind
	version registry.Version
	player  *Player
	slots   []slot
	cursor  item.Stack

	crafting  Items // the grid, nil if there is none
	gridWidth int
	output    Items // the result, one slot

	drag     drag
	creative bool // of the player who clicks
	dropped  []item.Stack

	state        int32
	remote       []belief
	remoteCursor belief
	resend       bool // all of it
}

// OwnWindow returns the window that a player always has, number 0.
func OwnWindow(p *Player, v registry.Version) *Window {
	w := &Window{kind: Own, version: v, player: p}
	w.addGrid(2)
	for i, name := range [...]string{"head", "chest", "legs", "feet"} {
		w.slots = append(w.slots, slot{in: p, at: Head - i, role: worn, worn: name})
	}
	w.addPlayer()
	w.slots = append(w.slots, slot{in: p, at: Offhand})
	return w.begin()
}

// Open returns a window of a kind onto a container; for Crafting that is nil.
// The number is 1 to 100, as the game gives them in turn.
func Open(id int32, kind Kind, c Container, p *Player, v registry.Version) (*Window, error) {
	w := &Window{id: id, kind: kind, version: v, player: p}
	switch {
	case kind == Own || int(kind) >= len(menus) || id <= 0:
		return nil, fmt.Errorf("open window %d of kind %d: %w", id, kind, ErrSize)
	case kind == Crafting:
		w.addGrid(3)
	case c == nil || c.Len() != kind.Size():
		return nil, fmt.Errorf("open %s: %w", menus[kind].name, ErrSize)
	default:
		r := plain
		if kind == ShulkerBox {
			r = unnested
		}
		for i := range c.Len() {
			w.slots = append(w.slots, slot{in: c, at: i, role: r})
		}
	}
	w.addPlayer()
	return w.begin(), nil
}

func (w *Window) addGrid(width int) {
	w.gridWidth = width
	w.crafting, w.output = make(Items, width*width), make(Items, 1)
	w.slots = append(w.slots, slot{in: w.output, role: result})
	for i := range w.crafting {
		w.slots = append(w.slots, slot{in: w.crafting, at: i, role: grid})
	}
}

// addPlayer adds a player's storage, the hotbar last.
func (w *Window) addPlayer() {
	for i := HotbarSize; i < StorageSize; i++ {
		w.slots = append(w.slots, slot{in: w.player, at: i})
	}
	for i := range HotbarSize {
		w.slots = append(w.slots, slot{in: w.player, at: i})
	}
}

func (w *Window) begin() *Window {
	w.remote = make([]belief, len(w.slots))
	w.resend = true
	return w
}

// ID returns the window's number.
func (w *Window) ID() int32 { return w.id }

// Kind returns the window's kind.
func (w *Window) Kind() Kind { return w.kind }

// Len returns how many slots the window has.
func (w *Window) Len() int { return len(w.slots) }

// Get returns the stack in a slot of the window.
func (w *Window) Get(i int) item.Stack { return w.slots[i].get() }

// Cursor returns the stack on the cursor.
func (w *Window) Cursor() item.Stack { return w.cursor }

// SetCursor puts a stack on the cursor.
func (w *Window) SetCursor(s item.Stack) { w.cursor = s }

// OpenScreen returns the packet that opens the window, which the contents of
// [Window.Sync] follow. The title is a text component.
func (w *Window) OpenScreen(title protocol.NBT) (*protocol.OpenScreen, bool) {
	menu, ok := w.kind.Menu(w.version)
	return &protocol.OpenScreen{ContainerID: w.id, InventoryType: menu, WindowTitle: title}, ok
}

// Close puts what lies on the cursor and in the grid back to the player, and
// returns what finds no place there. The window may be used on, as a player's
// own is.
func (w *Window) Close() []item.Stack {
	w.drag = drag{}
	var homeless []item.Stack
	back := func(s item.Stack) {
		if rest := w.player.Add(s); !rest.Empty() {
			homeless = append(homeless, rest)
		}
	}
	if !w.cursor.Empty() {
		back(w.cursor)
		w.cursor = item.Stack{}
	}
	for i, s := range w.crafting {
		if !s.Empty() {
			w.crafting[i] = item.Stack{}
			back(s)
		}
	}
	if w.crafting != nil {
		w.refreshResult()
	}
	return homeless
}

// Forget returns what lies on the cursor and in the grid and empties them: for
// a player who dies.
func (w *Window) Forget() []item.Stack {
	var all []item.Stack
	if !w.cursor.Empty() {
		all = append(all, w.cursor)
		w.cursor = item.Stack{}
	}
	for i, s := range w.crafting {
		if !s.Empty() {
			all = append(all, s)
			w.crafting[i] = item.Stack{}
		}
	}
	if w.crafting != nil {
		w.refreshResult()
	}
	return all
}
