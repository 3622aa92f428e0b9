package command

import (
	"math"

	"strata/anvil/block"
	"strata/nbt"
	"strata/server/text"
)

// area is a box of blocks, both ends in it.
type area struct{ low, high BlockPos }

func newArea(a, b BlockPos) area {
	return area{
		BlockPos{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)},
		BlockPos{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)},
	}
}

// volume is how many blocks the area has, at most math.MaxInt32.
func (a area) volume() int {
	v := int64(1)
	for _, n := range [...]int64{
		int64(a.high.X) - int64(a.low.X) + 1, int64(a.high.Y) - int64(a.low.Y) + 1, int64(a.high.Z) - int64(a.low.Z) + 1,
	} {
		if v *= n; v > math.MaxInt32 {
			return math.MaxInt32
		}
	}
	return int(v)
}

// each visits the blocks, x first, y last.
func (a area) each(visit func(BlockPos) bool) {
	for y := a.low.Y; y <= a.high.Y; y++ {
		for z := a.low.Z; z <= a.high.Z; z++ {
			for x := a.low.X; x <= a.high.X; x++ {
				if !visit(BlockPos{X: x, Y: y, Z: z}) {
					return
				}
			}
		}
	}
}

// inside reports whether a block of the area is not on its surface.
func (a area) inside(p BlockPos) bool {
	return p.X > a.low.X && p.X < a.high.X && p.Y > a.low.Y && p.Y < a.high.Y && p.Z > a.low.Z && p.Z < a.high.Z
}

func (a area) overlaps(b area) bool {
	return a.low.X <= b.high.X && b.low.X <= a.high.X && a.low.Y <= b.high.Y && b.low.Y <= a.high.Y &&
		a.low.Z <= b.high.Z && b.low.Z <= a.high.Z
}

// moved is the area with its lowest corner elsewhere.
func (a area) moved(to BlockPos) area {
	return area{to, add(to, sub(a.high, a.low))}
}

