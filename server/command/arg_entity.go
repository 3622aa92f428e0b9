package command

import (
	"strings"

	"strata/server/protocol"
	"strata/server/text"
)

// entityArg is entities: one or any number, of all kinds or players.
type entityArg struct{ single, players bool }

var (
	entityOne   = entityArg{single: true}
	entityMany  = entityArg{}
	playerOne   = entityArg{single: true, players: true}
	playersMany = entityArg{players: true}
)

func (a entityArg) parse(r *reader, s *Source) (any, error) {
	sel, err := r.selector(s)
	if err != nil {
		return nil, err
	}
	switch {
	case a.single && !sel.single() && a.players:
		return nil, r.failAt(0, "argument.player.toomany")
	case a.single && !sel.single():
		return nil, r.failAt(0, "argument.entity.toomany")
	case a.players && !sel.players && !sel.self:
		return nil, r.failAt(0, "argument.player.entities")
	}
	return sel, nil
}

func (a entityArg) suggest(b *builder) {
	suggestPlayers(b)
	if b.src.Level < LevelGamemasters {
		return
	}
	if strings.HasPrefix(b.rest(), "@") && strings.Contains(b.rest(), "[") {
		if !strings.Contains(b.rest(), "]") {
			suggestOptions(b)
		}
		return
	}
	for _, s := range [...]struct{ name, key string }{
		{"@p", "nearestPlayer"}, {"@a", "allPlayers"}, {"@r", "randomPlayer"},
		{"@s", "self"}, {"@e", "allEntities"}, {"@n", "nearestEntity"},
	} {
		b.addTip(s.name, text.Key("argument.entity.selector."+s.key))
	}
}

func suggestPlayers(b *builder) {
	for _, p := range b.h.Entities.Players() {
		b.add(p.Name())
	}
}

func (a entityArg) describe(n *protocol.CommandNode) {
	n.Parser = protocol.ParserEntity
	n.Properties.Single, n.Properties.PlayersOnly = a.single, a.players
}

// entities returns who is selected, at least one.
func (c *Context) entities(name string) ([]Entity, error) {
	found := c.optionalEntities(name)
	if len(found) == 0 {
		return nil, failed("argument.entity.notfound.entity")
	}
	return found, nil
}

// optionalEntities is entities that may be none.
func (c *Context) optionalEntities(name string) []Entity {
	return get[*selector](c, name).find(c.h, c.src)
}

// entity returns who is selected, who is one.
func (c *Context) entity(name string) (Entity, error) {
	found, err := c.entities(name)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// players returns who is selected, at least one.
func (c *Context) players(name string) ([]Player, error) {
	var players []Player
	for _, e := range c.optionalEntities(name) {
		if p, ok := e.(Player); ok {
			players = append(players, p)
		}
	}
	if len(players) == 0 {
		return nil, failed("argument.entity.notfound.player")
	}
	return players, nil
}

// player returns the player who runs the command.
func (c *Context) player() (Player, error) {
	if p := c.src.Player(); p != nil {
		return p, nil
	}
	return nil, failed("permissions.requires.player")
}

// profileArg is players who may not be there: by name, UUID or selector.
type profileArg struct{}

// profiles is what was typed.
type profiles struct {
	name string
	sel  *selector
}

func (profileArg) parse(r *reader, s *Source) (any, error) {
	if r.peek() != '@' {
		return profiles{name: r.argument()}, nil
	}
	sel, err := r.selector(s)
	if err != nil {
		return nil, err
	}
	if !sel.players && !sel.self {
		return nil, r.failAt(0, "argument.player.entities")
	}
	return profiles{sel: sel}, nil
}

func (profileArg) suggest(b *builder) { entityArg{players: true}.suggest(b) }

func (profileArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserGameProfile }

// profiles returns who is meant, at least one.
func (c *Context) profiles(name string) ([]Profile, error) {
	p := get[profiles](c, name)
	if p.sel == nil {
		profile, ok := c.h.Access.Lookup(p.name)
		if !ok {
			return nil, failed("argument.player.unknown")
		}
		return []Profile{profile}, nil
	}
	var list []Profile
	for _, e := range p.sel.find(c.h, c.src) {
		if _, ok := e.(Player); ok {
			list = append(list, Profile{UUID: e.UUID(), Name: e.Name()})
		}
	}
	if len(list) == 0 {
		return nil, failed("argument.entity.notfound.player")
	}
	return list, nil
}
