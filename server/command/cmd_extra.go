package command

import (
	"math"

	"strata/server/text"
)

func locateCommand(*node) []*node {
	structure := resourceOrTagArg("minecraft:worldgen/structure")
	structure.key = true
	return one(literal("locate",
		literal("biome", arg("biome", resourceOrTagArg("minecraft:worldgen/biome")).does(func(c *Context) (int, error) {
			want := get[entries](c, "biome")
			from := c.src.Place.Pos.Block()
			c.h.Locator.Biome(c.src.Place.Dimension, from, want.has, c.located("biome", want, from))
			return 1, nil
		})),
		literal("structure", arg("structure", structure).does(func(c *Context) (int, error) {
			want := get[entries](c, "structure")
			_, known := want.reg.ID(want.name)
			if !known && want.tag == nil {
				return 0, failed("commands.locate.structure.invalid", text.Plain(want.name))
			}
			from := c.src.Place.Pos.Block()
			c.h.Locator.Structure(c.src.Place.Dimension, from, want.has, c.located("structure", want, from))
			return 1, nil
		})),
	).needs(LevelGamemasters))
}

// located answers when something has been looked for. Structures are found in
// the plane, biomes in all three directions.
func (c *Context) located(kind string, want entries, from BlockPos) func(string, BlockPos, bool) {
	return func(name string, at BlockPos, found bool) {
		if !found {
			c.src.fail(text.Key("commands.locate."+kind+".not_found", text.Plain(want.name)))
			return
		}
		if want.name != name {
			name = want.name + " (" + name + ")"
		}
		d := sub(at, from)
		if kind == "structure" {
			d.Y = 0
		}
		distance := Vec3{}.Distance(Vec3{float64(d.X), float64(d.Y), float64(d.Z)})
		c.h.success(c.src, false, text.Key("commands.locate."+kind+".success", text.Plain(name),
			coordinatesText(at, kind == "structure"), number(floorInt(distance))))
	}
}

// defaultEffectSeconds is how long an effect lasts if nothing is said.
const defaultEffectSeconds = 30

func effectCommand(*node) []*node {
	tail := func(n *node, seconds func(*Context) int32) *node {
		give := func(c *Context) (int, error) { return giveEffect(c, seconds(c)) }
		return n.then(
			arg("amplifier", intArg{0, 255},
				arg("hideParticles", boolArg{}).does(give),
			).does(give),
		).does(give)
	}
	effect := resourceArg("minecraft:mob_effect")
	clearAll := func(c *Context, targets []Entity) (int, error) {
		return removeEffects(c, targets, "commands.effect.clear.everything", c.h.Effects.Clear)
	}
	return one(literal("effect",
		literal("clear",
			arg("targets", entityMany,
				arg("effect", effect).does(func(c *Context) (int, error) {
					targets, err := c.entities("targets")
					if err != nil {
						return 0, err
					}
					name := get[entries](c, "effect").name
					return removeEffects(c, targets, "commands.effect.clear.specific",
						func(e Entity) bool { return c.h.Effects.Remove(e, name) }, named("effect", name))
				}),
			).does(func(c *Context) (int, error) {
				targets, err := c.entities("targets")
				if err != nil {
					return 0, err
				}
				return clearAll(c, targets)
			}),
		).does(func(c *Context) (int, error) {
			if c.src.Entity == nil {
				return 0, failed("permissions.requires.entity")
			}
			return clearAll(c, []Entity{c.src.Entity})
		}),
		literal("give", arg("targets", entityMany,
			arg("effect", effect,
				tail(arg("seconds", intArg{1, 1000000}), func(c *Context) int32 { return get[int32](c, "seconds") }),
				tail(literal("infinite"), func(*Context) int32 { return -1 }),
			).does(func(c *Context) (int, error) { return giveEffect(c, 0) }),
		)),
	).needs(LevelGamemasters))
}

// instant reports whether an effect acts once.
func instant(name string) bool {
	return name == "minecraft:instant_health" || name == "minecraft:instant_damage" || name == "minecraft:saturation"
}

