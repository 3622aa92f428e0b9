package play

import (
	"math"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/server/blocks"
	"strata/server/protocol"
	"strata/server/text"
	"strata/server/world"
)

// How far players reach, from their eyes to a block, in blocks; creative ones
// reach further. leniency is what the game allows beyond that for clients that
// are elsewhere by now.
const (
	reach         = 4.5
	reachCreative = 5.0
	leniency      = 1.0
	eyes          = 1.62
)

// What a player does with blocks and items in hand: the numbers of player_action.
const (
	digStart = iota
	digAbort
	digFinish
	dropStack
	dropOne
	releaseItem
	swapHands
)

// digTolerance is the part of the time that a block takes which must have passed,
// as clients and server do not tick together.
const digTolerance = 0.7

// dig is what a player digs at.
type dig struct {
	pos   chunk.BlockPos
	began int64 // tick
	under bool  // way
	// cracks is what others are shown of it: one more than the stage, 0 for none.
	cracks int8
}

// act does a player_action.
func (g *Game) act(p *Player, a *protocol.PlayerAction) {
	pos := chunk.BlockPos(a.Pos)
	switch a.Action {
	case digStart, digAbort, digFinish:
		p.acknowledge(a.Sequence)
		if !g.mayTouch(p, pos) {
			g.resend(p, pos)
			return
		}
		g.digAt(p, pos, a.Action)
	case dropStack, dropOne:
		if !p.dead() && p.mode != protocol.GameModeSpectator {
			g.throw(p, p.items.DropHeld(a.Action == dropStack))
		}
	case swapHands:
		p.items.SwapHands()
	}
}

// acknowledge notes that the player's client waits for the answer to a sequence
// number, which comes once a tick with the highest.
func (p *Player) acknowledge(sequence int32) {
	if sequence < 0 {
		return
	}
	p.sequence = max(p.sequence, sequence)
	p.answers = true
}

// protected reports whether a player may not change a block.
func (g *Game) protected(p *Player, pos chunk.BlockPos) bool {
	return g.options.Protected != nil && g.options.Protected(p, pos)
}

// mayTouch reports whether a player reaches a block that it may change and whose
// chunk its client has.
func (g *Game) mayTouch(p *Player, pos chunk.BlockPos) bool {
	if p.awaiting || p.dead() || p.mode == protocol.GameModeSpectator || p.mode == protocol.GameModeAdventure || !p.sent[pos.Chunk()] {
		return false
	}
	if g.protected(p, pos) {
		return false
	}
	far := reach + leniency
	if p.mode == protocol.GameModeCreative {
		far = reachCreative + leniency
	}
	beside := func(v, low float64) float64 { return max(low-v, 0, v-low-1) }
	dx, dy, dz := beside(p.x, float64(pos.X)), beside(p.y+eyes, float64(pos.Y)), beside(p.z, float64(pos.Z))
	return dx*dx+dy*dy+dz*dz <= far*far
}

func (g *Game) digAt(p *Player, pos chunk.BlockPos, action int32) {
	s, loaded := p.in.Block(pos)
	if !loaded {
		return
	}
	if action == digAbort {
		g.endDig(p)
		return
	}
	if p.mode == protocol.GameModeCreative {
		if action == digStart {
			g.breakBlock(p, pos)
		}
		return
	}
	need := blocks.DigTicks(s, p.items.InHand().Name(), g.slower(p))
	switch {
	case need < 0 || s.Air():
		g.resend(p, pos)
	case need == 0:
		g.breakBlock(p, pos)
	case action == digStart:
		g.endDig(p)
		p.dig = dig{pos: pos, began: g.ticks, under: true}
	case p.dig.under && p.dig.pos == pos && float64(g.ticks-p.dig.began+1) >= digTolerance*float64(need):
		g.breakBlock(p, pos)
	default:
		g.resend(p, pos)
	}
	if action == digFinish {
		g.endDig(p)
	}
}

// slower is how much longer digging takes off the ground and under water.
func (g *Game) slower(p *Player) float64 {
	slower := 1.0
	if !p.onGround {
		slower *= 5
	}
	head := chunk.BlockPos{X: int32(math.Floor(p.x)), Y: int32(math.Floor(p.y + eyes)), Z: int32(math.Floor(p.z))}
	if s, ok := p.in.Block(head); ok && s.Fluid() == block.WaterFluid {
		slower *= 5
	}
	return slower
}

// breakBlock breaks a block for a player; those nearby see and hear it.
func (g *Game) breakBlock(p *Player, pos chunk.BlockPos) {
	if e, found := p.in.BlockEntity(pos); found && world.Unopened(world.Members(e)) {
		p.send(&protocol.SetActionBarText{Text: text.Plain(noLoot).NBT()})
		g.resend(p, pos)
		return
	}
	c := g.context(p)
	if !blocks.Break(c, pos, p.items.InHand().Name(), p.mode != protocol.GameModeCreative) {
		g.resend(p, pos)
	}
}

// contextOf is a dimension, to change it as the game rules say.
func (g *Game) contextOf(d *dimension) *world.Context {
	c := d.Context()
	c.NoDrops = g.rule("minecraft:block_drops") == 0
	c.WaterEnds = g.rule("minecraft:water_source_conversion") == 0
	c.LavaRenews = g.rule("minecraft:lava_source_conversion") != 0
	c.Happened = func(at chunk.BlockPos, e blocks.Event, data int32) { g.happened(d, nil, at, e, data) }
	return c
}

