package play

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/blocks"
	"strata/server/inventory"
	"strata/server/item"
	"strata/server/physics"
	"strata/server/protocol"
	"strata/server/text"
	"strata/server/world"
)

// box is the contents of a block that somebody has open. All who have it open share
// it; it is written into the block entity at the end of a tick that changed it.
type box struct {
	pos      chunk.BlockPos
	items    inventory.Items
	unplaced []item.Slot // of the file, without a slot here
	viewers  int
	changed  bool
}

func (b *box) Len() int             { return len(b.items) }
func (b *box) Get(i int) item.Stack { return b.items[i] }
func (b *box) Set(i int, s item.Stack) {
	b.items[i] = s
	b.changed = true
}

// saved is what the block entity has of the contents.
func (b *box) saved() nbt.Raw {
	var slots []item.Slot
	for i, s := range b.items {
		if !s.Empty() {
			slots = append(slots, item.Slot{Number: uint8(i), Stack: s})
		}
	}
	return item.SlotsNBT(append(slots, b.unplaced...))
}

// enderChest is a player's own chest, which opens everywhere.
type enderChest struct {
	items    [27]item.Stack
	unplaced []item.Slot
	owner    *inventory.Player // whose changes tell that the file is another one
}

func (e *enderChest) Len() int             { return len(e.items) }
func (e *enderChest) Get(i int) item.Stack { return e.items[i] }
func (e *enderChest) Set(i int, s item.Stack) {
	e.items[i] = s
	e.owner.Changes++
}

// load fills it from a player's file.
func (e *enderChest) load(raw nbt.Raw) error {
	slots, err := item.ParseSlots(raw)
	if err != nil {
		return err
	}
	for _, s := range slots {
		if i := int(s.Number); i < len(e.items) && !s.Stack.Empty() && e.items[i].Empty() {
			e.items[i] = s.Stack
		} else {
			e.unplaced = append(e.unplaced, s)
		}
	}
	return nil
}

// saved is what the file has of it.
func (e *enderChest) saved() nbt.Raw {
	var slots []item.Slot
	for i, s := range e.items {
		if !s.Empty() {
			slots = append(slots, item.Slot{Number: uint8(i), Stack: s})
		}
	}
	return item.SlotsNBT(append(slots, e.unplaced...))
}

// containerReach is how far from its middle a player may go from what it has open.
const containerReach = 8

// opening is what a player has open beside its own window.
type opening struct {
	at    chunk.BlockPos
	state block.State // of the block, whose kind must stay
	boxes []*box      // one, or the halves of a double chest
	ender bool        // its own chest
}

// kindsOf are the windows of containers by what blocks open.
var kindsOf = map[blocks.Menu]struct {
	kind  inventory.Kind
	title string
}{
	blocks.MenuChest:      {inventory.Generic9x3, "container.chest"},
	blocks.MenuEnderChest: {inventory.Generic9x3, "container.enderchest"},
	blocks.MenuBarrel:     {inventory.Generic9x3, "container.barrel"},
	blocks.MenuShulkerBox: {inventory.ShulkerBox, "container.shulkerBox"},
	blocks.MenuDispenser:  {inventory.Generic3x3, "container.dispenser"},
	blocks.MenuHopper:     {inventory.Hopper, "container.hopper"},
}

// openContainer opens a block's contents for a player.
func (g *Game) openContainer(p *Player, menu blocks.Menu, pos chunk.BlockPos) {
	k, known := kindsOf[menu]
	s, _ := p.in.Block(pos)
	if !known {
		return
	}
	o := opening{at: pos, state: s}
	kind, title := k.kind, Translated(k.title, "")
	var contents inventory.Container
	if menu == blocks.MenuEnderChest {
		o.ender, contents = true, &p.ender
	} else {
		places := []chunk.BlockPos{pos}
		if other, double := blocks.ChestPair(p.in.Context(), pos, s); double {
			if s.Property("type") == "right" {
				places = []chunk.BlockPos{pos, other}
			} else {
				places = []chunk.BlockPos{other, pos}
			}
			kind, title = inventory.Generic9x6, Translated("container.chestDouble", "")
		}
		for i, at := range places {
			b, name, why := g.box(p.in, at)
			if b == nil {
				p.send(&protocol.SetActionBarText{Text: why.NBT()})
				return
			}
			if name != nil && (i == 0 || o.boxes[0] != nil) {
				title = name
			}
			o.boxes = append(o.boxes, b)
		}
		contents = o.boxes[0]
		if len(o.boxes) == 2 {
			contents = inventory.Pair{First: o.boxes[0], Second: o.boxes[1]}
		}
	}
	g.openWindow(p, kind, contents, title)
	if p.opened == nil {
		return
	}
	p.opening = &o
	for _, b := range o.boxes {
		p.in.boxes[b.pos] = b
		b.viewers++
	}
	g.lid(p, &o, true)
}

