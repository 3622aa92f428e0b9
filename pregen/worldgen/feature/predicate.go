package feature

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
)

// offset is where a predicate looks, from the place that it tests.
type offset struct{ x, y, z int }

// readOffset reads a list of three numbers, each up to 16.
func readOffset(v provider.Value) (o offset, err error) {
	member, ok, err := v.Optional("offset")
	if err != nil || !ok {
		return o, err
	}
	return readVector(member, 16)
}

func readVector(v provider.Value, most int32) (o offset, err error) {
	list, ok := v.List()
	if !ok || len(list) != 3 {
		return o, v.Errorf("not a list of three numbers")
	}
	for i, to := range []*int{&o.x, &o.y, &o.z} {
		value, err := list[i].Int(-most, most)
		if err != nil {
			return o, err
		}
		*to = int(value)
	}
	return o, nil
}

func (o offset) block(v *View, x, y, z int) block.State { return v.Block(x+o.x, y+o.y, z+o.z) }

// Predicate reads a block predicate.
func (l *Loader) Predicate(v provider.Value) (Predicate, error) {
	if err := l.enter(v); err != nil {
		return nil, err
	}
	defer l.leave()
	kind, err := memberID(v, "type")
	if err != nil {
		return nil, err
	}
	switch kind {
	case "minecraft:true":
		return anything{}, nil
	case "minecraft:not":
		member, err := v.Member("predicate")
		if err != nil {
			return nil, err
		}
		inner, err := l.Predicate(member)
		return negated{inner}, err
	case "minecraft:all_of", "minecraft:any_of":
		return l.combined(v, kind == "minecraft:any_of")
	}
	o, err := readOffset(v)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "minecraft:matching_blocks":
		member, err := v.Member("blocks")
		if err != nil {
			return nil, err
		}
		set, err := l.Blocks(member)
		return matching{o, set}, err
	case "minecraft:matching_block_tag":
		member, err := v.Member("tag")
		if err != nil {
			return nil, err
		}
		set, err := l.Tag(member)
		return matching{o, set}, err
	case "minecraft:matching_fluids":
		return l.fluids(v, o)
	case "minecraft:solid":
		return stateTest{o, Solid}, nil
	case "minecraft:replaceable":
		return stateTest{o, block.State.Replaceable}, nil
	case "minecraft:has_sturdy_face":
		side, err := readDirection(v, "direction")
		return sturdy{o, side}, err
	case "minecraft:inside_world_bounds":
		return inside{o}, nil
	case "minecraft:unobstructed":
		return anything{}, nil // by entities, which a chunk that is made does not have
	case "minecraft:would_survive":
		member, err := v.Member("state")
		if err != nil {
			return nil, err
		}
		state, err := l.State(member)
		if err != nil {
			return nil, err
		}
		survival, err := l.Survival()
		return survives{o, state, survival}, err
	}
	return nil, v.Errorf("unknown block predicate %s", kind)
}

// OptionalPredicate reads a member that is a predicate; without it everything
// passes.
func (l *Loader) OptionalPredicate(v provider.Value, name string) (Predicate, error) {
	member, ok, err := v.Optional(name)
	if err != nil || !ok {
		return anything{}, err
	}
	return l.Predicate(member)
}

// MemberPredicate reads a member that is a predicate.
func (l *Loader) MemberPredicate(v provider.Value, name string) (Predicate, error) {
	member, err := v.Member(name)
	if err != nil {
		return nil, err
	}
	return l.Predicate(member)
}

func (l *Loader) combined(v provider.Value, either bool) (Predicate, error) {
	member, err := v.Member("predicates")
	if err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok {
		return nil, member.Errorf("not a list")
	}
	var inner []Predicate
	for _, element := range list {
		p, err := l.Predicate(element)
		if err != nil {
			return nil, err
		}
		inner = append(inner, p)
	}
	if either {
		return anyOf(inner), nil
	}
	return allOf(inner), nil
}

// fluid kinds, as bits.
const (
	emptyFluid = 1 << iota
	waterSource
	waterFlowing
	lavaSource
	lavaFlowing
)

var fluidBits = map[string]uint8{
	"minecraft:empty": emptyFluid, "minecraft:water": waterSource, "minecraft:flowing_water": waterFlowing,
	"minecraft:lava": lavaSource, "minecraft:flowing_lava": lavaFlowing,
}

func (l *Loader) fluids(v provider.Value, o offset) (Predicate, error) {
	member, err := v.Member("fluids")
	if err != nil {
		return nil, err
	}
	names, isTag, err := namesOf(member)
	if err == nil && isTag {
		if names, err = l.source.Tag("fluid", names[0]); err != nil {
			err = member.Errorf("fluid tag: %v", err)
		}
	}
	if err != nil {
		return nil, err
	}
	m := matchingFluids{offset: o}
	for _, name := range names {
		bit, ok := fluidBits[name]
		if !ok {
			return nil, member.Errorf("no fluid %s", name)
		}
		m.bits |= bit
	}
	return m, nil
}

