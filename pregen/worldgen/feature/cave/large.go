package cave

import (
	"math"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/sine"
)

// large is the feature large_dripstone: a stalactite and a stalagmite below it,
// as wide as caves are high, that the wind bends.
type large struct {
	replaceable, rock   *feature.Blocks
	search              int
	radius              provider.Int
	scale               provider.Float
	ratio               float32        // of the radius to the height of the cave
	titeBlunt, mitBlunt provider.Float // of stalactites and stalagmites
	wind                provider.Float
	windRadius          int     // of those that wind bends
	windBluntness       float32 // the least
	clamped             bool    // keep to the chunks beside, as from 26.2 on
}

func newLarge(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := &large{clamped: config.Has("replaceable_blocks")}
	var err error
	if f.clamped {
		f.replaceable, err = l.MemberBlocks(config, "replaceable_blocks")
	} else {
		f.replaceable, err = l.OptionalTag("minecraft:dripstone_replaceable_blocks")
	}
	if err != nil {
		return nil, err
	}
	if f.rock, err = l.OptionalTag("minecraft:base_stone_overworld"); err != nil {
		return nil, err
	}
	search, err := feature.Number(config, "floor_to_ceiling_search_range", 1, 512, 30)
	if err != nil {
		return nil, err
	}
	f.search = int(search)
	if f.radius, err = l.Int(config, "column_radius", 1, 60); err != nil {
		return nil, err
	}
	member, err := config.Member("min_radius_for_wind")
	if err != nil {
		return nil, err
	}
	least, err := member.Int(0, 100)
	if err != nil {
		return nil, err
	}
	f.windRadius = int(least)
	if f.windBluntness, err = feature.Float(config, "min_bluntness_for_wind", 0, 5); err != nil {
		return nil, err
	}
	if f.ratio, err = feature.Float(config, "max_column_radius_to_cave_height_ratio", 0.1, 1); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		name      string
		to        *provider.Float
		low, high float32
	}{
		{"height_scale", &f.scale, 0, 20},
		{"stalactite_bluntness", &f.titeBlunt, 0.1, 10},
		{"stalagmite_bluntness", &f.mitBlunt, 0.1, 10},
		{"wind_speed", &f.wind, 0, 2},
	} {
		if *p.to, err = feature.FloatProvider(config, p.name, p.low, p.high); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// fluidOrAir reports whether a block is air, water or lava.
func fluidOrAir(s block.State) bool { return hollow(s) || s.Block() == block.Lava }

func (f *large) Place(c *feature.Context, x, y, z int) bool {
	p := place{x, y, z}
	if !hollow(at(c, p)) {
		return false
	}
	ceiling, ok := scan(c, p, 1, f.search, f.ends)
	if !ok {
		return false
	}
	floor, ok := scan(c, p, -1, f.search, f.ends)
	if !ok || ceiling-floor-1 < 4 {
		return false
	}
	widest := int32(float32(ceiling-floor-1) * f.ratio)
	least := f.radius.Min()
	radius := int(rng.Between(c.Random, least, min(max(widest, least), f.radius.Max())))
	tite := f.cone(c, place{x, ceiling - 1, z}, -1, radius, &f.titeBlunt)
	mite := f.cone(c, place{x, floor + 1, z}, 1, radius, &f.mitBlunt)
	w := wind{most: math.MaxInt32}
	if f.bends(&tite) && f.bends(&mite) {
		w = f.blow(c, y, radius)
	}
	titeStands := tite.sink(c, w)
	mitStands := mite.sink(c, w)
	if titeStands {
		f.build(c, &tite, w)
	}
	if mitStands {
		f.build(c, &mite, w)
	}
	return true
}

// ends reports whether a block is floor or ceiling.
func (f *large) ends(s block.State) bool {
	return s.Block() == block.DripstoneBlock || s.Block() == block.Lava || f.replaceable.Has(s)
}

func (f *large) bends(d *cone) bool {
	return d.radius >= f.windRadius && d.bluntness >= float64(f.windBluntness)
}

// wind moves blocks the more the farther they are above or below a height.
type wind struct {
	y    int
	x, z float64 // blocks for each block
	most int
}

func (f *large) blow(c *feature.Context, y, radius int) wind {
	speed := f.wind.Sample(c.Random)
	angle := float64(float32(c.Random.Float() * math.Pi))
	table := sine.Get()
	w := wind{y: y, x: float64(table.Cos(angle) * speed), z: float64(table.Sin(angle) * speed), most: math.MaxInt32}
	if f.clamped {
		w.most = 16 - radius
	}
	return w
}

// moved is where the wind moves a place.
func (w wind) moved(p place) place {
	dy := float64(w.y - p.y)
	p.x += min(max(int(math.Floor(float64(w.x*dy))), -w.most), w.most)
	p.z += min(max(int(math.Floor(float64(w.z*dy))), -w.most), w.most)
	return p
}

// cone is a stalactite or a stalagmite.
type cone struct {
	root             place
	step             int // along y
	radius           int
	bluntness, scale float64
}

func (f *large) cone(c *feature.Context, root place, step, radius int, bluntness *provider.Float) cone {
	d := cone{root: root, step: step, radius: radius}
	d.bluntness = float64(bluntness.Sample(c.Random))
	d.scale = float64(f.scale.Sample(c.Random))
	return d
}

// height is that of the cone at a distance from its axis.
func (d *cone) height(away float64) int {
	const most = 0.384
	share := max(away, d.bluntness) / float64(d.radius) * most
	root := cubeRoot(share)
	square := float64(root * root)
	height := d.scale * (float64(0.75*float64(square*square)) - square - float64(1.0/3*logarithm(share)))
	return int(max(height, 0) / most * float64(d.radius))
}

// sink moves a cone back until its base is in stone, and makes it smaller if it
// has to be; it reports whether there is such a place.
func (d *cone) sink(c *feature.Context, w wind) bool {
	for ; d.radius > 1; d.radius /= 2 {
		root := d.root
		for range min(10, d.height(0)) {
			if at(c, root).Block() == block.Lava {
				return false
			}
			if embedded(c, w.moved(root), d.radius) {
				d.root = root
				return true
			}
			root.y -= d.step
		}
	}
	return false
}

// embedded reports whether a circle is in stone, at points around it.
func embedded(c *feature.Context, p place, radius int) bool {
	if fluidOrAir(at(c, p)) {
		return false
	}
	table := sine.Get()
	step := 6 / float32(radius)
	for angle := float32(0); angle < 2*math.Pi; angle += step {
		x := int(float32(table.Cos(float64(angle)) * float32(radius)))
		z := int(float32(table.Sin(float64(angle)) * float32(radius)))
		if fluidOrAir(c.Block(p.x+x, p.y, p.z+z)) {
			return false
		}
	}
	return true
}

// build builds a cone, column by column.
func (f *large) build(c *feature.Context, d *cone, w wind) {
	for dx := -d.radius; dx <= d.radius; dx++ {
		for dz := -d.radius; dz <= d.radius; dz++ {
			away := float32(math.Sqrt(float64(dx*dx + dz*dz)))
			if away > float32(d.radius) {
				continue
			}
			height := d.height(float64(away))
			if height <= 0 {
				continue
			}
			if c.Random.Float() < 0.2 {
				height = int(float32(height) * rng.FloatBetween(c.Random, 0.8, 1))
			}
			f.buildColumn(c, d, w, place{d.root.x + dx, d.root.y, d.root.z + dz}, height)
		}
	}
}

func (f *large) buildColumn(c *feature.Context, d *cone, w wind, p place, height int) {
	top := math.MaxInt32
	if d.step > 0 {
		top = c.Height(chunk.WorldSurfaceWG, p.x, p.z)
	}
	out := false // whether the column has left the stone
	for i := 0; i < height && p.y < top; i++ {
		to := w.moved(p)
		if s := at(c, to); fluidOrAir(s) {
			out = true
			set(c, to, block.DripstoneBlock.Default())
		} else if out && f.rock.Has(s) {
			return
		}
		p.y += d.step
	}
}
