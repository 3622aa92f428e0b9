package feature

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
)

// The size of a lake's form; its fluid stands below the middle.
const (
	lakeAcross = 16
	lakeHeight = 8
	lakeCells  = lakeAcross * lakeAcross * lakeHeight
	lakeLevel  = lakeHeight / 2
)

// lake is the feature lake.
type lake struct {
	fluid, barrier            Provider
	place, hollow, barricades Predicate
}

func newLake(l *Loader, config provider.Value) (Feature, error) {
	f := lake{}
	for name, field := range map[string]*Provider{"fluid": &f.fluid, "barrier": &f.barrier} {
		var err error
		if *field, err = l.MemberProvider(config, name); err != nil {
			return nil, err
		}
	}
	if !config.Has("can_place_feature") && !config.Has("can_replace_with_air_or_fluid") && !config.Has("can_replace_with_barrier") {
		return f.fixed(l)
	}
	for name, field := range map[string]*Predicate{
		"can_place_feature": &f.place, "can_replace_with_air_or_fluid": &f.hollow, "can_replace_with_barrier": &f.barricades,
	} {
		var err error
		if *field, err = l.MemberPredicate(config, name); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// fixed sets what lakes of versions before 26.2 keep clear of, which their
// documents do not say.
func (f lake) fixed(l *Loader) (Feature, error) {
	keep, err := l.OptionalTag("minecraft:features_cannot_replace")
	if err != nil {
		return nil, err
	}
	bare, err := l.OptionalTag("minecraft:lava_pool_stone_cannot_replace")
	if err != nil {
		return nil, err
	}
	f.place = anything{}
	f.hollow = negated{matching{set: keep}}
	f.barricades = negated{matching{set: bare}}
	return f, nil
}

// lakeForm says which cells are inside.
type lakeForm [lakeCells]bool

func (f *lakeForm) inside(x, y, z int) bool {
	if uint(x) >= lakeAcross || uint(z) >= lakeAcross || uint(y) >= lakeHeight {
		return false
	}
	return f[(x*lakeAcross+z)*lakeHeight+y]
}

// shell reports whether a cell is outside and beside one that is inside.
func (f *lakeForm) shell(x, y, z int) bool {
	return !f.inside(x, y, z) && (f.inside(x+1, y, z) || f.inside(x-1, y, z) || f.inside(x, y, z+1) ||
		f.inside(x, y, z-1) || f.inside(x, y+1, z) || f.inside(x, y-1, z))
}

// draw makes the form of some ellipsoids.
func (f *lakeForm) draw(c *Context) {
	clear(f[:])
	for range c.Random.IntN(4) + 4 {
		width := float64(c.Random.Double()*6) + 3
		height := float64(c.Random.Double()*4) + 2
		depth := float64(c.Random.Double()*6) + 3
		midX := float64(c.Random.Double()*(16-width-2)) + 1 + float64(width/2)
		midY := float64(c.Random.Double()*(8-height-4)) + 2 + float64(height/2)
		midZ := float64(c.Random.Double()*(16-depth-2)) + 1 + float64(depth/2)
		for x := 1; x < lakeAcross-1; x++ {
			for z := 1; z < lakeAcross-1; z++ {
				for y := 1; y < lakeHeight-1; y++ {
					dx := (float64(x) - midX) / (width / 2)
					dy := (float64(y) - midY) / (height / 2)
					dz := (float64(z) - midZ) / (depth / 2)
					if float64(dx*dx)+float64(dy*dy)+float64(dz*dz) < 1 {
						f[(x*lakeAcross+z)*lakeHeight+y] = true
					}
				}
			}
		}
	}
}

// lakeEach calls a function for the cells of a lake, in the game's order, until it
// returns false.
func lakeEach(do func(x, y, z int) bool) bool {
	for x := range lakeAcross {
		for z := range lakeAcross {
			for y := range lakeHeight {
				if !do(x, y, z) {
					return false
				}
			}
		}
	}
	return true
}

func (f lake) Place(c *Context, x0, y0, z0 int) bool {
	if y0 <= c.MinY()+4 {
		return false
	}
	x0, y0, z0 = x0-lakeAcross/2, y0-lakeLevel, z0-lakeAcross/2
	form := &c.scratch.lake
	form.draw(c)
	fluid, ok := f.fluid.State(c, x0, y0, z0)
	if !ok {
		return false
	}
	fits := lakeEach(func(x, y, z int) bool {
		if !form.shell(x, y, z) {
			return true
		}
		s := c.Block(x0+x, y0+y, z0+z)
		if y >= lakeLevel && liquid(s) || y < lakeLevel && !Solid(s) && s != fluid {
			return false
		}
		return f.place.Test(c.View, x0+x, y0+y, z0+z)
	})
	if !fits {
		return false
	}
	lakeEach(func(x, y, z int) bool {
		px, py, pz := x0+x, y0+y, z0+z
		if !form.inside(x, y, z) || !f.hollow.Test(c.View, px, py, pz) {
			return true
		}
		if y < lakeLevel {
			c.Set(px, py, pz, fluid)
			return true
		}
		c.Set(px, py, pz, caveAir)
		c.TickBlock(px, py, pz, 0)
		c.MarkAbove(px, py, pz)
		return true
	})
	f.wall(c, form, x0, y0, z0)
	if fluid.Fluid() == block.WaterFluid {
		f.freeze(c, x0, y0+lakeLevel, z0)
	}
	return true
}

var caveAir = block.CaveAir.Default()

// wall puts the barrier around a lake, with holes above the fluid.
func (f lake) wall(c *Context, form *lakeForm, x0, y0, z0 int) {
	barrier, ok := f.barrier.State(c, x0, y0, z0)
	if !ok || barrier.Air() {
		return
	}
	lakeEach(func(x, y, z int) bool {
		px, py, pz := x0+x, y0+y, z0+z
		if !form.shell(x, y, z) || y >= lakeLevel && c.Random.IntN(2) == 0 {
			return true
		}
		if Solid(c.Block(px, py, pz)) && f.barricades.Test(c.View, px, py, pz) {
			c.Set(px, py, pz, barrier)
			c.MarkAbove(px, py, pz)
		}
		return true
	})
}

// freeze turns the surface of a lake to ice where it is cold.
func (f lake) freeze(c *Context, x0, y, z0 int) {
	for x := x0; x < x0+lakeAcross; x++ {
		for z := z0; z < z0+lakeAcross; z++ {
			biome := &c.Climate[c.Biome(x, y, z)]
			if biome.ColdEnoughToSnow(x, y, z, c.SeaLevel()) && freezes(c.Block(x, y, z)) && f.hollow.Test(c.View, x, y, z) {
				c.Set(x, y, z, ice)
			}
		}
	}
}
