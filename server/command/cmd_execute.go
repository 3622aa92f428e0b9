package command

import (
	"math"

	"strata/server/text"
)

// maxTestArea is how many blocks execute if blocks compares.
const maxTestArea = 32768

func executeCommand(root *node) []*node {
	ex := literal("execute").needs(LevelGamemasters)
	pos := func(c *Context) (*Source, error) {
		to := c.src.Place
		to.Pos = get[coordinates](c, "pos").pos(c.src)
		s := c.src.at(to)
		s.Anchor = Feet
		return s, nil
	}
	ex.then(
		literal("run").to(root, nil),
		literal("as", arg("targets", entityMany).forks(ex, each(func(c *Context, e Entity) *Source { return c.src.as(e) }))),
		literal("at", arg("targets", entityMany).forks(ex, each(func(c *Context, e Entity) *Source { return c.src.at(e.Place()) }))),
		literal("in", arg("dimension", dimensionArg).to(ex, executeIn)),
		literal("positioned",
			arg("pos", vec3Arg).to(ex, pos),
			literal("as", arg("targets", entityMany).forks(ex, each(func(c *Context, e Entity) *Source {
				to := c.src.Place
				to.Pos = e.Place().Pos
				return c.src.at(to)
			}))),
			literal("over", arg("heightmap", heightmapArg).to(ex, executeOver)),
		),
		literal("rotated",
			arg("rot", rotationArg{}).to(ex, func(c *Context) (*Source, error) {
				to := c.src.Place
				to.Rotation = get[turn](c, "rot").of(c.src)
				return c.src.at(to), nil
			}),
			literal("as", arg("targets", entityMany).forks(ex, each(func(c *Context, e Entity) *Source {
				to := c.src.Place
				to.Rotation = e.Place().Rotation
				return c.src.at(to)
			}))),
		),
		literal("facing",
			literal("entity", arg("targets", entityMany, arg("anchor", anchorArg).forks(ex, each(func(c *Context, e Entity) *Source {
				at := e.Place().Pos
				if Anchor(get[int](c, "anchor")) == Eyes {
					_, _, eyes := e.Size()
					at.Y += eyes
				}
				return c.facing(at)
			})))),
			arg("pos", vec3Arg).to(ex, func(c *Context) (*Source, error) {
				return c.facing(get[coordinates](c, "pos").pos(c.src)), nil
			}),
		),
		literal("align", arg("axes", swizzleArg{}).to(ex, executeAlign)),
		literal("anchored", arg("anchor", anchorArg).to(ex, func(c *Context) (*Source, error) {
			s := *c.src
			s.Anchor = Anchor(get[int](c, "anchor"))
			return &s, nil
		})),
		conditions(literal("if"), ex, true),
		conditions(literal("unless"), ex, false),
	)
	return one(ex)
}

// each makes a source of each entity of the argument targets, maybe none.
func each(of func(*Context, Entity) *Source) func(*Context) ([]*Source, error) {
	return func(c *Context) ([]*Source, error) {
		var list []*Source
		for _, e := range c.optionalEntities("targets") {
			list = append(list, of(c, e))
		}
		return list, nil
	}
}

func (c *Context) facing(to Vec3) *Source {
	at := c.src.Place
	at.Rotation = lookAt(c.src.anchorPos(), to)
	return c.src.at(at)
}

func executeIn(c *Context) (*Source, error) {
	name, err := c.dimension("dimension")
	if err != nil {
		return nil, err
	}
	to := c.src.Place
	// Eight blocks are one in the nether.
	scale := dimensionScale(to.Dimension) / dimensionScale(name)
	to.Dimension = name
	to.Pos.X *= scale
	to.Pos.Z *= scale
	return c.src.at(to), nil
}

func dimensionScale(name string) float64 {
	if name == "minecraft:the_nether" {
		return 8
	}
	return 1
}

func executeOver(c *Context) (*Source, error) {
	to := c.src.Place
	at := to.Pos.Block()
	y, ok := c.h.Worlds.Top(to.Dimension, heightmapArg.names[get[int](c, "heightmap")], at.X, at.Z)
	if !ok {
		return nil, failed("argument.pos.unloaded")
	}
	to.Pos.Y = float64(y)
	return c.src.at(to), nil
}

func executeAlign(c *Context) (*Source, error) {
	a, to := get[axes](c, "axes"), c.src.Place
	for i, v := range []*float64{&to.Pos.X, &to.Pos.Y, &to.Pos.Z} {
		if a[i] {
			*v = math.Floor(*v)
		}
	}
	return c.src.at(to), nil
}

// condition counts what is asked for. counts says that the number is worth
// telling.
type condition struct {
	count  func(*Context) (int, error)
	counts bool
}

