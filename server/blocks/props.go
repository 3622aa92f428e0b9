package blocks

import (
	"strconv"
	"strings"

	"strata/anvil/block"
)

// order is that in which the game tells neighbours of a change.
var order = [6]block.Direction{
	block.West, block.East, block.North, block.South, block.Down, block.Up,
}

var horizontals = [4]block.Direction{block.North, block.East, block.South, block.West}

// step returns the position beside p.
func step(p Pos, d block.Direction) Pos {
	x, y, z := d.Step()
	return Pos{X: p.X + x, Y: p.Y + y, Z: p.Z + z}
}

// at returns a block; what is not loaded is air.
func at(v View, p Pos) block.State {
	s, ok := v.Block(p)
	if !ok {
		return block.Air.Default()
	}
	return s
}

func vertical(d block.Direction) bool   { return d <= block.Up }
func horizontal(d block.Direction) bool { return d > block.Up }

// axis returns "x", "y" or "z".
func axis(d block.Direction) string {
	return [3]string{"y", "z", "x"}[d>>1]
}

// with sets a property that the state is known to have; one it lacks is left.
func with(s block.State, pairs ...string) block.State {
	for i := 0; i+1 < len(pairs); i += 2 {
		if t, ok := s.With(pairs[i], pairs[i+1]); ok {
			s = t
		}
	}
	return s
}

func has(s block.State, property string) bool {
	return s.Block().PropertyIndex(property) >= 0
}

// is reports whether a property has a value; one the state lacks has none.
func is(s block.State, property, value string) bool { return s.Property(property) == value }

func flag(b bool) string { return strconv.FormatBool(b) }

// number returns a property as a number, 0 if it is none.
func number(s block.State, property string) int {
	n, _ := strconv.Atoi(s.Property(property))
	return n
}

func withNumber(s block.State, property string, n int) block.State {
	return with(s, property, strconv.Itoa(n))
}

// facing returns the direction of the property facing, Up if there is none.
func facing(s block.State) block.Direction { return direction(s.Property("facing")) }

func direction(name string) block.Direction {
	for d := block.Down; d <= block.East; d++ {
		if d.String() == name {
			return d
		}
	}
	return block.Up
}

func kind(s block.State) string { return strings.TrimPrefix(s.Block().Kind(), "minecraft:") }

// name returns the block's name without namespace.
func name(s block.State) string { return strings.TrimPrefix(s.Block().Name(), "minecraft:") }

func find(short string) (block.ID, bool) { return block.Find("minecraft:" + short) }

// withProperties takes over those properties of another state that both have.
func withProperties(to, from block.State) block.State {
	for k, v := range from.Values() {
		to = with(to, k, v)
	}
	return to
}

// water reports whether a block is, or holds, a source of water.
func water(s block.State) bool { return s.Fluid() == block.WaterFluid && s.FluidSource() }

// remains is what is left where a block goes: its water, or air.
func remains(s block.State) block.State {
	if s.Fluid() == block.WaterFluid && s.Block() != block.Water {
		return block.Water.Default()
	}
	return block.Air.Default()
}

// flood sets waterlogged, where there is that property, by what was there.
func flood(s, before block.State) block.State { return with(s, "waterlogged", flag(water(before))) }