func add(a, b BlockPos) BlockPos { return BlockPos{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }
func sub(a, b BlockPos) BlockPos { return BlockPos{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }

// area returns two arguments as the corners of an area that is not too big.
func (c *Context) area(dimension, from, to, tooBig string, limit int) (area, error) {
	a, err := c.block(dimension, from)
	if err != nil {
		return area{}, err
	}
	b, err := c.block(dimension, to)
	if err != nil {
		return area{}, err
	}
	box := newArea(a, b)
	if v := box.volume(); v > limit {
		return area{}, failed(tooBig, number(limit), number(v))
	}
	return box, nil
}

func setBlockCommand(*node) []*node {
	set := func(mode SetMode, keep bool) func(*Context) (int, error) {
		return func(c *Context) (int, error) { return setBlock(c, mode, keep) }
	}
	return one(literal("setblock",
		arg("pos", blockPosArg,
			arg("block", blockStateArg{},
				literal("destroy").does(set(SetDestroy, false)),
				literal("keep").does(set(SetReplace, true)),
				literal("replace").does(set(SetReplace, false)),
				literal("strict").does(set(SetStrict, false)),
			).does(set(SetReplace, false)),
		),
	).needs(LevelGamemasters))
}

func setBlock(c *Context, mode SetMode, keep bool) (int, error) {
	dimension := c.src.Place.Dimension
	pos, err := c.block(dimension, "pos")
	if err != nil {
		return 0, err
	}
	v := get[blockValue](c, "block")
	if keep {
		if old, _ := c.h.Worlds.Block(dimension, pos); !old.Air() {
			return 0, failed("commands.setblock.failed")
		}
	}
	if !c.h.Worlds.SetBlock(dimension, pos, v.state, v.data, mode) {
		return 0, failed("commands.setblock.failed")
	}
	return c.ok(1, "commands.setblock.success", number(pos.X), number(pos.Y), number(pos.Z))
}

// fillMode is what fill does beside setting all.
type fillMode struct {
	set    SetMode
	keep   bool // only in air
	shell  bool // only the surface
	hollow bool // with air in it
}

func fillCommand(*node) []*node {
	fill := func(m fillMode) func(*Context) (int, error) {
		return func(c *Context) (int, error) { return fillBlocks(c, m) }
	}
	modes := func() []*node {
		return []*node{
			literal("outline").does(fill(fillMode{shell: true})),
			literal("hollow").does(fill(fillMode{shell: true, hollow: true})),
			literal("destroy").does(fill(fillMode{set: SetDestroy})),
			literal("strict").does(fill(fillMode{set: SetStrict})),
		}
	}
	return one(literal("fill",
		arg("from", blockPosArg, arg("to", blockPosArg,
			arg("block", blockStateArg{}, modes()...).then(
				literal("replace",
					arg("filter", blockPredicateArg{}, modes()...).does(fill(fillMode{})),
				).does(fill(fillMode{})),
				literal("keep").does(fill(fillMode{keep: true})),
			).does(fill(fillMode{})),
		)),
	).needs(LevelGamemasters))
}

func fillBlocks(c *Context, m fillMode) (int, error) {
	dimension := c.src.Place.Dimension
	limit := int(c.h.rule("max_block_modifications"))
	box, err := c.area(dimension, "from", "to", "commands.fill.toobig", limit)
	if err != nil {
		return 0, err
	}
	v := get[blockValue](c, "block")
	filter := given[any](c, "filter", nil)
	n := 0
	box.each(func(pos BlockPos) bool {
		state, data := v.state, v.data
		if t, ok := filter.(blockTest); ok && !t.matches(c.h.Worlds, dimension, pos) {
			return true
		}
		if m.keep {
			if old, ok := c.h.Worlds.Block(dimension, pos); !ok || !old.Air() {
				return true
			}
		}
		if m.shell && box.inside(pos) {
			if !m.hollow {
				return true
			}
			state, data = block.Air.Default(), nbt.Raw{}
		}
		if c.h.Worlds.SetBlock(dimension, pos, state, data, m.set) {
			n++
		}
		return true
	})
	if n == 0 {
		return 0, failed("commands.fill.failed")
	}
	return c.ok(n, "commands.fill.success", number(n))
}

// cloneMode is what clone does.
type cloneMode struct {
	masked, filtered    bool
	force, move, strict bool
	from, to            bool // dimensions are given
}

func cloneCommand(*node) []*node {
	return one(literal("clone",
		cloneSource(cloneMode{}),
		literal("from", arg("sourceDimension", dimensionArg, cloneSource(cloneMode{from: true}))),
	).needs(LevelGamemasters))
}

func cloneSource(m cloneMode) *node {
	to := m
	to.to = true
	return arg("begin", blockPosArg, arg("end", blockPosArg,
		cloneDestination(m),
		literal("to", arg("targetDimension", dimensionArg, cloneDestination(to))),
	))
}

func cloneDestination(m cloneMode) *node {
	strict := m
	strict.strict = true
	return arg("destination", blockPosArg, cloneKinds(m)...).
		then(literal("strict", cloneKinds(strict)...).does(m.with(func(m *cloneMode) { m.strict = true }))).
		does(m.run)
}

// with is running the mode with a change.
func (m cloneMode) with(change func(*cloneMode)) func(*Context) (int, error) {
	change(&m)
	return m.run
}

func cloneKinds(m cloneMode) []*node {
	how := func(n *node, m cloneMode) *node {
		return n.then(
			literal("force").does(m.with(func(m *cloneMode) { m.force = true })),
			literal("move").does(m.with(func(m *cloneMode) { m.move = true })),
			literal("normal").does(m.run),
		).does(m.run)
	}
	masked, filtered := m, m
	masked.masked, filtered.filtered = true, true
	return []*node{
		how(literal("replace"), m),
		how(literal("masked"), masked),
		literal("filtered", how(arg("filter", blockPredicateArg{}), filtered)),
	}
}

// copied is a block on its way.
type copied struct {
	from, to BlockPos
	state    block.State
	data     nbt.Raw
}

func (m cloneMode) run(c *Context) (int, error) {
	from, to := c.src.Place.Dimension, c.src.Place.Dimension
	var err error
	if m.from {
		if from, err = c.dimension("sourceDimension"); err != nil {
			return 0, err
		}
	}
	if m.to {
		if to, err = c.dimension("targetDimension"); err != nil {
			return 0, err
		}
	}
	limit := int(c.h.rule("max_block_modifications"))
	src, err := c.area(from, "begin", "end", "commands.clone.toobig", limit)
	if err != nil {
		return 0, err
	}
	corner, err := c.block(to, "destination")
	if err != nil {
		return 0, err
	}
	dst := src.moved(corner)
	if err := c.loaded(to, dst.high); err != nil {
		return 0, err
	}
	if from == to && !m.force && src.overlaps(dst) {
		return 0, failed("commands.clone.overlap")
	}
	n := m.paste(c, from, to, m.gather(c, from, src, corner))
	if n == 0 {
		return 0, failed("commands.clone.failed")
	}
	return c.ok(n, "commands.clone.success", number(n))
}

// gather reads what is to be copied, all of it before anything changes.
func (m cloneMode) gather(c *Context, from string, src area, corner BlockPos) []copied {
	filter := given[any](c, "filter", nil)
	var list []copied
	src.each(func(pos BlockPos) bool {
		state, ok := c.h.Worlds.Block(from, pos)
		if !ok || m.masked && state.Air() {
			return true
		}
		if t, is := filter.(blockTest); is && !t.matches(c.h.Worlds, from, pos) {
			return true
		}
		data, _ := c.h.Worlds.BlockData(from, pos)
		// What was read must not change with the source.
		data.Data = append([]byte(nil), data.Data...)
		list = append(list, copied{pos, add(corner, sub(pos, src.low)), state, data})
		return true
	})
	return list
}

func (m cloneMode) paste(c *Context, from, to string, list []copied) int {
	mode := SetReplace
	if m.strict {
		mode = SetStrict
	}
	if m.move {
		for _, b := range list {
			c.h.Worlds.SetBlock(from, b.from, block.Air.Default(), nbt.Raw{}, mode)
		}
	}
	n := 0
	for _, b := range list {
		if c.h.Worlds.SetBlock(to, b.to, b.state, b.data, mode) {
			n++
		}
	}
	return n
}

// coordinatesText is a position that can be clicked to go there.
func coordinatesText(pos BlockPos, anyHeight bool) text.Component {
	y := number(pos.Y)
	if anyHeight {
		y = text.Plain("~")
	}
	tip := text.Key("chat.coordinates.tooltip")
	return text.Brackets(text.Key("chat.coordinates", number(pos.X), y, number(pos.Z))).WithColor("green").
		WithClick("suggest_command", "/tp @s "+number(pos.X).Text+" "+y.Text+" "+number(pos.Z).Text).
		WithHover(text.Hover{Text: &tip})
}
