package play

import (
	"math"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/server/protocol"
	"strata/server/stream"
	"strata/server/world"
)

// dimension is one that the game is played in.
type dimension struct {
	*world.Dimension
	index   uint8                   // in keys of chunks' frames
	boxes   map[chunk.BlockPos]*box // that somebody has open
	views   []stream.View
	scratch []stream.View
}

// seaLevels are where clients draw the horizon, by dimension; 63 elsewhere.
var seaLevels = map[string]int32{anvil.Nether: 32, anvil.End: 0}

const overworldSeaLevel = 63

// What a client keeps of its player in a respawn: bits.
const (
	keepAttributes = 1 << iota
	keepData
)

// dimension returns a dimension by its id, nil if it is not there.
func (g *Game) dimension(id string) *dimension {
	for _, d := range g.dimensions {
		if d.ID() == id {
			return d
		}
	}
	return nil
}

// Dimensions are the ids of the dimensions that are played in, the one where
// players appear first.
func (g *Game) Dimensions() []string {
	ids := make([]string, len(g.dimensions))
	for i, d := range g.dimensions {
		ids[i] = d.ID()
	}
	return ids
}

// spawnInfo is what a client needs to know of the world that it is put into.
func (g *Game) spawnInfo(p *Player) protocol.SpawnInfo {
	kind, _ := registry.Of("minecraft:dimension_type", p.version()).ID(p.in.ID())
	sea, ok := seaLevels[p.in.ID()]
	if !ok {
		sea = overworldSeaLevel
	}
	return protocol.SpawnInfo{
		Dimension: kind, Name: p.in.ID(), HashedSeed: hashedSeed(g.options.Seed), GameMode: p.mode,
		PreviousGameMode: -1, Flat: g.options.Flat, SeaLevel: sea,
	}
}

// Teleport puts a player somewhere, in a dimension that need not be the one that it
// is in. It reports false if there is no such dimension, or nobody can be there.
func (g *Game) Teleport(p *Player, dimension string, x, y, z float64, yaw, pitch float32) bool {
	to := g.dimension(dimension)
	for _, v := range []float64{x, y, z, float64(yaw), float64(pitch)} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	if to == nil || math.Abs(x) > maxHorizontal || math.Abs(z) > maxHorizontal || math.Abs(y) > maxVertical {
		return false
	}
	p.x, p.y, p.z, p.yaw, p.pitch = x, y, z, turned(yaw), min(max(pitch, -90), 90)
	p.onGround, p.unsettled, p.floats = false, false, false
	if to != p.in {
		g.enter(p, to, keepAttributes|keepData)
	} else {
		g.review(p)
	}
	g.place(p)
	return true
}

// enter takes a player into a dimension, or into the same again, as after a death.
// Its client forgets all chunks and entities.
func (g *Game) enter(p *Player, to *dimension, kept uint8) {
	g.shutWindow(p)
	g.endDig(p)
	g.hide(p)
	clear(p.sent)
	clear(p.seen)
	clear(p.things)
	p.in, p.looked = to, false
	p.send(&protocol.Respawn{Spawn: g.spawnInfo(p), Kept: kept})
	g.sendWorld(p)
	p.own.Resend()
}

// hide takes a player off the clients that see it.
func (g *Game) hide(p *Player) {
	for _, other := range g.players {
		if other.seen[p.id] != nil {
			delete(other.seen, p.id)
			other.send(&protocol.RemoveEntities{EntityIDs: []int32{p.id}})
		}
	}
}

// sendWorld tells a client that was put into a dimension of that, and begins its
// view anew.
func (g *Game) sendWorld(p *Player) {
	p.send(&protocol.ChangeDifficultyClientbound{Difficulty: g.difficulty(), DifficultyLocked: g.world.Difficulty.Locked})
	g.sendAbilities(p)
	p.send(&protocol.SetHeldSlot{Slot: int32(p.items.Held())})
	p.send(g.borderPacket(p.in.ID()))
	p.send(g.spawnPacket())
	p.send(g.timePacket(p.version()))
	g.sendPace(p)
	p.send(&protocol.GameEvent{Event: protocol.GameEventKindLevelChunksLoadStart})
	g.beginSky(p)
	g.sendHealth(p)
	p.view = stream.View{Center: p.chunk(), Distance: g.distance(p)}
	p.send(&protocol.SetChunkCacheCenter{ChunkX: p.view.Center.X, ChunkZ: p.view.Center.Z})
	p.pending = p.view.Append(p.pending[:0])
}
