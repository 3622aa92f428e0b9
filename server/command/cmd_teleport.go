package command

import (
	"strconv"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/text"
)

// decimal is a coordinate as the game shows it in messages.
func decimal(f float64) text.Component { return text.Plain(strconv.FormatFloat(f, 'f', 6, 64)) }

func teleportCommand(*node) []*node {
	self := func(run func(*Context, []Entity) (int, error)) func(*Context) (int, error) {
		return func(c *Context) (int, error) {
			if c.src.Entity == nil {
				return 0, failed("permissions.requires.entity")
			}
			return run(c, []Entity{c.src.Entity})
		}
	}
	targets := func(run func(*Context, []Entity) (int, error)) func(*Context) (int, error) {
		return func(c *Context) (int, error) {
			list, err := c.entities("targets")
			if err != nil {
				return 0, err
			}
			return run(c, list)
		}
	}
	facing := literal("facing",
		literal("entity", arg("facingEntity", entityOne,
			arg("facingAnchor", anchorArg).does(targets(teleportFacingEntity)),
		).does(targets(teleportFacingEntity))),
		arg("facingLocation", vec3Arg).does(targets(func(c *Context, list []Entity) (int, error) {
			to := get[coordinates](c, "facingLocation").pos(c.src)
			return teleportTo(c, list, func(e Entity, at Vec3) Rotation { return lookAt(c.lookFrom(e, at), to) })
		})),
	)
	keep := func(c *Context, list []Entity) (int, error) {
		return teleportTo(c, list, func(e Entity, _ Vec3) Rotation { return e.Place().Rotation })
	}
	teleport := literal("teleport",
		arg("location", vec3Arg).does(self(keep)),
		arg("destination", entityOne).does(self(teleportToEntity)),
		arg("targets", entityMany,
			arg("location", vec3Arg,
				arg("rotation", rotationArg{}).does(targets(func(c *Context, list []Entity) (int, error) {
					r := get[turn](c, "rotation").of(c.src)
					return teleportTo(c, list, func(Entity, Vec3) Rotation { return r })
				})),
				facing,
			).does(targets(keep)),
			arg("destination", entityOne).does(targets(teleportToEntity)),
		),
	).needs(LevelGamemasters)
	return []*node{teleport, alias("tp", teleport)}
}

// lookFrom is from where an entity that stands at a place looks.
func (c *Context) lookFrom(e Entity, at Vec3) Vec3 {
	if c.src.Anchor == Eyes {
		_, _, eyes := e.Size()
		at.Y += eyes
	}
	return at
}

func teleportFacingEntity(c *Context, list []Entity) (int, error) {
	target, err := c.entity("facingEntity")
	if err != nil {
		return 0, err
	}
	to := target.Place().Pos
	if Anchor(given(c, "facingAnchor", int(Feet))) == Eyes {
		_, _, eyes := target.Size()
		to.Y += eyes
	}
	return teleportTo(c, list, func(e Entity, at Vec3) Rotation { return lookAt(c.lookFrom(e, at), to) })
}

// allowed reports whether something may be at a position.
func allowed(pos Vec3) bool {
	b := pos.Block()
	return horizontal(b) && b.Y >= -20_000_000 && b.Y < 20_000_000
}

func teleportTo(c *Context, list []Entity, look func(Entity, Vec3) Rotation) (int, error) {
	pos := get[coordinates](c, "location").pos(c.src)
	if !allowed(pos) {
		return 0, failed("commands.teleport.invalidPosition")
	}
	for _, e := range list {
		e.Teleport(Place{c.src.Place.Dimension, pos, clampRotation(look(e, pos))})
	}
	return report(c, "commands.teleport.success.location", list, decimal(pos.X), decimal(pos.Y), decimal(pos.Z))
}

func clampRotation(r Rotation) Rotation {
	return Rotation{wrapDegrees(r.Yaw), min(max(wrapDegrees(r.Pitch), -90), 90)}
}

