package feature

import (
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// geode is the feature geode: shells around some points, with a crack.
type geode struct {
	filling, inner, alternate, middle, outer Provider
	buds                                     []block.State
	keep, invalid                            *Blocks

	// layers are where shells end, as distances, the innermost first.
	layers      [4]float64
	crackChance float64
	crackSize   float64
	crackOffset int32
	budChance   float64
	altChance   float64
	budsOnAlt   bool
	wall        provider.Int
	points      provider.Int
	offset      provider.Int
	low, high   int32 // of the cube that it lies in
	noise       float64
	threshold   int32
}

// maxGeode bounds half the size of a geode's cube, since all its blocks are
// looked at. The game has 16.
const maxGeode = 48

func newGeode(l *Loader, config provider.Value) (Feature, error) {
	f := &geode{}
	if err := f.readBlocks(l, config); err != nil {
		return nil, err
	}
	if err := f.readForm(config); err != nil {
		return nil, err
	}
	return f, f.readCounts(l, config)
}

func (f *geode) readBlocks(l *Loader, config provider.Value) error {
	blocks, err := config.Member("blocks")
	if err != nil {
		return err
	}
	for name, field := range map[string]*Provider{
		"filling_provider": &f.filling, "inner_layer_provider": &f.inner, "alternate_inner_layer_provider": &f.alternate,
		"middle_layer_provider": &f.middle, "outer_layer_provider": &f.outer,
	} {
		if *field, err = l.MemberProvider(blocks, name); err != nil {
			return err
		}
	}
	for name, field := range map[string]**Blocks{"cannot_replace": &f.keep, "invalid_blocks": &f.invalid} {
		member, err := blocks.Member(name)
		if err != nil {
			return err
		}
		if *field, err = l.Blocks(member); err != nil {
			return err
		}
	}
	member, err := blocks.Member("inner_placements")
	if err != nil {
		return err
	}
	f.buds, err = l.States(member)
	return err
}

// optionalDouble reads a member that is a number of low to high.
func optionalDouble(v provider.Value, name string, low, high, standard float64) (float64, error) {
	member, ok, err := v.Optional(name)
	if err != nil || !ok {
		return standard, err
	}
	value, err := member.Float64()
	if err == nil && (value < low || value > high) {
		err = member.Errorf("%v is not in %v to %v", value, low, high)
	}
	return value, err
}

// readForm reads layers, crack and chances; most have defaults.
func (f *geode) readForm(config provider.Value) error {
	layers, err := config.Member("layers")
	if err != nil {
		return err
	}
	crack, err := config.Member("crack")
	if err != nil {
		return err
	}
	for _, n := range []struct {
		from                provider.Value
		name                string
		low, high, standard float64
		to                  *float64
	}{
		{layers, "filling", 0.01, 50, 1.7, &f.layers[0]},
		{layers, "inner_layer", 0.01, 50, 2.2, &f.layers[1]},
		{layers, "middle_layer", 0.01, 50, 3.2, &f.layers[2]},
		{layers, "outer_layer", 0.01, 50, 4.2, &f.layers[3]},
		{crack, "generate_crack_chance", 0, 1, 1, &f.crackChance},
		{crack, "base_crack_size", 0, 5, 2, &f.crackSize},
		{config, "use_potential_placements_chance", 0, 1, 0.35, &f.budChance},
		{config, "use_alternate_layer0_chance", 0, 1, 0, &f.altChance},
		{config, "noise_multiplier", 0, 1, 0.05, &f.noise},
	} {
		if *n.to, err = optionalDouble(n.from, n.name, n.low, n.high, n.standard); err != nil {
			return err
		}
	}
	f.crackOffset, err = Number(crack, "crack_point_offset", 0, 10, 2)
	return err
}

func (f *geode) readCounts(l *Loader, config provider.Value) (err error) {
	f.budsOnAlt = true
	if member, ok, _ := config.Optional("placements_require_layer0_alternate"); ok {
		if f.budsOnAlt, err = member.Bool(); err != nil {
			return err
		}
	}
	for _, n := range []struct {
		name     string
		standard [2]int32
		to       *provider.Int
	}{
		{"outer_wall_distance", [2]int32{4, 5}, &f.wall},
		{"distribution_points", [2]int32{3, 4}, &f.points},
		{"point_offset", [2]int32{1, 2}, &f.offset},
	} {
		*n.to = provider.UniformInt(n.standard[0], n.standard[1])
		if config.Has(n.name) {
			if *n.to, err = l.Int(config, n.name, 1, 20); err != nil {
				return err
			}
		}
	}
	if f.low, err = Number(config, "min_gen_offset", -maxGeode, maxGeode, -16); err != nil {
		return err
	}
	if f.high, err = Number(config, "max_gen_offset", -maxGeode, maxGeode, 16); err != nil {
		return err
	}
	member, err := config.Member("invalid_blocks_threshold")
	if err != nil {
		return err
	}
	f.threshold, err = member.Int(math.MinInt32, math.MaxInt32)
	return err
}

// geodePoint is a point that a geode or its crack lies around.
type geodePoint struct {
	x, y, z int
	offset  float64
}

// nearness sums up how near a place is to points.
func nearness(points []geodePoint, x, y, z int, wobble float64) float64 {
	sum := 0.0
	for _, p := range points {
		dx, dy, dz := float64(x-p.x), float64(y-p.y), float64(z-p.z)
		sum += 1/math.Sqrt(float64(dx*dx)+float64(dy*dy)+float64(dz*dz)+p.offset) + wobble
	}
	return sum
}

// geodeForm is what was drawn for a geode: its points, and how near to them
// the layers and the crack begin.
type geodeForm struct {
	points, crack                         [20]geodePoint
	count, cracks                         int
	filling, inner, middle, outer, crack0 float64
}

// draw draws the form of a geode, and returns false if it would lie in the open.
func (f *geode) draw(c *Context, form *geodeForm, x, y, z int) bool {
	form.count = int(f.points.Sample(c.Random))
	grow := float64(form.count) / float64(f.wall.Max())
	form.filling = 1 / math.Sqrt(f.layers[0])
	form.inner = 1 / math.Sqrt(f.layers[1]+grow)
	form.middle = 1 / math.Sqrt(f.layers[2]+grow)
	form.outer = 1 / math.Sqrt(f.layers[3]+grow)
	size := f.crackSize + float64(c.Random.Double()/2)
	if form.count > 3 {
		size += grow
	}
	form.crack0 = 1 / math.Sqrt(size)
	cracked := float64(c.Random.Float()) < f.crackChance
	open := int32(0)
	for i := range form.count {
		p := &form.points[i]
		p.x = x + int(f.wall.Sample(c.Random))
		p.y = y + int(f.wall.Sample(c.Random))
		p.z = z + int(f.wall.Sample(c.Random))
		if s := c.Block(p.x, p.y, p.z); s.Air() || f.invalid.Has(s) {
			if open++; open > f.threshold {
				return false
			}
		}
		p.offset = float64(f.offset.Sample(c.Random))
	}
	form.cracks = 0
	if cracked {
		f.drawCrack(c, form, x, y, z)
	}
	return true
}

func (f *geode) drawCrack(c *Context, form *geodeForm, x, y, z int) {
	side := c.Random.IntN(4)
	away := form.count*2 + 1
	dx, dz := 0, 0
	if side == 0 || side == 2 {
		dx = away
	}
	if side == 1 || side == 2 {
		dz = away
	}
	for i, dy := range [...]int{7, 5, 1} {
		form.crack[i] = geodePoint{x + dx, y + dy, z + dz, float64(f.crackOffset)}
	}
	form.cracks = 3
}

func (f *geode) Place(c *Context, x, y, z int) bool {
	var form geodeForm
	if !f.draw(c, &form, x, y, z) {
		return false
	}
	// The noise depends on the world alone.
	source := rng.NewWorldgenLegacy(c.Seed)
	wobble, err := noise.NewNormal(&source, noise.Parameters{FirstOctave: -4, Amplitudes: []float64{1}})
	if err != nil {
		panic(err) // the parameters are constant
	}
	var buds []offset
	for pz := z + int(f.low); pz <= z+int(f.high); pz++ {
		for py := y + int(f.low); py <= y+int(f.high); py++ {
			for px := x + int(f.low); px <= x+int(f.high); px++ {
				w := float64(wobble.At(float64(px), float64(py), float64(pz)) * f.noise)
				near := nearness(form.points[:form.count], px, py, pz, w)
				if near < form.outer {
					continue
				}
				if form.cracks > 0 && near < form.filling && nearness(form.crack[:form.cracks], px, py, pz, w) >= form.crack0 {
					f.split(c, px, py, pz)
					continue
				}
				if f.layer(c, &form, near, px, py, pz) {
					buds = append(buds, offset{px, py, pz})
				}
			}
		}
	}
	for _, p := range buds {
		f.bud(c, p)
	}
	return true
}

// split opens a block of the crack.
func (f *geode) split(c *Context, x, y, z int) {
	f.set(c, x, y, z, 0)
	for _, d := range steps {
		px, py, pz := x+d[0], y+d[1], z+d[2]
		if name := fluidName(c.Block(px, py, pz)); name != "" {
			c.TickFluid(px, py, pz, name, 0)
		}
	}
}

// fluidName is the name of the fluid of a block, empty for none.
func fluidName(s block.State) string {
	return [...]string{
		emptyFluid: "", waterSource: "minecraft:water", waterFlowing: "minecraft:flowing_water",
		lavaSource: "minecraft:lava", lavaFlowing: "minecraft:flowing_lava",
	}[fluidBit(s)]
}

// layer sets a block of a shell and reports whether a bud may grow on it.
func (f *geode) layer(c *Context, form *geodeForm, near float64, x, y, z int) bool {
	layer := f.outer
	inner, other := false, false
	switch {
	case near >= form.filling:
		layer = f.filling
	case near >= form.inner:
		layer, inner = f.inner, true
		if other = float64(c.Random.Float()) < f.altChance; other {
			layer = f.alternate
		}
	case near >= form.middle:
		layer = f.middle
	}
	if state, ok := layer.State(c, x, y, z); ok {
		f.set(c, x, y, z, state)
	}
	return inner && (!f.budsOnAlt || other) && float64(c.Random.Float()) < f.budChance
}

// set sets a block unless what is there stays.
func (f *geode) set(c *Context, x, y, z int, s block.State) {
	if !f.keep.Has(c.Block(x, y, z)) {
		c.Set(x, y, z, s)
	}
}

// bud grows a bud from a block into the first side with room.
func (f *geode) bud(c *Context, p offset) {
	state := f.buds[c.Random.IntN(int32(len(f.buds)))]
	for side, d := range steps {
		if turned, ok := state.With("facing", block.Direction(side).String()); ok {
			state = turned
		}
		x, y, z := p.x+d[0], p.y+d[1], p.z+d[2]
		room := c.Block(x, y, z)
		value := "false"
		if room.FluidSource() {
			value = "true"
		}
		if with, ok := state.With("waterlogged", value); ok {
			state = with
		}
		if room.Air() || room.Block() == block.Water && room.FluidAmount() == block.FullFluid {
			f.set(c, x, y, z, state)
			return
		}
	}
}
