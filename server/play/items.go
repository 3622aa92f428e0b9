package play

import (
	"strata/anvil/chunk"
	"strata/server/blocks"
	"strata/server/inventory"
	"strata/server/item"
	"strata/server/protocol"
)

const offhandSlot = inventory.Offhand

// window is the one that the client has open.
func (p *Player) window() *inventory.Window {
	if p.opened != nil {
		return p.opened
	}
	return p.own
}

// syncItems has the client believe what is so.
func (g *Game) syncItems(p *Player) {
	for _, packet := range p.window().Sync() {
		p.send(packet)
	}
}

// clickSlot is a click in a window.
func (g *Game) clickSlot(p *Player, c *protocol.ContainerClick) {
	g.checkContainer(p)
	w := p.window()
	if c.ContainerID != w.ID() || p.dead() {
		return
	}
	for _, thrown := range w.Click(c, p.mode).Dropped {
		g.throw(p, thrown)
	}
	p.items.Changes++ // what lies on the cursor counts as well
	g.saveBoxes(p.in)
}

// back gives a player items that have no other place. What finds no room is thrown.
func (g *Game) back(p *Player, s item.Stack) {
	g.throw(p, p.items.Add(s))
	p.window().Resend()
}

// createItem is a stack that a client in creative mode makes up.
func (g *Game) createItem(p *Player, c *protocol.SetCreativeModeSlot) {
	if p.dead() {
		return
	}
	if _, err := p.own.Creative(c, p.mode, &p.throws, g.ticks); err != nil {
		g.options.Log.Debug("creative slot", "player", p.Name(), "slot", c.Slot, "error", err)
		p.own.Resend()
	}
}

// closeWindow puts what lies on the cursor and in grids back.
func (g *Game) closeWindow(p *Player) {
	g.leaveContainer(p)
	for _, s := range p.window().Close() {
		g.throw(p, s)
	}
	if p.opened != nil {
		p.own.Inherit(p.opened)
		p.opened = nil
	}
}

// shutWindow does so because the player is elsewhere: its client closes the window.
func (g *Game) shutWindow(p *Player) {
	if p.opened != nil {
		p.send(&protocol.ContainerClose{ContainerID: p.opened.ID()})
	}
	g.closeWindow(p)
}

// open opens what a block opens, if it is there, for a player with a slot in hand.
func (g *Game) open(p *Player, menu blocks.Menu, pos chunk.BlockPos, slot int) {
	switch menu {
	case blocks.MenuCrafting:
		g.openWindow(p, inventory.Crafting, nil, Translated("container.crafting", ""))
	case blocks.MenuSign:
		g.openSign(p, pos, slot)
	default:
		g.openContainer(p, menu, pos)
	}
}

// use takes one of the stack in a slot, and leaves what remains of it.
func (g *Game) use(p *Player, slot int, left string) {
	s := p.items.Get(slot)
	rest := s.WithCount(s.Count - 1)
	if left == "" {
		p.items.Set(slot, rest)
		return
	}
	if rest.Empty() {
		p.items.Set(slot, item.Named(left, 1))
		return
	}
	p.items.Set(slot, rest)
	g.back(p, item.Named(left, 1))
}

// wear is what using an item on a block does to it.
func (g *Game) wear(p *Player, slot int, used blocks.Used) {
	s := p.items.Get(slot)
	switch {
	case used.Swapped:
		g.use(p, slot, used.Left)
	case used.Consumed:
		g.use(p, slot, "")
	case used.Worn:
		damage, most := s.Int("minecraft:damage")+1, s.Int("minecraft:max_damage")
		if most > 0 && damage >= most {
			p.items.Set(slot, item.Stack{})
		} else if most > 0 {
			p.items.Set(slot, s.WithInt("minecraft:damage", damage))
		}
	}
}

// hold holds another slot of the hotbar.
func (g *Game) hold(p *Player, slot int16) {
	if !p.items.Hold(int(slot)) {
		g.Kick(p, Translated("multiplayer.disconnect.invalid_player_movement", ""))
	}
}
