package command

import (
	"strings"

	"strata/server/text"
)

func listCommand(*node) []*node {
	list := func(c *Context, show func(Player) text.Component) (int, error) {
		players := c.h.Entities.Players()
		parts := make([]text.Component, len(players))
		for i, p := range players {
			parts[i] = show(p)
		}
		return c.tell(len(players), "commands.list.players", number(len(players)),
			number(c.h.Entities.MaxPlayers()), text.Join(text.Plain(", "), parts...))
	}
	return one(literal("list",
		literal("uuids").does(func(c *Context) (int, error) {
			return list(c, func(p Player) text.Component {
				return text.Key("commands.list.nameAndId", text.Plain(p.Name()), text.Plain(p.UUID().String()))
			})
		}),
	).does(func(c *Context) (int, error) {
		return list(c, func(p Player) text.Component { return p.Display() })
	}))
}

func modeName(m GameMode) text.Component {
	if m < Survival || m > Spectator {
		m = Survival
	}
	return text.Key("gameMode." + gameModeNames[m])
}

func gameModeCommand(*node) []*node {
	return one(literal("gamemode",
		arg("gamemode", gameModeArg,
			arg("target", playersMany).does(func(c *Context) (int, error) {
				players, err := c.players("target")
				if err != nil {
					return 0, err
				}
				return setGameModes(c, players)
			}),
		).does(func(c *Context) (int, error) {
			p, err := c.player()
			if err != nil {
				return 0, err
			}
			return setGameModes(c, []Player{p})
		}),
	).needs(LevelGamemasters))
}

func setGameModes(c *Context, players []Player) (int, error) {
	mode := GameMode(get[int](c, "gamemode"))
	changed := 0
	for _, p := range players {
		if !p.SetGameMode(mode) {
			continue
		}
		changed++
		if Entity(p) == c.src.Entity {
			c.h.success(c.src, true, text.Key("commands.gamemode.success.self", modeName(mode)))
			continue
		}
		if c.h.rule("send_command_feedback") != 0 {
			p.Send(text.Key("gameMode.changed", modeName(mode)))
		}
		c.h.success(c.src, true, text.Key("commands.gamemode.success.other", p.Display(), modeName(mode)))
	}
	return changed, nil
}

func killCommand(*node) []*node {
	kill := func(c *Context, targets []Entity) (int, error) {
		for _, e := range targets {
			e.Kill()
		}
		return report(c, "commands.kill.success", targets)
	}
	return one(literal("kill",
		arg("targets", entityMany).does(func(c *Context) (int, error) {
			targets, err := c.entities("targets")
			if err != nil {
				return 0, err
			}
			return kill(c, targets)
		}),
	).needs(LevelGamemasters).does(func(c *Context) (int, error) {
		if c.src.Entity == nil {
			return 0, failed("permissions.requires.entity")
		}
		return kill(c, []Entity{c.src.Entity})
	}))
}

// report answers for one target with its name, for several with their number,
// before or behind other arguments: key is without ".single" and ".multiple".
func report[E Entity](c *Context, key string, targets []E, behind ...text.Component) (int, error) {
	if len(targets) == 1 {
		return c.ok(1, key+".single", append([]text.Component{targets[0].Display()}, behind...)...)
	}
	return c.ok(len(targets), key+".multiple", append([]text.Component{number(len(targets))}, behind...)...)
}

// reportLast is report with the target as the last argument.
func reportLast[E Entity](c *Context, key string, targets []E, before ...text.Component) (int, error) {
	if len(targets) == 1 {
		return c.ok(1, key+".single", append(before, targets[0].Display())...)
	}
	return c.ok(len(targets), key+".multiple", append(before, number(len(targets)))...)
}

func kickCommand(*node) []*node {
	kick := func(c *Context, reason text.Component) (int, error) {
		players, err := c.players("targets")
		if err != nil {
			return 0, err
		}
		for _, p := range players {
			p.Disconnect(reason)
			c.h.success(c.src, true, text.Key("commands.kick.success", p.Display(), reason))
		}
		return len(players), nil
	}
	return one(literal("kick",
		arg("targets", playersMany,
			arg("reason", messageArg{}).does(func(c *Context) (int, error) { return kick(c, c.message("reason")) }),
		).does(func(c *Context) (int, error) { return kick(c, text.Key("multiplayer.disconnect.kicked")) }),
	).needs(LevelAdmins))
}

func transferCommand(*node) []*node {
	transfer := func(c *Context, players []Player) (int, error) {
		host, port := get[string](c, "hostname"), given(c, "port", int32(25565))
		for _, p := range players {
			p.Transfer(host, int(port))
		}
		return report(c, "commands.transfer.success", players, text.Plain(host), number(port))
	}
	self := func(c *Context) (int, error) {
		p, err := c.player()
		if err != nil {
			return 0, err
		}
		return transfer(c, []Player{p})
	}
	return one(literal("transfer",
		arg("hostname", phraseArg,
			arg("port", intArg{1, 65535},
				arg("players", playersMany).does(func(c *Context) (int, error) {
					players, err := c.players("players")
					if err != nil {
						return 0, err
					}
					return transfer(c, players)
				}),
			).does(self),
		).does(self),
	).needs(LevelAdmins))
}

func helpCommand(root *node) []*node {
	show := func(c *Context, n *node, prefix string) int {
		lines := n.usage(c.src.Level, prefix)
		for _, l := range lines {
			c.h.success(c.src, false, text.Plain(l))
		}
		return len(lines)
	}
	return one(literal("help",
		arg("command", greedyArg).does(func(c *Context) (int, error) {
			name, _, _ := strings.Cut(strings.TrimPrefix(get[string](c, "command"), "/"), " ")
			n := root.literals[name]
			if n == nil || n.level > c.src.Level {
				return 0, failed("commands.help.failed")
			}
			return show(c, n, "/"+name), nil
		}),
	).does(func(c *Context) (int, error) {
		total := 0
		for _, n := range root.children {
			if n.level <= c.src.Level {
				line := "/" + n.name
				if n.redirect != nil {
					line += " -> " + n.redirect.name
				} else if use := n.shortUsage(c.src.Level); use != "" {
					line += " " + use
				}
				c.h.success(c.src, false, text.Plain(line))
				total++
			}
		}
		return total, nil
	}))
}

// show is how a node stands in a usage.
func (n *node) show() string {
	if n.arg != nil {
		return "<" + n.name + ">"
	}
	return n.name
}

// shortUsage is the children of a node in one line.
func (n *node) shortUsage(level int) string {
	var parts []string
	for _, c := range n.children {
		if c.level <= level {
			parts = append(parts, c.show())
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case len(parts) == 1 && n.run == nil:
		if more := n.children[0].shortUsage(level); more != "" && n.children[0].redirect == nil {
			return parts[0] + " " + more
		}
		return parts[0]
	case n.run != nil:
		return "[" + strings.Join(parts, "|") + "]"
	}
	return "(" + strings.Join(parts, "|") + ")"
}

// usage is a line for each way on from a node.
func (n *node) usage(level int, prefix string) []string {
	if n.redirect != nil {
		return []string{prefix + " -> " + n.redirect.name}
	}
	var lines []string
	if n.run != nil {
		lines = append(lines, prefix)
	}
	for _, c := range n.children {
		if c.level > level {
			continue
		}
		line := prefix + " " + c.show()
		if more := c.shortUsage(level); more != "" && c.redirect == nil {
			line += " " + more
		}
		lines = append(lines, line)
	}
	return lines
}
