package server

import (
	"runtime/metrics"

	"strata/server/command"
	"strata/server/inventory"
	"strata/server/item"
	"strata/server/play"
	"strata/server/protocol"
	"strata/server/text"
)

// host is what commands work on. All of it belongs to the tick goroutine.
type host struct{ s *Server }

func (s *Server) newHost() (*host, *command.Host) {
	h := &host{s: s}
	out := &command.Host{
		Entities: h, Rules: h, Worlds: h, Settings: h, Chat: h, Life: h, Clocks: h, Memory: h, Pregen: hostPregen{s},
		Without: without,
		Log:     func(c text.Component) { s.options.Log.Info(c.String()) },
	}
	if s.options.Backups != nil {
		out.Backup = &hostBackup{s: s}
	}
	out.Ticks = h
	if s.options.Access != nil {
		out.Access = hostAccess{s.options.Access, s}
	}
	return h, out
}

// Players implements command.Entities.
func (h *host) Players() []command.Player {
	online := h.s.game.Online()
	all := make([]command.Player, len(online))
	for i, p := range online {
		all[i] = hostPlayer{h, p}
	}
	return all
}

// MaxPlayers implements command.Entities.
func (h *host) MaxPlayers() int { return h.s.options.MaxPlayers }

// Say implements command.Chat.
func (h *host) Say(kind string, from, message text.Component, target *text.Component, to command.Player) {
	if to == nil {
		h.s.options.Log.Info("[Not Secure] [" + from.String() + "] " + message.String())
		h.s.game.Say(kind, from, message, target, nil)
		return
	}
	if p, ok := to.(hostPlayer); ok {
		h.s.game.Say(kind, from, message, target, p.p)
	}
}

// Save implements command.Life.
func (h *host) Save(_ bool, done func(error)) {
	h.s.saving.Go(func() {
		err := h.s.store.Barrier(h.s.context)
		h.s.later(func() { done(err) })
	})
}

// Autosave implements command.Life.
func (h *host) Autosave() bool { return !h.s.saveOff }

// SetAutosave implements command.Life.
func (h *host) SetAutosave(on bool) {
	h.s.saveOff = !on
	h.s.store.SetAutosave(on)
}

// Stop implements command.Life.
func (h *host) Stop() { h.s.stop() }

// Memory implements command.Memory.
func (h *host) Memory() (heap, system, limit uint64) {
	samples := [...]metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples[:])
	return samples[0].Value.Uint64(), samples[1].Value.Uint64() - samples[2].Value.Uint64(), uint64(h.s.memory.limit)
}

// hostPlayer is a player as commands have one.
type hostPlayer struct {
	h *host
	p *play.Player
}

func (p hostPlayer) UUID() protocol.UUID     { return p.p.UUID() }
func (p hostPlayer) Type() string            { return "minecraft:player" }
func (p hostPlayer) Name() string            { return p.p.Name() }
func (p hostPlayer) Display() text.Component { return p.p.Display() }

func (p hostPlayer) Place() command.Place {
	x, y, z, yaw, pitch := p.p.Position()
	return command.Place{
		Dimension: p.p.Dimension(), Pos: command.Vec3{X: x, Y: y, Z: z}, Rotation: command.Rotation{Yaw: yaw, Pitch: pitch},
	}
}

// Size is that of a standing player.
func (p hostPlayer) Size() (width, height, eyes float64) { return 0.6, 1.8, 1.62 }

func (p hostPlayer) Tags() []string { return nil }

func (p hostPlayer) Teleport(to command.Place) bool {
	return p.h.s.game.Teleport(p.p, to.Dimension, to.Pos.X, to.Pos.Y, to.Pos.Z, to.Rotation.Yaw, to.Rotation.Pitch)
}

func (p hostPlayer) Send(c text.Component) { p.p.Tell(c) }
func (p hostPlayer) OpLevel() int          { return p.h.s.opLevel(p.p) }
func (p hostPlayer) Address() string       { return p.p.Address() }

