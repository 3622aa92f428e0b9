package play

import (
	"math"

	"strata/anvil/registry"
	"strata/server/protocol"
)

const (
	// maxSpeed is how many blocks each packet may move a player.
	maxSpeed = 10
	// maxCounted is how many packets of a tick count for that.
	maxCounted = 5
	// Beyond these no client can be.
	maxHorizontal = 3e7
	maxVertical   = 2e7
)

// place tells the client where the player is, and waits for it to say yes.
func (g *Game) place(p *Player) {
	p.teleport++
	p.awaiting = true
	p.send(&protocol.PlayerPosition{TeleportID: p.teleport, X: p.x, Y: p.y, Z: p.z, Yaw: p.yaw, Pitch: p.pitch})
}

// move moves a player as its client says, if that can be.
func (g *Game) move(p *Player, x, y, z float64, yaw, pitch float32, flags protocol.MoveFlags) {
	for _, v := range []float64{x, y, z, float64(yaw), float64(pitch)} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			g.Kick(p, Translated("multiplayer.disconnect.invalid_player_movement", ""))
			return
		}
	}
	if p.awaiting || p.dead() {
		return
	}
	if !p.sent[p.chunk()] {
		p.floats = false // its client waits in the air
		return
	}
	x = min(max(x, -maxHorizontal), maxHorizontal)
	y = min(max(y, -maxVertical), maxVertical)
	z = min(max(z, -maxHorizontal), maxHorizontal)
	p.moves++
	dx, dy, dz := x-p.x, y-p.y, z-p.z
	if dx*dx+dy*dy+dz*dz > maxSpeed*maxSpeed*float64(min(p.moves, maxCounted)) || !p.sent[chunkOf(x, z)] || !g.passes(p, x, y, z) {
		g.place(p)
		return
	}
	p.floats = g.floating(p, x, y, z)
	p.x, p.y, p.z, p.yaw, p.pitch = x, y, z, turned(yaw), min(max(pitch, -90), 90)
	p.onGround = flags&protocol.MoveFlagsOnGround != 0
}

// track shows the player those of the others who are within its chunks.
func (g *Game) track(p *Player) {
	for _, other := range g.players {
		if other == p || !other.joined {
			continue
		}
		visible, has := p.sees(other), p.seen[other.id]
		switch {
		case visible && has == nil:
			g.show(p, other)
		case !visible && has != nil:
			delete(p.seen, other.id)
			p.send(&protocol.RemoveEntities{EntityIDs: []int32{other.id}})
		case visible:
			g.follow(p, other, has)
			g.followLooks(p, other, has)
		}
	}
}

// sees reports whether a player's client has to have another one.
func (p *Player) sees(other *Player) bool {
	if other.in != p.in || !p.sent[other.chunk()] || other.dead() && other.dying >= deathTicks {
		return false
	}
	return other.mode != protocol.GameModeSpectator || p.mode == protocol.GameModeSpectator
}

func (g *Game) show(p, other *Player) {
	kind, ok := registry.Of("minecraft:entity_type", p.version()).ID("minecraft:player")
	if !ok {
		return
	}
	at := seenAt(other)
	p.seen[other.id] = &at
	p.send(&protocol.AddEntity{
		EntityID: other.id, UUID: other.conn.Profile().UUID, Type: kind, X: other.x, Y: other.y, Z: other.z,
		Pitch: at.pitch, Yaw: at.yaw, HeadYaw: at.yaw,
	})
	g.showLooks(p, other, &at)
}

// follow sends how another player moved since last told: relative moves add up
// from what the client has, so that rounding does not.
func (g *Game) follow(p, other *Player, had *seen) {
	at := seenAt(other)
	at.looks = had.looks
	if at == *had {
		return
	}
	dx, dy, dz := at.x-had.x, at.y-had.y, at.z-had.z
	if short(dx) && short(dy) && short(dz) {
		p.send(&protocol.MoveEntityPosRot{
			EntityID: other.id, DX: int16(dx), DY: int16(dy), DZ: int16(dz), Yaw: at.yaw, Pitch: at.pitch, OnGround: other.onGround,
		})
	} else {
		p.send(&protocol.EntityPositionSync{
			EntityID: other.id, X: other.x, Y: other.y, Z: other.z, Yaw: other.yaw, Pitch: other.pitch, OnGround: other.onGround,
		})
	}
	if at.yaw != had.yaw {
		p.send(&protocol.RotateHead{EntityID: other.id, HeadYaw: at.yaw})
	}
	*had = at
}

func seenAt(p *Player) seen {
	return seen{x: fixed(p.x), y: fixed(p.y), z: fixed(p.z), yaw: angle(p.yaw), pitch: angle(p.pitch)}
}

func fixed(v float64) int64 { return int64(math.Round(v * 4096)) }

func short(v int64) bool { return v >= math.MinInt16 && v <= math.MaxInt16 }

// turned is a yaw less whole circles.
func turned(yaw float32) float32 { return float32(math.Mod(float64(yaw), 360)) }

// angle is degrees as 256ths of a turn.
func angle(degrees float32) int8 {
	return int8(uint8(int64(math.Floor(math.Mod(float64(degrees), 360) * 256 / 360))))
}
