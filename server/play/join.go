package play

import (
	"strata/anvil/chunk"
	"strata/server/protocol"
	"strata/server/stream"
)

// Flags of abilities.
const (
	abilityInvulnerable = 1 << iota
	abilityFlying
	abilityMayFly
	abilityInstantBuild
)

// opLevel0 is the event that tells a player that it is no operator.
const opLevel0 = 24

// tryJoin is join, and reports whether there was something to do: the player may wait
// for a chunk.
func (g *Game) tryJoin(p *Player) bool {
	first := !p.restored
	g.join(p)
	return first || p.joined
}

// join lets a player in, once the chunk of the spawn is there.
func (g *Game) join(p *Player) {
	if !p.restored {
		p.restored = true
		if err := g.restore(p); err != nil {
			g.options.Log.Error("a player's file cannot be used", "player", p.Name(), "error", err)
			g.Kick(p, Text("What the server knows of you cannot be read: "+err.Error()))
			return
		}
	}
	if p.in.Unavailable(p.chunk()) {
		g.Kick(p, Text("The chunk of the spawn cannot be loaded."))
		return
	}
	if !p.in.Read(p.chunk(), func(*chunk.Chunk) {}) {
		return
	}
	if !p.placed {
		at, ready := g.spawnSpot(p.mode)
		if !ready {
			return
		}
		p.x, p.y, p.z, p.yaw, p.pitch = at.x, at.y, at.z, g.world.Spawn.Yaw, g.world.Spawn.Pitch
		p.view = stream.View{Center: p.chunk(), Distance: g.distance(p)}
	}
	p.joined = true
	g.sendLogin(p)
	g.options.Log.Info(p.Name()+" joined the game", "entity", p.id, "x", p.x, "y", p.y, "z", p.z)
	g.place(p)
	g.introduce(p)
	p.send(&protocol.ServerData{Motd: Text(g.options.Motd)})
	g.sendWorld(p)
}

// sendLogin sends what makes the client's world.
func (g *Game) sendLogin(p *Player) {
	o := &g.options
	p.send(&protocol.Login{
		EntityID: p.id, Hardcore: g.world.Difficulty.Hardcore, Dimensions: g.Dimensions(), MaxPlayers: int32(o.MaxPlayers),
		ViewDistance: int32(o.ViewDistance), SimulationDistance: int32(o.ViewDistance), ShowDeathScreen: g.rule("minecraft:immediate_respawn") == 0,
		ReducedDebugInfo: g.rule("minecraft:reduced_debug_info") != 0, LimitedCrafting: g.rule("minecraft:limited_crafting") != 0,
		Spawn: g.spawnInfo(p),
	})
	if g.options.Commands == nil {
		p.send(&protocol.EntityEvent{EntityID: p.id, Event: opLevel0})
	}
	g.Refresh(p)
}

// sendAbilities tells a client what its game mode lets it do.
func (g *Game) sendAbilities(p *Player) {
	var abilities int8
	switch p.mode {
	case protocol.GameModeCreative:
		abilities = abilityInvulnerable | abilityMayFly | abilityInstantBuild
	case protocol.GameModeSpectator:
		abilities = abilityInvulnerable | abilityFlying | abilityMayFly
	}
	p.flying = abilities&abilityFlying != 0
	p.send(&protocol.PlayerAbilitiesClientbound{Flags: abilities, FlyingSpeed: 0.05, WalkingSpeed: 0.1})
}

// introduce tells the player of all others, and them of the player.
func (g *Game) introduce(p *Player) {
	const actions = protocol.AddPlayer | protocol.UpdateGameMode | protocol.UpdateListed | protocol.UpdateLatency
	var all []protocol.PlayerInfo
	for _, other := range g.players {
		if other.joined {
			all = append(all, g.infoOf(other))
		}
	}
	p.send(&protocol.PlayerInfoUpdate{Actions: actions, Players: all})
	for _, other := range g.players {
		if other.joined && other != p {
			other.send(&protocol.PlayerInfoUpdate{Actions: actions, Players: []protocol.PlayerInfo{g.infoOf(p)}})
		}
	}
	for _, other := range g.players {
		if other.joined && other != p {
			other.send(&protocol.SystemChat{Content: Translated("multiplayer.player.joined", "yellow", p.Name())})
		}
	}
}

func (g *Game) infoOf(p *Player) protocol.PlayerInfo {
	profile := p.conn.Profile()
	return protocol.PlayerInfo{
		UUID: profile.UUID, Name: profile.Name, Properties: profile.Properties, Listed: true,
		GameMode: int32(p.mode), Latency: p.latency.Load(),
	}
}

// sendLatencies tells all of how long answers take.
func (g *Game) sendLatencies() {
	var all []protocol.PlayerInfo
	for _, p := range g.players {
		if p.joined {
			all = append(all, g.infoOf(p))
		}
	}
	if len(all) > 0 {
		g.broadcast(&protocol.PlayerInfoUpdate{Actions: protocol.UpdateLatency, Players: all})
	}
}