// openWindow opens a window.
func (g *Game) openWindow(p *Player, kind inventory.Kind, contents inventory.Container, title protocol.NBT) {
	g.closeWindow(p)
	p.windows = p.windows%100 + 1
	w, err := inventory.Open(p.windows, kind, contents, &p.items, p.version())
	if err != nil {
		g.options.Log.Error("open a window", "error", err)
		return
	}
	packet, ok := w.OpenScreen(title)
	if !ok {
		return
	}
	p.opened = w
	p.send(packet)
}

// noLoot is why a container stays closed whose contents the game has not made yet.
const noLoot = "Its loot was not made yet, which only the game itself can do"

// unpack gives a block that was placed what its item carried for its block entity.
func (g *Game) unpack(p *Player, stack item.Stack, placed []blocks.Change) {
	members := world.Unpacked(stack)
	if len(members) == 0 {
		return
	}
	for _, c := range placed {
		if s, _ := p.in.Block(c.Pos); s == c.State && blocks.EntityOf(s) != "" {
			p.in.SetBlockEntity(c.Pos, members)
			return
		}
	}
}

// box returns a block's contents, and its name if it has one of its own; nil, and why,
// if they are not to be opened.
func (g *Game) box(d *dimension, pos chunk.BlockPos) (b *box, name protocol.NBT, why text.Component) {
	s, loaded := d.Block(pos)
	size := blocks.Slots(s)
	if !loaded || size == 0 {
		return nil, nil, text.Plain("There is nothing to open")
	}
	var members nbt.Compound
	if e, found := d.BlockEntity(pos); found {
		members = world.Members(e)
	}
	if world.Unopened(members) {
		return nil, nil, text.Plain(noLoot)
	}
	if lock, _ := members.Get("lock"); lock != nil && !nbt.Equal(lock, nbt.Compound{}) {
		return nil, nil, text.Key("container.isLocked", text.Key("block."+dotted(s.Block().Name())))
	}
	if v, ok := members.Get("CustomName"); ok {
		if raw, err := nbt.MarshalRaw(v); err == nil {
			name = append(protocol.NBT{byte(raw.Type)}, raw.Data...)
		}
	}
	if open := d.boxes[pos]; open != nil {
		return open, name, why
	}
	b = &box{pos: pos, items: make(inventory.Items, size)}
	v, _ := members.Get("Items")
	raw, err := nbt.MarshalRaw(v)
	if v == nil || err != nil {
		return b, name, why
	}
	slots, err := item.ParseSlots(raw)
	if err != nil {
		return nil, nil, text.Plain("What is in it cannot be read")
	}
	for _, slot := range slots {
		if i := int(slot.Number); i < size && !slot.Stack.Empty() && b.items[i].Empty() {
			b.items[i] = slot.Stack
		} else {
			b.unplaced = append(b.unplaced, slot)
		}
	}
	return b, name, why
}

func dotted(name string) string {
	out := []byte(name)
	for i := range out {
		if out[i] == ':' {
			out[i] = '.'
		}
	}
	return string(out)
}

// leaveContainer ends what a player has open: the last one closes the lid.
func (g *Game) leaveContainer(p *Player) {
	o := p.opening
	if o == nil {
		return
	}
	p.opening = nil
	for _, b := range o.boxes {
		b.viewers--
	}
	g.lid(p, o, false)
	g.saveBoxes(p.in)
	for _, b := range o.boxes {
		if b.viewers <= 0 {
			delete(p.in.boxes, b.pos)
		}
	}
}

// blockEventViewers is the event of a lid: how many look inside.
const blockEventViewers = 1