func (p hostPlayer) GameMode() command.GameMode { return command.GameMode(p.p.GameMode()) }

func (p hostPlayer) SetGameMode(m command.GameMode) bool {
	return p.h.s.game.SetGameMode(p.p, protocol.GameMode(m))
}

// Title implements command.Player.
func (p hostPlayer) Title(t command.Title) {
	switch t.Kind {
	case command.TitleClear, command.TitleReset:
		p.p.Send(&protocol.ClearTitles{Reset: t.Kind == command.TitleReset})
	case command.TitleMain:
		p.p.Send(&protocol.SetTitleText{Text: t.Text.NBT()})
	case command.TitleSubtitle:
		p.p.Send(&protocol.SetSubtitleText{Text: t.Text.NBT()})
	case command.TitleActionBar:
		p.p.Send(&protocol.SetActionBarText{Text: t.Text.NBT()})
	case command.TitleTimes:
		p.p.Send(&protocol.SetTitlesAnimation{FadeIn: t.FadeIn, Stay: t.Stay, FadeOut: t.FadeOut})
	}
}

// Transfer implements command.Player.
func (p hostPlayer) Transfer(host string, port int) {
	p.p.Send(&protocol.Transfer{Host: host, Port: int32(port)})
}

// Disconnect implements command.Player.
func (p hostPlayer) Disconnect(reason text.Component) { p.h.s.game.Kick(p.p, reason.NBT()) }

// Give implements command.Player.
func (p hostPlayer) Give(s item.Stack) { p.h.s.game.Give(p.p, s) }

// Clear implements command.Player.
func (p hostPlayer) Clear(match func(item.Stack) bool, limit int) int {
	items, cleared := p.p.Items(), 0
	for i := range items.Len() {
		s := items.Get(i)
		if s.Empty() || !match(s) {
			continue
		}
		n := int(s.Count)
		if limit > 0 {
			n = min(n, limit-cleared)
		}
		cleared += n
		if limit != 0 && n > 0 {
			items.Set(i, s.WithCount(s.Count-int32(n)))
		}
	}
	return cleared
}

// Slots of a player in the numbering of commands.
const (
	commandMainHand = 98
	commandOffhand  = 99
	commandFeet     = 100
	commandHead     = 103
)

// SetSlot implements command.Player, for what a player carries and wears.
func (p hostPlayer) SetSlot(slot int, s item.Stack) bool {
	items := p.p.Items()
	switch {
	case 0 <= slot && slot < inventory.StorageSize:
		items.Set(slot, s)
	case slot == commandMainHand:
		items.SetInHand(s)
	case slot == commandOffhand:
		items.Set(inventory.Offhand, s)
	case commandFeet <= slot && slot <= commandHead:
		items.Set(inventory.Feet+slot-commandFeet, s)
	default:
		return false
	}
	return true
}

// without are the commands that have nothing to work on yet: what follows is
// never called.
var without = []string{"setidletimeout"}

func (p hostPlayer) Kill() { p.h.s.game.Kill(p.p) }

func (p hostPlayer) Experience() (levels, points int) { return p.p.Experience() }

func (p hostPlayer) SetLevels(n int) {
	_, points := p.p.Experience()
	p.h.s.game.SetExperience(p.p, n, points)
}

func (p hostPlayer) SetPoints(n int) {
	levels, _ := p.p.Experience()
	p.h.s.game.SetExperience(p.p, levels, n)
}

func (p hostPlayer) AddLevels(n int) {
	levels, points := p.p.Experience()
	p.h.s.game.SetExperience(p.p, levels+n, points)
}

func (p hostPlayer) AddPoints(n int) { p.h.s.game.AddPoints(p.p, n) }

func (p hostPlayer) SetSpawn(dimension string, pos command.BlockPos, r command.Rotation) {
	p.h.s.game.SetSpawn(p.p, dimension, pos, r.Yaw, r.Pitch)
}
