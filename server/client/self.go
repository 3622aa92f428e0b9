package client

import (
	"strata/nbt"
	"strata/server/protocol"
	"strata/server/text"
)

// keptLines is how much of the chat is kept.
const keptLines = 1000

// keepSelf keeps what is about the player, and reports whether it was that.
func (c *Client) keepSelf(p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.SetHealth:
		c.Health, c.Food = p.Health, p.Food
	case *protocol.SetTime:
		c.Time = p.GameTime
	case *protocol.GameEvent:
		if p.Event == protocol.GameEventKindChangeGameMode {
			c.GameMode = protocol.GameMode(p.Value)
		}
	case *protocol.BlockChangedAck:
		c.Acknowledged = max(c.Acknowledged, p.SequenceID)
	case *protocol.SystemChat:
		if !p.Overlay {
			c.hear(textOf(p.Content))
		}
	case *protocol.DisguisedChat:
		c.hear("<" + textOf(p.Name) + "> " + textOf(p.Message))
	case *protocol.PlayerChat:
		c.hear("<" + textOf(p.NetworkName) + "> " + p.PlainMessage)
	case *protocol.PlayerInfoUpdate:
		for _, info := range p.Players {
			if p.Actions&protocol.AddPlayer != 0 {
				c.Players[info.UUID] = info.Name
			}
		}
	case *protocol.PlayerInfoRemove:
		for _, id := range p.Players {
			delete(c.Players, id)
		}
	default:
		return false
	}
	return true
}

func (c *Client) hear(line string) {
	if len(c.Chat) >= keptLines {
		c.Chat = append(c.Chat[:0], c.Chat[len(c.Chat)-keptLines+1:]...)
	}
	c.Chat = append(c.Chat, line)
}

// setPosition moves the player as the server says; flags name what is added to
// what was.
func (c *Client) setPosition(p *protocol.PlayerPosition) {
	was := c.Position
	c.Position = Position{p.X, p.Y, p.Z, p.Yaw, p.Pitch}
	if p.Flags&protocol.RelativesX != 0 {
		c.Position.X += was.X
	}
	if p.Flags&protocol.RelativesY != 0 {
		c.Position.Y += was.Y
	}
	if p.Flags&protocol.RelativesZ != 0 {
		c.Position.Z += was.Z
	}
	if p.Flags&protocol.RelativesYaw != 0 {
		c.Position.Yaw += was.Yaw
	}
	if p.Flags&protocol.RelativesPitch != 0 {
		c.Position.Pitch += was.Pitch
	}
	c.Teleports++
	c.TeleportID = p.TeleportID
}

// textOf is a text component in plain English; what is none is shown as "".
func textOf(document protocol.NBT) string {
	if len(document) == 0 {
		return ""
	}
	component, err := text.Parse(nbt.Raw{Type: nbt.Type(document[0]), Data: document[1:]})
	if err != nil {
		return ""
	}
	return component.String()
}