// lid shows those nearby how many have a container open.
func (g *Game) lid(p *Player, o *opening, opens bool) {
	if now, loaded := p.in.Block(o.at); !loaded || blocks.EntityOf(now) != blocks.EntityOf(o.state) {
		return // it is gone
	}
	viewers := 0
	if o.ender {
		viewers = g.enderViewers(p.in, o.at)
	} else {
		for _, b := range o.boxes {
			viewers = max(viewers, b.viewers)
		}
	}
	c := g.contextOf(p.in)
	first, last := opens && viewers == 1, !opens && viewers == 0
	switch {
	case first:
		c.Event(o.at, blocks.EventOpen, int32(o.state))
	case last:
		c.Event(o.at, blocks.EventClose, int32(o.state))
	}
	if s, ok := o.state.With("open", "true"); ok && (first || last) && blocks.EntityOf(s) == "minecraft:barrel" {
		now, _ := p.in.Block(o.at)
		value := "false"
		if first {
			value = "true"
		}
		if changed, ok := now.With("open", value); ok {
			p.in.SetBlock(o.at, changed)
		}
		return
	}
	places := []chunk.BlockPos{o.at}
	if len(o.boxes) == 2 {
		places = []chunk.BlockPos{o.boxes[0].pos, o.boxes[1].pos}
	}
	for _, at := range places {
		g.blockEvent(p.in, at, blockEventViewers, uint8(min(viewers, 255)))
	}
}

// enderViewers is how many have their own chest open at a place.
func (g *Game) enderViewers(d *dimension, at chunk.BlockPos) (n int) {
	for _, other := range g.players {
		if other.in == d && other.opening != nil && other.opening.ender && other.opening.at == at {
			n++
		}
	}
	return n
}

// blockEvent tells those nearby of something that a block does.
func (g *Game) blockEvent(d *dimension, at chunk.BlockPos, action, parameter uint8) {
	s, _ := d.Block(at)
	for _, other := range g.players {
		if !other.joined || other.in != d || !other.sent[at.Chunk()] {
			continue
		}
		if id, ok := registry.Of("minecraft:block", other.version()).ID(s.Block().Name()); ok {
			other.send(&protocol.BlockEvent{Pos: protocol.BlockPos(at), Action: action, Parameter: parameter, BlockID: id})
		}
	}
}

// saveBoxes writes what has changed in open containers of a dimension into their
// block entities.
func (g *Game) saveBoxes(d *dimension) {
	for pos, b := range d.boxes {
		if !b.changed {
			continue
		}
		b.changed = false
		var members nbt.Compound
		if e, found := d.BlockEntity(pos); found {
			members = world.Members(e)
		}
		var list any
		if b.saved().Decode(&list) != nil {
			continue
		}
		members.Delete("Items")
		if !d.SetBlockEntity(pos, append(members, nbt.Member{Name: "Items", Value: list})) {
			g.options.Log.Error("a container cannot be kept", "x", pos.X, "y", pos.Y, "z", pos.Z)
		}
	}
}

// checkContainer closes a window whose block is gone or too far away.
func (g *Game) checkContainer(p *Player) {
	if p.opening == nil {
		return
	}
	s, loaded := p.in.Block(p.opening.at)
	around := physics.Around(p.x, p.y, p.z, 0, 0).Grown(containerReach, containerReach, containerReach)
	at := p.opening.at
	near := around.Meets(physics.Box{
		MinX: float64(at.X), MinY: float64(at.Y), MinZ: float64(at.Z), MaxX: float64(at.X) + 1, MaxY: float64(at.Y) + 1, MaxZ: float64(at.Z) + 1,
	})
	if !loaded || blocks.EntityOf(s) != blocks.EntityOf(p.opening.state) || !near || p.dead() {
		g.shutWindow(p)
	}
}

// ShutContainers closes the windows of all who have a block's contents open.
func (g *Game) ShutContainers(id string, pos chunk.BlockPos) {
	for _, p := range g.players {
		if p.opening == nil || p.in.ID() != id {
			continue
		}
		for _, b := range p.opening.boxes {
			if b.pos == pos {
				g.shutWindow(p)
				break
			}
		}
	}
}

// contents returns a block's contents to change them by command: those that players
// have open, if some do; nil if there are none to be had. Afterwards saveBoxes is to
// be called.
func (g *Game) contents(d *dimension, pos chunk.BlockPos) *box {
	b, _, _ := g.box(d, pos)
	return b
}

// SetContainerSlot puts a stack into a slot of the container at a place. It reports
// whether there is one, and whether it has the slot.
func (g *Game) SetContainerSlot(id string, pos chunk.BlockPos, slot int, s item.Stack) (done, container bool) {
	d := g.dimension(id)
	if d == nil {
		return false, false
	}
	b := g.contents(d, pos)
	if b == nil {
		return false, false
	}
	if slot < 0 || slot >= b.Len() {
		return false, true
	}
	b.Set(slot, s)
	was := d.boxes[pos]
	d.boxes[pos] = b
	g.saveBoxes(d)
	if was == nil {
		delete(d.boxes, pos)
	}
	return true, true
}
