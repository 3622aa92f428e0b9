package client

import (
	"math"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// Entity is another player or creature.
type Entity struct {
	ID   int32
	UUID protocol.UUID
	Type string // name in the registry, "" for a number that it does not have
	// Position is in blocks and degrees; moves are told in 1/4096 of a block and
	// turns in 1/256 of a circle.
	Position
	HeadYaw  float32
	OnGround bool
}

// keepEntities keeps what is about others, and reports whether it was that.
func (c *Client) keepEntities(p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.AddEntity:
		name, _ := registry.Of("minecraft:entity_type", c.Version()).Name(p.Type)
		c.Entities[p.EntityID] = &Entity{
			ID: p.EntityID, UUID: p.UUID, Type: name, HeadYaw: degrees(p.HeadYaw),
			Position: Position{p.X, p.Y, p.Z, degrees(p.Yaw), degrees(p.Pitch)},
		}
	case *protocol.RemoveEntities:
		for _, id := range p.EntityIDs {
			delete(c.Entities, id)
		}
	case *protocol.MoveEntityPos:
		c.moved(p.EntityID, p.DX, p.DY, p.DZ, p.OnGround)
	case *protocol.MoveEntityPosRot:
		c.moved(p.EntityID, p.DX, p.DY, p.DZ, p.OnGround)
		c.turned(p.EntityID, p.Yaw, p.Pitch)
	case *protocol.MoveEntityRot:
		c.turned(p.EntityID, p.Yaw, p.Pitch)
	case *protocol.RotateHead:
		if e := c.Entities[p.EntityID]; e != nil {
			e.HeadYaw = degrees(p.HeadYaw)
		}
	case *protocol.EntityPositionSync:
		if e := c.Entities[p.EntityID]; e != nil {
			e.Position, e.OnGround = Position{p.X, p.Y, p.Z, p.Yaw, p.Pitch}, p.OnGround
		}
	default:
		return false
	}
	return true
}

func (c *Client) moved(id int32, dx, dy, dz int16, onGround bool) {
	e := c.Entities[id]
	if e == nil {
		return
	}
	e.X, e.Y, e.Z, e.OnGround = shifted(e.X, dx), shifted(e.Y, dy), shifted(e.Z, dz), onGround
}

// shifted is a coordinate after a move: the game's client rounds where something
// was to the unit of moves first, so that many moves add up to no error.
func shifted(v float64, d int16) float64 { return (math.Round(v*4096) + float64(d)) / 4096 }

func (c *Client) turned(id int32, yaw, pitch int8) {
	if e := c.Entities[id]; e != nil {
		e.Yaw, e.Pitch = degrees(yaw), degrees(pitch)
	}
}

// degrees are those of 256ths of a circle.
func degrees(angle int8) float32 { return float32(angle) * 360 / 256 }
