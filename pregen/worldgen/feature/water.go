package feature

import (
	"strconv"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/provider"
)

// seagrass is the feature seagrass.
type seagrass struct {
	tall     float64 // chance
	survival *Survival
}

func newSeagrass(l *Loader, config provider.Value) (Feature, error) {
	tall, err := Float(config, "probability", 0, 1)
	if err != nil {
		return nil, err
	}
	survival, err := l.Survival()
	return seagrass{float64(tall), survival}, err
}

func (f seagrass) Place(c *Context, x, _, z int) bool {
	x += int(c.Random.IntN(8))
	x -= int(c.Random.IntN(8))
	z += int(c.Random.IntN(8))
	z -= int(c.Random.IntN(8))
	y := c.Height(chunk.OceanFloor, x, z)
	if c.Block(x, y, z).Block() != block.Water {
		return false
	}
	tall := c.Random.Double() < f.tall
	state := block.Seagrass.Default()
	if tall {
		state = block.TallSeagrass.Default()
	}
	if !f.survival.Survives(c.View, state, x, y, z) {
		return false
	}
	if !tall {
		c.Set(x, y, z, state)
		return true
	}
	if c.Block(x, y+1, z).Block() == block.Water {
		upper, _ := state.With("half", "upper")
		c.Set(x, y, z, state)
		c.Set(x, y+1, z, upper)
	}
	return true
}

// kelp is the feature kelp.
type kelp struct{ survival *Survival }

func newKelp(l *Loader, _ provider.Value) (Feature, error) {
	survival, err := l.Survival()
	return kelp{survival}, err
}

func (f kelp) Place(c *Context, x, _, z int) bool {
	y := c.Height(chunk.OceanFloor, x, z)
	water := func(y int) bool { return c.Block(x, y, z).Block() == block.Water }
	if !water(y) {
		return false
	}
	stem := block.KelpPlant.Default()
	head := func() block.State {
		s, _ := block.Kelp.Default().With("age", strconv.Itoa(int(c.Random.IntN(4))+20))
		return s
	}
	height := 1 + int(c.Random.IntN(10))
	for i := 0; i <= height; i++ {
		if !water(y) || !water(y+1) || !f.survival.Survives(c.View, stem, x, y, z) {
			if i > 0 && f.survival.Survives(c.View, block.Kelp.Default(), x, y-1, z) && c.Block(x, y-2, z).Block() != block.Kelp {
				c.Set(x, y-1, z, head())
				return true
			}
			return false
		}
		if i == height {
			c.Set(x, y, z, head())
			return true
		}
		c.Set(x, y, z, stem)
		y++
	}
	return false
}

// magma is the feature underwater_magma.
type magma struct {
	search, radius int
	chance         float32
}

func newMagma(_ *Loader, config provider.Value) (Feature, error) {
	f := magma{}
	for name, field := range map[string]struct {
		to   *int
		most int32
	}{"floor_search_range": {&f.search, 512}, "placement_radius_around_floor": {&f.radius, 64}} {
		member, err := config.Member(name)
		if err != nil {
			return nil, err
		}
		value, err := member.Int(0, field.most)
		if err != nil {
			return nil, err
		}
		*field.to = int(value)
	}
	var err error
	f.chance, err = Float(config, "placement_probability_per_valid_position", 0, 1)
	return f, err
}

func (f magma) Place(c *Context, x, y, z int) bool {
	y, ok := f.floor(c.View, x, y, z)
	if !ok {
		return false
	}
	placed := false
	for pz := z - f.radius; pz <= z+f.radius; pz++ {
		for py := y - f.radius; py <= y+f.radius; py++ {
			for px := x - f.radius; px <= x+f.radius; px++ {
				if c.Random.Float() < f.chance && hidden(c.View, px, py, pz) {
					c.Set(px, py, pz, block.MagmaBlock.Default())
					placed = true
				}
			}
		}
	}
	return placed
}

// floor finds the block below the water at a place.
func (f magma) floor(v *View, x, y, z int) (int, bool) {
	water := func() bool { return v.Block(x, y, z).Block() == block.Water }
	if !water() {
		return 0, false
	}
	for i := 1; i < f.search && water(); i++ {
		y--
	}
	return y, !water()
}

// hidden reports whether a block of the ground shows at its top at most.
func hidden(v *View, x, y, z int) bool {
	if s := v.Block(x, y, z); s.Block() == block.Water || s.Air() || !walls(v.Block(x, y-1, z), block.Up) {
		return false
	}
	for i, d := range beside {
		if !walls(v.Block(x+d[0], y, z+d[1]), toward[i].Opposite()) {
			return false
		}
	}
	return true
}

// walls reports whether a block hides what is behind a side of it.
func walls(s block.State, side block.Direction) bool {
	return s.Occludes() && (s.FullCollision() || covers(s.Collision(), side, 0, 16))
}
