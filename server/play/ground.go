package play

import (
	"math"
	"math/rand/v2"

	"strata/anvil/registry"
	"strata/server/entity"
	"strata/server/item"
	"strata/server/physics"
	"strata/server/protocol"
	"strata/server/stream"
)

// How players throw things: the delay until somebody may take them, in ticks, how
// far below the eyes they begin, and how fast they are.
const (
	throwDelay = 40
	belowEyes  = 0.3
	throwSpeed = 0.3
)

// throw throws items where the player looks. Those that find no place, as its chunk
// is not there, stay with the player.
func (g *Game) throw(p *Player, s item.Stack) {
	if s.Empty() {
		return
	}
	yaw, pitch := radians(p.yaw), radians(p.pitch)
	aside, turn := 0.02*rand.Float64(), 2*math.Pi*rand.Float64()
	vx := -math.Sin(yaw)*math.Cos(pitch)*throwSpeed + math.Cos(turn)*aside
	vy := -math.Sin(pitch)*throwSpeed + 0.1 + (rand.Float64()-rand.Float64())*0.1
	vz := math.Cos(yaw)*math.Cos(pitch)*throwSpeed + math.Sin(turn)*aside
	g.put(p, s, vx, vy, vz)
}

// scatter throws items in any direction, as those of the dead are.
func (g *Game) scatter(p *Player, s item.Stack) {
	if s.Empty() {
		return
	}
	far, turn := rand.Float64()*0.5, 2*math.Pi*rand.Float64()
	g.put(p, s, -math.Sin(turn)*far, 0.2, math.Cos(turn)*far)
}

func (g *Game) put(p *Player, s item.Stack, vx, vy, vz float64) {
	if p.in.Entities().Throw(s, p.x, p.y+eyes-belowEyes, p.z, vx, vy, vz, throwDelay) {
		return
	}
	if rest := p.items.Add(s); !rest.Empty() {
		g.options.Log.Warn("no room for items", "player", p.Name(), "item", rest.Name(), "count", rest.Count)
	}
	p.window().Resend()
}

func radians(degrees float32) float64 { return float64(degrees) * math.Pi / 180 }

// dropAll throws what a dead player carried onto the ground. What is cursed to
// vanish is gone.
func (g *Game) dropAll(p *Player) {
	all := append(p.window().Forget(), p.items.Clear()...)
	for _, s := range all {
		if !vanishes(s) {
			g.scatter(p, s)
		}
	}
	p.window().Resend()
}

func vanishes(s item.Stack) bool {
	raw, ok := s.Component("minecraft:enchantments")
	var levels map[string]int32
	if !ok || raw.Decode(&levels) != nil {
		return false
	}
	return levels["minecraft:vanishing_curse"] > 0
}

// The room around a player from which it takes things.
const (
	pickupAside = 1.0
	pickupAbove = 0.5
)

// pickUp gives a player what lies around it.
func (g *Game) pickUp(p *Player) {
	if p.dead() || p.mode == protocol.GameModeSpectator || p.awaiting {
		return
	}
	set := p.in.Entities()
	around := physics.Around(p.x, p.y, p.z, playerWidth, heightStanding).Grown(pickupAside, pickupAbove, pickupAside)
	set.Near(around, func(e *entity.Entity) bool {
		if e.Kind != entity.Item || e.Delay > 0 || e.Owner != ([16]byte{}) && e.Owner != p.UUID() {
			return true
		}
		had := e.Stack.Count
		rest := p.items.Add(e.Stack)
		taken := had - rest.Count
		if taken <= 0 {
			return true
		}
		g.told(p, e, taken)
		set.Take(e, taken)
		return true
	})
}

// told shows those who see an item how a player takes it.
func (g *Game) told(p *Player, e *entity.Entity, count int32) {
	for _, other := range g.players {
		if _, has := other.things[e.ID]; has {
			other.send(&protocol.TakeItemEntity{CollectedEntityID: e.ID, CollectorEntityID: p.id, PickupItemCount: count})
		}
	}
}

// thing is what a client knows of an entity that is no player.
type thing struct {
	x, y, z  float64
	ground   bool
	revision int32
	seen     int64 // the tick in which it was there
}

// thingsEvery is how many ticks lie between two messages of where a thing is, as
// clients move it by themselves.
const thingsEvery = 20

// trackThings shows a player what lies and falls within its chunks.
func (g *Game) trackThings(p *Player) {
	for _, e := range p.in.Entities().All() {
		if e.Gone() || !p.sent[e.Chunk()] {
			continue
		}
		t := p.things[e.ID]
		if t == nil {
			t = &thing{x: e.X, y: e.Y, z: e.Z, ground: e.OnGround, revision: e.Revision}
			p.things[e.ID] = t
			g.showThing(p, e)
		} else {
			g.followThing(p, e, t)
		}
		t.seen = g.ticks
	}
	var gone []int32
	for id, t := range p.things {
		if t.seen != g.ticks {
			gone = append(gone, id)
			delete(p.things, id)
		}
	}
	if len(gone) > 0 {
		p.send(&protocol.RemoveEntities{EntityIDs: gone})
	}
}

// Indices of metadata.
const (
	metadataStack = 8 // of items
	metadataStart = 8 // of falling blocks
)

func (g *Game) showThing(p *Player, e *entity.Entity) {
	kind, ok := registry.Of("minecraft:entity_type", p.version()).ID(e.Kind.String())
	if !ok {
		return
	}
	packet := &protocol.AddEntity{
		EntityID: e.ID, UUID: e.UUID, Type: kind, X: e.X, Y: e.Y, Z: e.Z,
		Velocity: protocol.Velocity{X: e.VX, Y: e.VY, Z: e.VZ},
	}
	if e.Kind == entity.FallingBlock {
		packet.Data = stream.NumberingOf(p.version()).State(e.State, g.options.Tables)
	}
	p.send(packet)
	g.sendThing(p, e)
}

// sendThing tells a client what a thing is.
func (g *Game) sendThing(p *Player, e *entity.Entity) {
	var entry protocol.MetadataEntry
	switch e.Kind {
	case entity.Item:
		stack := item.Wire(e.Stack, p.version())
		entry = protocol.MetadataEntry{Index: metadataStack, Type: protocol.MetadataTypeItemStack, Value: &stack}
	case entity.FallingBlock:
		start := protocol.BlockPos(e.Start)
		entry = protocol.MetadataEntry{Index: metadataStart, Type: protocol.MetadataTypeBlockPos, Value: &start}
	}
	p.send(&protocol.SetEntityData{EntityID: e.ID, Metadata: protocol.Metadata{entry}})
}

// followThing tells a client now and then where a thing is, and at once what else has
// changed.
func (g *Game) followThing(p *Player, e *entity.Entity, t *thing) {
	if t.revision != e.Revision {
		t.revision = e.Revision
		g.sendThing(p, e)
	}
	moved := t.x != e.X || t.y != e.Y || t.z != e.Z
	if t.ground == e.OnGround && (!moved || (g.ticks+int64(e.ID))%thingsEvery != 0) {
		return
	}
	t.x, t.y, t.z, t.ground = e.X, e.Y, e.Z, e.OnGround
	p.send(&protocol.EntityPositionSync{
		EntityID: e.ID, X: e.X, Y: e.Y, Z: e.Z, DX: e.VX, DY: e.VY, DZ: e.VZ, Yaw: e.Yaw, Pitch: e.Pitch, OnGround: e.OnGround,
	})
}
