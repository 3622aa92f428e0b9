package template

import (
	"slices"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/rng"
)

// Test tests a block. It may draw.
type Test func(s block.State, random *rng.Worldgen) bool

// Always passes, and draws nothing.
func Always(block.State, *rng.Worldgen) bool { return true }

// Match returns a test for a block.
func Match(id block.ID) Test {
	return func(s block.State, _ *rng.Worldgen) bool { return s.Block() == id }
}

// MatchState returns a test for a state.
func MatchState(want block.State) Test {
	return func(s block.State, _ *rng.Worldgen) bool { return s == want }
}

// MatchAtRandom returns a test for a block that passes with a chance.
func MatchAtRandom(id block.ID, chance float32) Test {
	return func(s block.State, random *rng.Worldgen) bool {
		return s.Block() == id && random.Float() < chance
	}
}

// Rule says which blocks become another state.
type Rule struct {
	Input    Test // of the template's block
	Location Test // of the world's block
	Position *PositionTest
	Output   block.State
	Entity   Modifier
}

// PositionTest passes with a chance that depends on the distance from the
// structure's pivot: from MinChance at MinDistance to MaxChance at MaxDistance.
type PositionTest struct {
	Axis                     Axis
	MinChance, MaxChance     float32
	MinDistance, MaxDistance int32
}

// Axis is along which a distance is measured.
type Axis uint8

// The axes; AllAxes adds the distances along each.
const (
	AllAxes Axis = iota
	AxisX
	AxisY
	AxisZ
)

func (t *PositionTest) test(w *work, b *placed, random *rng.Worldgen) bool {
	if t == nil {
		return true
	}
	dx, dy, dz := abs(b.x-w.pivotX), abs(b.y-w.pivotY), abs(b.z-w.pivotZ)
	distance := [...]int32{dx + dy + dz, dx, dy, dz}[t.Axis]
	drawn := random.Float()
	along := float32(distance-t.MinDistance) / float32(t.MaxDistance-t.MinDistance)
	chance := t.MinChance + float32(along*(t.MaxChance-t.MinChance))
	switch {
	case along < 0:
		chance = t.MinChance
	case along > 1:
		chance = t.MaxChance
	}
	return drawn <= chance
}

func abs(v int32) int32 { return max(v, -v) }

// Modifier changes the block entity of a block that a rule changed. The zero
// value keeps it.
type Modifier struct {
	Clear  bool
	Static nbt.Compound // to be added
	Loot   string       // a loot table to be given, with a seed that is drawn
}

func (m *Modifier) apply(c nbt.Compound, random *rng.Worldgen) nbt.Compound {
	switch {
	case m.Clear:
		return nbt.Compound{}
	case m.Loot != "":
		c = slices.Clone(c)
		c.Set("LootTable", m.Loot)
		c.Set("LootTableSeed", random.Long())
	case m.Static != nil:
		c = slices.Clone(c)
		for _, member := range m.Static {
			c.Set(member.Name, member.Value)
		}
	}
	return c
}

// rules apply the first rule that fits.
type rules []Rule

// Rules returns a processor that applies the first rule that fits a block.
func Rules(list ...Rule) Processor { return rules(list) }

func (p rules) process(w *work, b *placed) bool {
	random := w.seeded(b)
	location := w.at(b)
	for i := range p {
		r := &p[i]
		if r.Input(b.state, random) && r.Location(location, random) && r.Position.test(w, b, random) {
			b.state = r.Output
			b.nbt = r.Entity.apply(b.nbt, random)
			break
		}
	}
	return true
}
