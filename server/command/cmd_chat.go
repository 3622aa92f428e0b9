package command

import "strata/server/text"

func sayCommand(*node) []*node {
	return one(literal("say",
		arg("message", messageArg{}).does(func(c *Context) (int, error) {
			c.h.Chat.Say("minecraft:say_command", c.src.Display, c.message("message"), nil, nil)
			return 1, nil
		}),
	).needs(LevelGamemasters))
}

func meCommand(*node) []*node {
	return one(literal("me",
		arg("action", messageArg{}).does(func(c *Context) (int, error) {
			c.h.Chat.Say("minecraft:emote_command", c.src.Display, c.message("action"), nil, nil)
			return 1, nil
		}),
	))
}

func msgCommand(*node) []*node {
	msg := literal("msg",
		arg("targets", playersMany,
			arg("message", messageArg{}).does(func(c *Context) (int, error) {
				players, err := c.players("targets")
				if err != nil {
					return 0, err
				}
				m := c.message("message")
				for _, p := range players {
					to := p.Display()
					if sender := c.src.Player(); sender != nil {
						c.h.Chat.Say("minecraft:msg_command_outgoing", c.src.Display, m, &to, sender)
					} else if c.src.Output != nil {
						c.src.Output.Send(text.Key("commands.message.display.outgoing", to, m))
					}
					c.h.Chat.Say("minecraft:msg_command_incoming", c.src.Display, m, nil, p)
				}
				return len(players), nil
			}),
		),
	)
	return []*node{msg, alias("tell", msg), alias("w", msg)}
}

func tellrawCommand(*node) []*node {
	return one(literal("tellraw",
		arg("targets", playersMany,
			arg("message", componentArg{}).does(func(c *Context) (int, error) {
				players, err := c.players("targets")
				if err != nil {
					return 0, err
				}
				for _, p := range players {
					p.Send(get[text.Component](c, "message"))
				}
				return len(players), nil
			}),
		),
	).needs(LevelGamemasters))
}

func titleCommand(*node) []*node {
	// title gives all players what t makes of the arguments.
	title := func(key string, t func(*Context) Title) func(*Context) (int, error) {
		return func(c *Context) (int, error) {
			players, err := c.players("targets")
			if err != nil {
				return 0, err
			}
			for _, p := range players {
				p.Title(t(c))
			}
			return report(c, "commands.title."+key, players)
		}
	}
	shown := func(name, key string, kind TitleKind) *node {
		return literal(name, arg("title", componentArg{}).does(title("show."+key, func(c *Context) Title {
			return Title{Kind: kind, Text: get[text.Component](c, "title")}
		})))
	}
	plain := func(name, key string, kind TitleKind) *node {
		return literal(name).does(title(key, func(*Context) Title { return Title{Kind: kind} }))
	}
	return one(literal("title",
		arg("targets", playersMany,
			plain("clear", "cleared", TitleClear),
			plain("reset", "reset", TitleReset),
			shown("title", "title", TitleMain),
			shown("subtitle", "subtitle", TitleSubtitle),
			shown("actionbar", "actionbar", TitleActionBar),
			literal("times", arg("fadeIn", timeArg{}, arg("stay", timeArg{}, arg("fadeOut", timeArg{}).does(
				title("times", func(c *Context) Title {
					return Title{
						Kind: TitleTimes, FadeIn: get[int32](c, "fadeIn"),
						Stay: get[int32](c, "stay"), FadeOut: get[int32](c, "fadeOut"),
					}
				}),
			)))),
		),
	).needs(LevelGamemasters))
}