// context is the dimension that a player is in, to change it as the player does.
func (g *Game) context(p *Player) *world.Context {
	d := p.in
	c := g.contextOf(d)
	c.Happened = func(at chunk.BlockPos, e blocks.Event, data int32) { g.happened(d, p, at, e, data) }
	return c
}

// resend tells a client again what is at a place.
func (g *Game) resend(p *Player, places ...chunk.BlockPos) {
	for _, pos := range places {
		if !p.sent[pos.Chunk()] {
			continue
		}
		if s, ok := p.in.Block(pos); ok {
			g.sendEncoded(p, func(dst []byte) ([]byte, error) { return g.encoders[p.version()].AppendBlock(dst, pos, s) })
		}
	}
}

// useOn is a click with a hand on a block.
func (g *Game) useOn(p *Player, u *protocol.UseItemOn) {
	p.acknowledge(u.Sequence)
	pos := chunk.BlockPos(u.Pos)
	if u.Direction < 0 || u.Direction > 5 {
		return
	}
	face := block.Direction(u.Direction)
	dx, dy, dz := face.Step()
	next := chunk.BlockPos{X: pos.X + dx, Y: pos.Y + dy, Z: pos.Z + dz}
	defer g.resend(p, pos, next)
	if p.clicksTooOften(g.ticks) || !g.mayTouch(p, pos) || !within(u.CursorX) || !within(u.CursorY) || !within(u.CursorZ) {
		return
	}
	if used := g.click(p, u, pos, face); used {
		p.items.Changes++
	}
}

// How many clicks on blocks are done within how many ticks; more are for nothing.
const (
	clicksDone  = 8
	clicksTicks = 6
)

// clicksTooOften counts a click.
func (p *Player) clicksTooOften(tick int64) bool {
	if tick-p.clicksSince >= clicksTicks {
		p.clicksSince, p.clicks = tick, 0
	}
	p.clicks++
	return p.clicks > clicksDone
}

// within reports whether a place in a block is one. Clients that are a little off
// are let go by, as the game does.
func within(v float32) bool { return v > -0.01 && v < 1.01 }

// hand is the slot of a player that a hand holds.
func (p *Player) hand(h protocol.Hand) int {
	if h == 0 {
		return p.items.Held()
	}
	return offhandSlot
}

// click does the first of what a click may mean: for the block, for the item, and
// to place it.
func (g *Game) click(p *Player, u *protocol.UseItemOn, pos chunk.BlockPos, face block.Direction) bool {
	slot := p.hand(u.Hand)
	stack := p.items.Get(slot)
	c := g.context(p)
	if !p.sneaking || p.items.InHand().Empty() && p.items.Get(offhandSlot).Empty() {
		if used := blocks.Use(c, pos, blocks.Heading(p.yaw)); used.Done {
			g.open(p, used.Open, pos, slot)
			return true
		}
	}
	dx, dy, dz := face.Step()
	if stack.Empty() || g.protected(p, chunk.BlockPos{X: pos.X + dx, Y: pos.Y + dy, Z: pos.Z + dz}) {
		return false
	}
	creative := p.mode == protocol.GameModeCreative
	if used := blocks.UseItem(c, stack.Name(), pos, face); used.Done {
		if !creative {
			g.wear(p, slot, used)
		}
		return true
	}
	lowest, highest := p.in.Height()
	placed := blocks.Place(blocks.Placement{
		View: c, Item: stack.Name(), Clicked: pos, Face: face,
		X: float64(u.CursorX), Y: float64(u.CursorY), Z: float64(u.CursorZ),
		Yaw: p.yaw, Pitch: p.pitch, Sneaking: p.sneaking, Lowest: lowest, Highest: highest, Hot: c.Hot(),
		Occupied: func(pos chunk.BlockPos, s block.State) bool { return g.occupied(p.in, pos, s) }, Random: c.Random,
	})
	if placed.Refusal != blocks.Accepted {
		return false
	}
	blocks.Apply(c, placed.Changes)
	c.Event(placed.Changes[0].Pos, placedEvent(placed), int32(placed.Changes[0].State))
	g.unpack(p, stack, placed.Changes)
	if last := placed.Changes[len(placed.Changes)-1]; isSign(last.State) {
		g.placedSign(p, last.Pos, stack)
	}
	if !creative {
		g.use(p, slot, placed.Left)
	}
	return true
}

// placedEvent is what is heard of placing: a bucket, if one is left, or the block.
func placedEvent(placed blocks.Placed) blocks.Event {
	if placed.Left != "" {
		return blocks.EventEmpty
	}
	return blocks.EventPlace
}

// occupied reports whether a player is in the way of a block.
func (g *Game) occupied(d *dimension, pos chunk.BlockPos, s block.State) bool {
	const half, height = 0.3, 1.8
	for _, box := range s.Collision() {
		for _, p := range g.players {
			if !p.joined || p.in != d || p.mode == protocol.GameModeSpectator {
				continue
			}
			x, y, z := float64(pos.X), float64(pos.Y), float64(pos.Z)
			if p.x+half > x+box.MinX && p.x-half < x+box.MaxX && p.y+height > y+box.MinY && p.y < y+box.MaxY &&
				p.z+half > z+box.MinZ && p.z-half < z+box.MaxZ {
				return true
			}
		}
	}
	return false
}
