package command

import (
	"strings"

	"strata/server/protocol"
)

// coordinate is one number of a position, added to the source's if relative.
type coordinate struct {
	value    float64
	relative bool
}

func (c coordinate) of(base float64) float64 {
	if c.relative {
		return base + c.value
	}
	return c.value
}

// coordinates are a position as it was typed; with ^ they are left, up and
// forward of where the source looks.
type coordinates struct {
	c     [3]coordinate
	local bool
}

// pos returns the position that is meant.
func (p coordinates) pos(s *Source) Vec3 {
	if p.local {
		return local(s.anchorPos(), s.Place.Rotation, p.c[0].value, p.c[1].value, p.c[2].value)
	}
	base := s.Place.Pos
	return Vec3{p.c[0].of(base.X), p.c[1].of(base.Y), p.c[2].of(base.Z)}
}

// positionArg is three coordinates: of a block, or of a point.
type positionArg struct{ point bool }

var (
	blockPosArg = positionArg{}
	vec3Arg     = positionArg{point: true}
)

func (a positionArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	p := coordinates{local: r.peek() == '^'}
	for i := range p.c {
		if i > 0 && !r.skip(' ') {
			return nil, r.failAt(start, "argument.pos3d.incomplete")
		}
		var err error
		// A whole number is the middle of a block, but its floor.
		if p.c[i], err = r.coordinate(p.local, a.point, a.point && i != 1); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (r *reader) coordinate(isLocal, point, center bool) (coordinate, error) {
	missing := "argument.pos.missing.int"
	if point || isLocal {
		missing = "argument.pos.missing.double"
	}
	switch {
	case !r.more():
		return coordinate{}, r.fail(missing)
	case (r.peek() == '^') != isLocal:
		return coordinate{}, r.fail("argument.pos.mixed")
	}
	c := coordinate{relative: r.skip('~')}
	if isLocal {
		r.cursor++
	}
	if (c.relative || isLocal) && (!r.more() || r.peek() == ' ') {
		return c, nil
	}
	if !point && !c.relative && !isLocal {
		n, err := r.integer()
		c.value = float64(n)
		return c, err
	}
	start := r.cursor
	f, err := r.double()
	if err != nil {
		return c, err
	}
	c.value = f
	if center && !c.relative && !isLocal && !strings.Contains(r.input[start:r.cursor], ".") {
		c.value += 0.5
	}
	return c, nil
}

func (a positionArg) suggest(b *builder) {
	relatives := []string{"~", "~ ~", "~ ~ ~"}
	typed := b.rest()
	if strings.HasPrefix(typed, "^") {
		relatives = []string{"^", "^ ^", "^ ^ ^"}
	}
	if typed == "" {
		for _, s := range relatives {
			b.add(s)
		}
		return
	}
	fields := strings.Fields(typed)
	if strings.HasSuffix(typed, " ") || len(fields) > 2 {
		fields = append(fields, "")
	}
	if len(fields) > 3 {
		return
	}
	have := strings.Join(strings.Fields(typed), " ")
	for n := len(strings.Fields(typed)); n < 3; n++ {
		have += " " + relatives[0]
		b.add(have)
	}
}

func (a positionArg) describe(n *protocol.CommandNode) {
	if n.Parser = protocol.ParserBlockPos; a.point {
		n.Parser = protocol.ParserVec3
	}
}

// turn is a rotation as it was typed.
type turn struct{ yaw, pitch coordinate }

func (t turn) of(s *Source) Rotation {
	r := s.Place.Rotation
	return Rotation{float32(t.yaw.of(float64(r.Yaw))), float32(t.pitch.of(float64(r.Pitch)))}
}

// rotationArg is yaw and pitch.
type rotationArg struct{}

func (rotationArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	if !r.more() {
		return nil, r.fail("argument.rotation.incomplete")
	}
	yaw, err := r.coordinate(false, true, false)
	if err != nil {
		return nil, err
	}
	if !r.skip(' ') {
		return nil, r.failAt(start, "argument.rotation.incomplete")
	}
	pitch, err := r.coordinate(false, true, false)
	if err != nil {
		return nil, err
	}
	return turn{yaw, pitch}, nil
}

func (rotationArg) suggest(*builder) {}

func (rotationArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserRotation }

// block returns the position of a block that is loaded and in the world.
func (c *Context) block(dimension, name string) (BlockPos, error) {
	pos := get[coordinates](c, name).pos(c.src).Block()
	return pos, c.loaded(dimension, pos)
}

// maxHorizontal is how far from the middle blocks may be.
const maxHorizontal = 30_000_000

func (c *Context) loaded(dimension string, pos BlockPos) error {
	low, high := c.h.Worlds.Height(dimension)
	if pos.Y < low || pos.Y >= high || !horizontal(pos) {
		return failed("argument.pos.outofworld")
	}
	if _, ok := c.h.Worlds.Block(dimension, pos); !ok {
		return failed("argument.pos.unloaded")
	}
	return nil
}

func horizontal(pos BlockPos) bool {
	return pos.X >= -maxHorizontal && pos.X < maxHorizontal && pos.Z >= -maxHorizontal && pos.Z < maxHorizontal
}

// spawnable returns the position of a block where somebody could be.
func (c *Context) spawnable(name string) (BlockPos, error) {
	pos := get[coordinates](c, name).pos(c.src).Block()
	if !horizontal(pos) || pos.Y < -20_000_000 || pos.Y >= 20_000_000 {
		return pos, failed("argument.pos.outofbounds")
	}
	return pos, nil
}