// giveEffect gives an effect for some seconds: 0 is the usual time, -1 is
// without end. Seconds of effects that act once are ticks.
func giveEffect(c *Context, seconds int32) (int, error) {
	targets, err := c.entities("targets")
	if err != nil {
		return 0, err
	}
	name := get[entries](c, "effect").name
	e := Effect{
		Name: name, Ticks: seconds * 20,
		Amplifier: int(given(c, "amplifier", int32(0))), Particles: !given(c, "hideParticles", false),
	}
	switch {
	case seconds < 0:
		e.Ticks = -1
	case seconds == 0 && instant(name):
		e.Ticks = 1
	case seconds == 0:
		e.Ticks = defaultEffectSeconds * 20
	case instant(name):
		e.Ticks = seconds
	}
	var done []Entity
	for _, t := range targets {
		if c.h.Effects.Give(t, e) {
			done = append(done, t)
		}
	}
	if len(done) == 0 {
		return 0, failed("commands.effect.give.failed")
	}
	return reportLast(c, "commands.effect.give.success", done, named("effect", name))
}

func removeEffects(c *Context, targets []Entity, key string, remove func(Entity) bool, what ...text.Component) (int, error) {
	var done []Entity
	for _, t := range targets {
		if remove(t) {
			done = append(done, t)
		}
	}
	if len(done) == 0 {
		return 0, failed(key + ".failed")
	}
	return reportLast(c, key+".success", done, what...)
}

func experienceCommand(*node) []*node {
	many := func(run func(*Context, []Player, int) (int, error)) func(*Context) (int, error) {
		return func(c *Context) (int, error) {
			players, err := c.players("target")
			if err != nil {
				return 0, err
			}
			return run(c, players, int(get[int32](c, "amount")))
		}
	}
	change := func(key string, set func(Player, int)) func(*Context) (int, error) {
		return many(func(c *Context, players []Player, n int) (int, error) {
			for _, p := range players {
				set(p, n)
			}
			return reportLast(c, "commands.experience."+key+".success", players, number(n))
		})
	}
	query := func(key string, of func(Player) int) func(*Context) (int, error) {
		return func(c *Context) (int, error) {
			players, err := c.players("target")
			if err != nil {
				return 0, err
			}
			n := of(players[0])
			return c.tell(n, "commands.experience.query."+key, players[0].Display(), number(n))
		}
	}
	addPoints, addLevels := change("add.points", Player.AddPoints), change("add.levels", Player.AddLevels)
	setLevels := change("set.levels", Player.SetLevels)
	xp := literal("experience",
		literal("add", arg("target", playersMany, arg("amount", anyInt,
			literal("points").does(addPoints),
			literal("levels").does(addLevels),
		).does(addPoints))),
		literal("set", arg("target", playersMany, arg("amount", atLeast(0),
			literal("points").does(many(setPoints)),
			literal("levels").does(setLevels),
		).does(many(setPoints)))),
		literal("query", arg("target", playerOne,
			literal("points").does(query("points", func(p Player) int { _, n := p.Experience(); return n })),
			literal("levels").does(query("levels", func(p Player) int { n, _ := p.Experience(); return n })),
		)),
	).needs(LevelGamemasters)
	return []*node{xp, alias("xp", xp)}
}

// pointsFor is how many points lead from a level to the next.
func pointsFor(level int) int {
	switch {
	case level >= 30:
		return 112 + (min(level, math.MaxInt32/16)-30)*9
	case level >= 15:
		return 37 + (level-15)*5
	}
	return 7 + level*2
}

func setPoints(c *Context, players []Player, n int) (int, error) {
	var done []Player
	for _, p := range players {
		if level, _ := p.Experience(); n < pointsFor(level) {
			p.SetPoints(n)
			done = append(done, p)
		}
	}
	if len(done) == 0 {
		return 0, failed("commands.experience.set.points.invalid")
	}
	if _, err := reportLast(c, "commands.experience.set.points.success", players, number(n)); err != nil {
		return 0, err
	}
	return len(done), nil
}
