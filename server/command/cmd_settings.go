package command

import (
	"math"
	"strconv"

	"strata/anvil/registry"
	"strata/server/text"
)

var difficultyNames = []string{"peaceful", "easy", "normal", "hard"}

func difficultyCommand(*node) []*node {
	n := literal("difficulty").needs(LevelGamemasters).does(func(c *Context) (int, error) {
		d := min(max(c.h.Settings.Difficulty(), 0), 3)
		return c.tell(d, "commands.difficulty.query", difficultyName(d))
	})
	for i, name := range difficultyNames {
		n.then(literal(name).does(func(c *Context) (int, error) {
			if c.h.Settings.Difficulty() == i {
				return 0, failed("commands.difficulty.failure", text.Plain(name))
			}
			c.h.Settings.SetDifficulty(i)
			return c.ok(0, "commands.difficulty.success", difficultyName(i))
		}))
	}
	return one(n)
}

func difficultyName(d int) text.Component {
	return text.Key("options.difficulty." + difficultyNames[d])
}

func defaultGameModeCommand(*node) []*node {
	return one(literal("defaultgamemode",
		arg("gamemode", gameModeArg).does(func(c *Context) (int, error) {
			mode := GameMode(get[int](c, "gamemode"))
			n := c.h.Settings.SetDefaultGameMode(mode)
			return c.ok(n, "commands.defaultgamemode.success", modeName(mode))
		}),
	).needs(LevelGamemasters))
}

func weatherCommand(*node) []*node {
	n := literal("weather").needs(LevelGamemasters)
	for i, name := range []string{"clear", "rain", "thunder"} {
		set := func(c *Context) (int, error) {
			ticks := given(c, "duration", int32(-1))
			c.h.Settings.SetWeather(Weather(i), ticks)
			return c.ok(int(ticks), "commands.weather.set."+name)
		}
		n.then(literal(name, arg("duration", timeArg{1}).does(set)).does(set))
	}
	return one(n)
}

func seedCommand(*node) []*node {
	return one(literal("seed").needs(LevelGamemasters).does(func(c *Context) (int, error) {
		seed := c.h.Settings.Seed()
		s := strconv.FormatInt(seed, 10)
		tip := text.Key("chat.copy.click")
		shown := text.Brackets(text.Plain(s).WithColor("green").WithClick("copy_to_clipboard", s).
			WithHover(text.Hover{Text: &tip}).WithInsertion(s))
		return c.tell(int(int32(seed)), "commands.seed.success", shown)
	}))
}

func idleTimeoutCommand(*node) []*node {
	return one(literal("setidletimeout",
		arg("minutes", atLeast(0)).does(func(c *Context) (int, error) {
			minutes := int(get[int32](c, "minutes"))
			c.h.Settings.SetIdleTimeout(minutes)
			if minutes == 0 {
				return c.ok(0, "commands.setidletimeout.success.disabled")
			}
			return c.ok(minutes, "commands.setidletimeout.success", number(minutes))
		}),
	).needs(LevelAdmins))
}

// gameRuleCommand has a literal for each rule, with and without its namespace.
func gameRuleCommand(*node) []*node {
	n := literal("gamerule").needs(LevelGamemasters)
	for _, rule := range registry.GameRules(native) {
		short := rule.Name[len("minecraft:"):]
		for _, name := range []string{short, rule.Name} {
			n.then(literal(name, ruleValue(rule, short)).does(func(c *Context) (int, error) {
				v := c.h.Rules.Rule(rule.Name)
				return c.tell(int(v), "commands.gamerule.query", text.Plain(short), ruleText(rule, v))
			}))
		}
	}
	return one(n)
}

func ruleText(rule registry.GameRule, v int32) text.Component {
	if rule.Bool {
		return text.Plain(strconv.FormatBool(v != 0))
	}
	return number(v)
}

func ruleValue(rule registry.GameRule, short string) *node {
	set := func(c *Context, v int32) (int, error) {
		c.h.Rules.SetRule(rule.Name, v)
		return c.ok(int(v), "commands.gamerule.set", text.Plain(short), ruleText(rule, v))
	}
	if rule.Bool {
		return arg("value", boolArg{}).does(func(c *Context) (int, error) {
			return set(c, int32(yes(get[bool](c, "value"))))
		})
	}
	low, high := rule.Min, rule.Max
	if low == 0 && high == 0 {
		low, high = math.MinInt32, math.MaxInt32
	}
	return arg("value", intArg{low, high}).does(func(c *Context) (int, error) { return set(c, get[int32](c, "value")) })
}