func fluidBit(s block.State) uint8 {
	bit := uint8(emptyFluid)
	switch s.Fluid() {
	case block.WaterFluid:
		bit = waterSource
	case block.LavaFluid:
		bit = lavaSource
	default:
		return bit
	}
	if !s.FluidSource() {
		bit <<= 1
	}
	return bit
}

var directions = map[string]block.Direction{
	"down": block.Down, "up": block.Up, "north": block.North, "south": block.South, "west": block.West, "east": block.East,
}

func readDirection(v provider.Value, name string) (block.Direction, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	text, err := member.Text()
	if err != nil {
		return 0, err
	}
	side, ok := directions[text]
	if !ok {
		return 0, member.Errorf("no direction %q", text)
	}
	return side, nil
}

type (
	anything  struct{}
	negated   struct{ inner Predicate }
	anyOf     []Predicate
	allOf     []Predicate
	stateTest struct {
		offset
		test func(block.State) bool
	}
	matching struct {
		offset
		set *Blocks
	}
	matchingFluids struct {
		offset
		bits uint8
	}
	sturdy struct {
		offset
		side block.Direction
	}
	inside   struct{ offset }
	survives struct {
		offset
		state    block.State
		survival *Survival
	}
)

func (anything) Test(*View, int, int, int) bool    { return true }
func (p negated) Test(v *View, x, y, z int) bool   { return !p.inner.Test(v, x, y, z) }
func (p stateTest) Test(v *View, x, y, z int) bool { return p.test(p.block(v, x, y, z)) }
func (p matching) Test(v *View, x, y, z int) bool  { return p.set.Has(p.block(v, x, y, z)) }
func (p matchingFluids) Test(v *View, x, y, z int) bool {
	return fluidBit(p.block(v, x, y, z))&p.bits != 0
}
func (p sturdy) Test(v *View, x, y, z int) bool { return Sturdy(p.block(v, x, y, z), p.side) }
func (p inside) Test(v *View, _, y, _ int) bool { return !v.Outside(y + p.y) }
func (p survives) Test(v *View, x, y, z int) bool {
	return p.survival.Survives(v, p.state, x+p.x, y+p.y, z+p.z)
}

func (p anyOf) Test(v *View, x, y, z int) bool {
	for _, inner := range p {
		if inner.Test(v, x, y, z) {
			return true
		}
	}
	return false
}

func (p allOf) Test(v *View, x, y, z int) bool {
	for _, inner := range p {
		if !inner.Test(v, x, y, z) {
			return false
		}
	}
	return true
}

// Solid reports whether a block is solid in the game's old sense: what blocks
// motion, and cobwebs and bamboo shoots, which are solid and do not.
func Solid(s block.State) bool {
	return s.BlocksMotion() || s.Block() == block.Cobweb || s.Block() == block.BambooSapling
}

// Sturdy reports whether a side of a block's shape for support is whole.
func Sturdy(s block.State, side block.Direction) bool {
	switch {
	case s.Leaves():
		return false
	case s.Block() == block.SoulSand || s.Block() == block.Mud:
		return true
	case s.Block() == block.Snow:
		return side == block.Down || s.Property("layers") == "8"
	}
	return s.FullCollision() || covers(s.Collision(), side, 0, 16)
}

// Attachable reports whether vines and the like can hold on to a side of a
// block: one that is whole in its shape for support or for collision.
func Attachable(s block.State, side block.Direction) bool {
	return Sturdy(s, side) || s.FullCollision() || covers(s.Collision(), side, 0, 16)
}

// covers reports whether boxes cover the cells from low to high, both ways, of a
// side of a block. Cells of a 16th are the finest that shapes have.
func covers(boxes []block.Box, side block.Direction, low16, high16 int) bool {
	var spans [16][4]float64
	n := 0
	for _, b := range boxes {
		low := [3]float64{b.MinX, b.MinY, b.MinZ}
		high := [3]float64{b.MaxX, b.MaxY, b.MaxZ}
		axis := [...]int{1, 1, 2, 2, 0, 0}[side]
		if side&1 == 0 && low[axis] > 0 || side&1 == 1 && high[axis] < 1 || n == len(spans) {
			continue
		}
		a, c := (axis+1)%3, (axis+2)%3
		spans[n] = [4]float64{low[a], high[a], low[c], high[c]}
		n++
	}
	for i := low16; i < high16; i++ {
		for j := low16; j < high16; j++ {
			a, c := (float64(i)+0.5)/16, (float64(j)+0.5)/16
			hit := false
			for _, s := range spans[:n] {
				hit = hit || s[0] < a && a < s[1] && s[2] < c && c < s[3]
			}
			if !hit {
				return false
			}
		}
	}
	return true
}