func teleportToEntity(c *Context, list []Entity) (int, error) {
	target, err := c.entity("destination")
	if err != nil {
		return 0, err
	}
	to := target.Place()
	if !allowed(to.Pos) {
		return 0, failed("commands.teleport.invalidPosition")
	}
	for _, e := range list {
		e.Teleport(to)
	}
	return report(c, "commands.teleport.success.entity", list, target.Display())
}

func spawnPointCommand(*node) []*node {
	set := func(c *Context) (int, error) {
		var players []Player
		var err error
		if given[*selector](c, "targets", nil) != nil {
			players, err = c.players("targets")
		} else {
			var p Player
			p, err = c.player()
			players = []Player{p}
		}
		if err != nil {
			return 0, err
		}
		pos, r, err := c.spawn()
		if err != nil {
			return 0, err
		}
		dimension := c.src.Place.Dimension
		for _, p := range players {
			p.SetSpawn(dimension, pos, r)
		}
		where := []text.Component{
			number(pos.X), number(pos.Y), number(pos.Z), float(r.Yaw), float(r.Pitch), text.Plain(dimension),
		}
		if len(players) == 1 {
			return c.ok(1, "commands.spawnpoint.success.single.new", append(where, players[0].Display())...)
		}
		return c.ok(len(players), "commands.spawnpoint.success.multiple.new", append(where, number(len(players)))...)
	}
	return one(literal("spawnpoint",
		arg("targets", playersMany,
			arg("pos", blockPosArg,
				arg("rotation", rotationArg{}).does(set),
			).does(set),
		).does(set),
	).needs(LevelGamemasters).does(set))
}

// spawn returns the arguments pos and rotation, or where the source is.
func (c *Context) spawn() (BlockPos, Rotation, error) {
	pos := c.src.Place.Pos.Block()
	for _, v := range c.args {
		if v.name == "pos" {
			var err error
			if pos, err = c.spawnable("pos"); err != nil {
				return pos, Rotation{}, err
			}
		}
	}
	r := clampRotation(given(c, "rotation", turn{}).of(c.src))
	return pos, r, nil
}

func setWorldSpawnCommand(*node) []*node {
	set := func(c *Context) (int, error) {
		pos, r, err := c.spawn()
		if err != nil {
			return 0, err
		}
		c.h.Settings.SetWorldSpawn(c.src.Place.Dimension, pos, r)
		return c.ok(1, "commands.setworldspawn.success.new", number(pos.X), number(pos.Y), number(pos.Z),
			float(r.Yaw), float(r.Pitch), text.Plain(c.src.Place.Dimension))
	}
	return one(literal("setworldspawn",
		arg("pos", blockPosArg,
			arg("rotation", rotationArg{}).does(set),
		).does(set),
	).needs(LevelGamemasters).does(set))
}

func summonCommand(*node) []*node {
	summon := func(c *Context) (int, error) {
		at := c.src.Place
		if p, ok := argument3(c, "pos"); ok {
			at.Pos = p
		}
		if !allowed(at.Pos) {
			return 0, failed("commands.summon.invalidPosition")
		}
		kind := get[entries](c, "entity").name
		if info := registry.EntityByName(kind, native); info == nil || kind == "minecraft:player" {
			return 0, failed("commands.summon.failed")
		}
		e, ok := c.h.Entities.Summon(kind, at, given(c, "nbt", nbt.Raw{}))
		if !ok {
			return 0, failed("commands.summon.failed")
		}
		return c.ok(1, "commands.summon.success", e.Display())
	}
	entity := arg("entity", resourceArg("minecraft:entity_type"),
		arg("pos", vec3Arg,
			arg("nbt", compoundArg{}).does(summon),
		).does(summon),
	).does(summon)
	entity.suggests = "minecraft:summonable_entities"
	return one(literal("summon", entity).needs(LevelGamemasters))
}

// argument3 returns a position that may not have been given.
func argument3(c *Context, name string) (Vec3, bool) {
	for _, v := range c.args {
		if p, ok := v.v.(coordinates); ok && v.name == name {
			return p.pos(c.src), true
		}
	}
	return Vec3{}, false
}