func yes(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// conditions adds what execute can test.
func conditions(n, ex *node, want bool) *node {
	end := func(n *node, t condition) *node { return t.attach(n, ex, want) }
	return n.then(
		literal("block", arg("pos", blockPosArg, end(arg("block", blockPredicateArg{}), condition{count: ifBlock}))),
		literal("blocks", arg("start", blockPosArg, arg("end", blockPosArg, arg("destination", blockPosArg,
			end(literal("all"), condition{ifBlocks(false), true}),
			end(literal("masked"), condition{ifBlocks(true), true}),
		)))),
		literal("biome", arg("pos", blockPosArg,
			end(arg("biome", resourceOrTagArg("minecraft:worldgen/biome")), condition{count: ifBiome}))),
		literal("dimension", end(arg("dimension", dimensionArg), condition{count: func(c *Context) (int, error) {
			name, err := c.dimension("dimension")
			return yes(name == c.src.Place.Dimension), err
		}})),
		literal("entity", end(arg("entities", entityMany), condition{func(c *Context) (int, error) {
			return len(c.optionalEntities("entities")), nil
		}, true})),
		literal("loaded", end(arg("pos", blockPosArg), condition{count: func(c *Context) (int, error) {
			_, ok := c.h.Worlds.Block(c.src.Place.Dimension, c.columnOf("pos"))
			return yes(ok), nil
		}})),
	)
}

// columnOf is a position with a height that the world has, to ask whether its
// chunk is loaded.
func (c *Context) columnOf(name string) BlockPos {
	pos := get[coordinates](c, name).pos(c.src).Block()
	low, high := c.h.Worlds.Height(c.src.Place.Dimension)
	pos.Y = min(max(pos.Y, low), high-1)
	return pos
}

// attach makes a node one that tests, alone or before what follows.
func (t condition) attach(n, ex *node, want bool) *node {
	n.forks(ex, func(c *Context) ([]*Source, error) {
		count, err := t.count(c)
		if err != nil || (count > 0) != want {
			return nil, err
		}
		return []*Source{c.src}, nil
	})
	return n.does(func(c *Context) (int, error) {
		count, err := t.count(c)
		switch {
		case err != nil:
			return 0, err
		case (count > 0) != want && count > 0 && t.counts:
			return 0, failed("commands.execute.conditional.fail_count", number(count))
		case (count > 0) != want:
			return 0, failed("commands.execute.conditional.fail")
		case want && t.counts:
			return c.tell(count, "commands.execute.conditional.pass_count", number(count))
		}
		return c.tell(1, "commands.execute.conditional.pass")
	})
}

func ifBlock(c *Context) (int, error) {
	pos, err := c.block(c.src.Place.Dimension, "pos")
	if err != nil {
		return 0, err
	}
	return yes(get[blockTest](c, "block").matches(c.h.Worlds, c.src.Place.Dimension, pos)), nil
}

func ifBiome(c *Context) (int, error) {
	pos, err := c.block(c.src.Place.Dimension, "pos")
	if err != nil {
		return 0, err
	}
	name, ok := c.h.Worlds.Biome(c.src.Place.Dimension, pos)
	return yes(ok && get[entries](c, "biome").has(name)), nil
}

// ifBlocks compares two areas; masked leaves out the air of the first. The
// count is that of the blocks compared, 0 if one differs.
func ifBlocks(masked bool) func(*Context) (int, error) {
	return func(c *Context) (int, error) {
		dimension, w := c.src.Place.Dimension, c.h.Worlds
		box, err := c.area(dimension, "start", "end", "commands.execute.blocks.toobig", maxTestArea)
		if err != nil {
			return 0, err
		}
		corner, err := c.block(dimension, "destination")
		if err != nil {
			return 0, err
		}
		n, same := 0, true
		box.each(func(pos BlockPos) bool {
			other := add(corner, sub(pos, box.low))
			a, ok1 := w.Block(dimension, pos)
			b, ok2 := w.Block(dimension, other)
			if masked && a.Air() {
				return true
			}
			n++
			dataA, _ := w.BlockData(dimension, pos)
			dataB, _ := w.BlockData(dimension, other)
			same = ok1 && ok2 && a == b && dataA.Exists() == dataB.Exists() &&
				(!dataA.Exists() || rawWithin(dataA, dataB) && rawWithin(dataB, dataA))
			return same
		})
		if !same {
			n = 0
		}
		return n, nil
	}
}

// plain answers with a line in English: of what the game does not have.
func (c *Context) plain(result int, s string) (int, error) {
	c.h.success(c.src, false, text.Plain(s))
	return result, nil
}
