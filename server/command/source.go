package command

import (
	"strata/anvil/registry"
	"strata/server/text"
)

// Permission levels, by the game's names.
const (
	LevelAll         = 0
	LevelModerators  = 1
	LevelGamemasters = 2
	LevelAdmins      = 3
	LevelOwners      = 4
)

// Kind is what a Source is.
type Kind uint8

// The kinds of sources.
const (
	FromConsole Kind = iota
	FromPlayer
	FromRCON
)

// Anchor is from where ^ ^ ^ and facing are reckoned.
type Anchor uint8

// The anchors.
const (
	Feet Anchor = iota
	Eyes
)

// Output takes answers.
type Output interface{ Send(text.Component) }

// Source is who runs a command. It is a value: execute makes others of it.
//
// Answers go to Output, unless Silent. A success of a player is shown only with
// the game rule send_command_feedback; then, if Announce is set, operators
// other than the player see it, and with log_admin_commands the console.
type Source struct {
	Kind     Kind
	Output   Output
	Entity   Entity // whom @s means, nil for none
	Name     string
	Display  text.Component
	Level    int
	Place    Place
	Anchor   Anchor
	Silent   bool
	Announce bool
}

// PlayerSource is a player as a source.
func PlayerSource(p Player) *Source {
	return &Source{
		Kind: FromPlayer, Output: p, Entity: p, Name: p.Name(), Display: p.Display(),
		Level: p.OpLevel(), Place: p.Place(), Announce: true,
	}
}

// ConsoleSource is the console as a source. The place is that of the world's
// spawn.
func ConsoleSource(out Output, at Place) *Source {
	return &Source{
		Kind: FromConsole, Output: out, Name: "Server", Display: text.Plain("Server"),
		Level: LevelOwners, Place: at, Announce: true,
	}
}

// RCONSource is a remote console as a source. announce is the setting
// broadcast-rcon-to-ops.
func RCONSource(out Output, at Place, announce bool) *Source {
	return &Source{
		Kind: FromRCON, Output: out, Name: "Rcon", Display: text.Plain("Rcon"),
		Level: LevelOwners, Place: at, Announce: announce,
	}
}

// Player returns the player whom @s means, or nil.
func (s *Source) Player() Player {
	p, _ := s.Entity.(Player)
	return p
}

// anchorPos is the source's position with its anchor.
func (s *Source) anchorPos() Vec3 {
	pos := s.Place.Pos
	if s.Anchor == Eyes && s.Entity != nil {
		_, _, eyes := s.Entity.Size()
		pos.Y += eyes
	}
	return pos
}

// as is the source with another entity and its name.
func (s *Source) as(e Entity) *Source {
	c := *s
	c.Entity, c.Name, c.Display = e, e.Name(), e.Display()
	return &c
}

// at is the source at another place.
func (s *Source) at(p Place) *Source {
	c := *s
	c.Place = p
	return &c
}

// fail sends an error, red.
func (s *Source) fail(c text.Component) {
	if s.Output != nil && !s.Silent {
		s.Output.Send(text.Component{Extra: []text.Component{c}}.WithColor("red"))
	}
}

// rule reads a game rule of the namespace minecraft.
func (h *Host) rule(name string) int32 { return h.Rules.Rule("minecraft:" + name) }

// success sends an answer, and to operators if announce is set.
func (h *Host) success(s *Source, announce bool, c text.Component) {
	if s.Silent {
		return
	}
	feedback := h.rule("send_command_feedback") != 0
	if s.Output != nil && (s.Kind != FromPlayer || feedback) {
		s.Output.Send(c)
	}
	if announce && s.Announce {
		h.announce(s, feedback, c)
	}
}

func (h *Host) announce(s *Source, feedback bool, c text.Component) {
	line := text.Key("chat.type.admin", s.Display, c).WithColor("gray").WithItalic()
	if feedback {
		for _, p := range h.Entities.Players() {
			if p.OpLevel() > 0 && Output(p) != s.Output {
				p.Send(line)
			}
		}
	}
	if h.Log != nil && s.Kind != FromConsole && h.rule("log_admin_commands") != 0 {
		h.Log(line)
	}
}

// native is the version whose names the server uses.
const native = registry.V26_2
