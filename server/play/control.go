package play

import (
	"net"

	"strata/anvil/registry"
	"strata/server/inventory"
	"strata/server/item"
	"strata/server/protocol"
	"strata/server/text"
)

// Commands are what players type. All is called on the tick goroutine.
type Commands interface {
	// Run runs what a player typed, without its slash.
	Run(p *Player, line string)
	// Complete completes it.
	Complete(p *Player, q *protocol.CommandSuggestion) *protocol.CommandSuggestions
	// Tree is what a player may type.
	Tree(p *Player) *protocol.Commands
	// Level is a player's permission level.
	Level(p *Player) int
}

// What follows may be called on the tick goroutine alone.

// Online are the players who have joined, in the order of joining.
func (g *Game) Online() []*Player {
	var all []*Player
	for _, p := range g.players {
		if p.joined && !p.gone {
			all = append(all, p)
		}
	}
	return all
}

// UUID returns the player's UUID.
func (p *Player) UUID() protocol.UUID { return p.conn.Profile().UUID }

// Address returns the player's address without its port.
func (p *Player) Address() string {
	host, _, err := net.SplitHostPort(p.conn.RemoteAddr().String())
	if err != nil {
		return p.conn.RemoteAddr().String()
	}
	return host
}

// Version returns the version that the player's client speaks.
func (p *Player) Version() registry.Version { return p.version() }

// Position returns where the player is and looks.
func (p *Player) Position() (x, y, z float64, yaw, pitch float32) {
	return p.x, p.y, p.z, p.yaw, p.pitch
}

// Dimension returns the id of the dimension that the player is in.
func (p *Player) Dimension() string { return p.in.ID() }

// GameMode returns the player's game mode.
func (p *Player) GameMode() protocol.GameMode { return p.mode }

// Items are what the player carries.
func (p *Player) Items() *inventory.Player { return &p.items }

// Give gives a player items; what finds no room is thrown.
func (g *Game) Give(p *Player, s item.Stack) { g.throw(p, p.items.Add(s)) }

// Tell shows a message to the player.
func (p *Player) Tell(c text.Component) { p.send(&protocol.SystemChat{Content: c.NBT()}) }

// Send sends a packet to the player.
func (p *Player) Send(packet protocol.Packet) { p.send(packet) }

// SetGameMode gives a player a game mode, and reports whether it is another one.
func (g *Game) SetGameMode(p *Player, mode protocol.GameMode) bool {
	if p.mode == mode {
		return false
	}
	p.mode = mode
	p.send(&protocol.GameEvent{Event: protocol.GameEventKindChangeGameMode, Value: float32(mode)})
	g.sendAbilities(p)
	g.broadcast(&protocol.PlayerInfoUpdate{Actions: protocol.UpdateGameMode, Players: []protocol.PlayerInfo{g.infoOf(p)}})
	return true
}

// Announce shows a message to all.
func (g *Game) Announce(c text.Component) { g.broadcast(&protocol.SystemChat{Content: c.NBT()}) }

// Say shows what somebody says to a player, or to all. kind is a name of the
// registry of chat types, which says how it looks; target is whom it is to, for
// kinds that name them.
func (g *Game) Say(kind string, from, message text.Component, target *text.Component, to *Player) {
	for _, p := range g.Online() {
		if to != nil && p != to {
			continue
		}
		id, ok := registry.Of("minecraft:chat_type", p.version()).ID(kind)
		if !ok {
			continue
		}
		packet := &protocol.DisguisedChat{Message: message.NBT(), Type: protocol.Holder[protocol.ChatType]{ID: id}, Name: from.NBT()}
		if target != nil {
			packet.Target = protocol.Optional[protocol.NBT]{Value: target.NBT(), Present: true}
		}
		p.send(packet)
	}
}

// Display is a player's name in messages: a click on it begins one to the player.
func (p *Player) Display() text.Component {
	name := text.Plain(p.Name())
	return name.WithClick("suggest_command", "/tell "+p.Name()+" ").WithInsertion(p.Name()).
		WithHover(text.Hover{Entity: "minecraft:player", UUID: p.UUID(), Name: &name})
}

// Refresh tells a player of another permission level than before.
func (g *Game) Refresh(p *Player) {
	if g.options.Commands == nil {
		return
	}
	p.send(&protocol.EntityEvent{EntityID: p.id, Event: opLevel0 + int8(g.options.Commands.Level(p))})
	p.send(g.options.Commands.Tree(p))
}
