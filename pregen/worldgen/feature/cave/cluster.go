package cave

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// cluster is the feature speleothem_cluster: stalactites and stalagmites in a
// rectangle of columns.
type cluster struct {
	*stone
	rock             *feature.Blocks // beside pools
	search           int
	height, radius   provider.Int
	difference       int32 // of a stalagmite to the stalactite above
	deviation        float32
	thickness        provider.Int // of the base
	density, wetness provider.Float
	farChance        float32 // at the edge
	edge, center     float32 // distances
}

// clusterNames are the names of members that 26.2 changed.
type clusterNames struct{ thickness, chance, edge string }

func newCluster(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	stone, err := newStone(l, config)
	if err != nil {
		return nil, err
	}
	return readCluster(l, stone, config, clusterNames{
		"speleothem_block_layer_thickness",
		"chance_of_speleothem_at_max_distance_from_center",
		"max_distance_from_edge_affecting_chance_of_speleothem",
	})
}

func newDripstoneCluster(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	stone, err := newDripstone(l)
	if err != nil {
		return nil, err
	}
	return readCluster(l, stone, config, clusterNames{
		"dripstone_block_layer_thickness",
		"chance_of_dripstone_column_at_max_distance_from_center",
		"max_distance_from_edge_affecting_chance_of_dripstone_column",
	})
}

func readCluster(l *feature.Loader, stone *stone, config provider.Value, names clusterNames) (feature.Feature, error) {
	f := &cluster{stone: stone}
	var search, difference, deviation, edge, center int32
	for _, n := range []struct {
		name      string
		to        *int32
		low, high int32
	}{
		{"floor_to_ceiling_search_range", &search, 1, 512},
		{"max_stalagmite_stalactite_height_diff", &difference, 0, 64},
		{"height_deviation", &deviation, 1, 64},
		{names.edge, &edge, 1, 64},
		{"max_distance_from_center_affecting_height_bias", &center, 1, 64},
	} {
		member, err := config.Member(n.name)
		if err != nil {
			return nil, err
		}
		if *n.to, err = member.Int(n.low, n.high); err != nil {
			return nil, err
		}
	}
	f.search, f.difference = int(search), difference
	f.deviation, f.edge, f.center = float32(deviation), float32(edge), float32(center)
	return f, f.readRandom(l, config, names)
}

func (f *cluster) readRandom(l *feature.Loader, config provider.Value, names clusterNames) (err error) {
	if f.height, err = l.Int(config, "height", 1, 128); err != nil {
		return err
	}
	if f.radius, err = l.Int(config, "radius", 1, 128); err != nil {
		return err
	}
	if f.thickness, err = l.Int(config, names.thickness, 0, 128); err != nil {
		return err
	}
	if f.density, err = feature.FloatProvider(config, "density", 0, 2); err != nil {
		return err
	}
	if f.wetness, err = feature.FloatProvider(config, "wetness", 0, 2); err != nil {
		return err
	}
	if f.farChance, err = feature.Float(config, names.chance, 0, 1); err != nil {
		return err
	}
	f.rock, err = l.OptionalTag("minecraft:base_stone_overworld")
	return err
}

// shape is what is drawn once for a cluster.
type shape struct {
	height           int
	wetness, density float32
}

func (f *cluster) Place(c *feature.Context, x, y, z int) bool {
	if !hollow(c.Block(x, y, z)) {
		return false
	}
	s := shape{height: int(f.height.Sample(c.Random))}
	s.wetness = f.wetness.Sample(c.Random)
	s.density = f.density.Sample(c.Random)
	radiusX := int(f.radius.Sample(c.Random))
	radiusZ := int(f.radius.Sample(c.Random))
	for dx := -radiusX; dx <= radiusX; dx++ {
		for dz := -radiusZ; dz <= radiusZ; dz++ {
			inside := min(radiusX-abs(dx), radiusZ-abs(dz))
			chance := float64(scale(float32(inside), f.edge, f.farChance, 1))
			f.column(c, place{x + dx, y, z + dz}, s, chance, abs(dx)+abs(dz))
		}
	}
	return true
}

// scale maps 0 to top on from to to, and what is beyond on these.
func scale(v, top, from, to float32) float32 {
	switch share := v / top; {
	case share < 0:
		return from
	case share > 1:
		return to
	default:
		return from + float32(share*(to-from))
	}
}

// column builds a column of a cluster. away is its distance from the center.
func (f *cluster) column(c *feature.Context, p place, s shape, chance float64, away int) {
	if !hollow(at(c, p)) {
		return
	}
	floor, hasFloor := f.scan(c, p, -1)
	ceiling, hasCeiling := f.scan(c, p, 1)
	if !hasFloor && !hasCeiling {
		return
	}
	if c.Random.Float() < s.wetness && hasFloor && f.holdsPool(c, place{p.x, floor, p.z}) {
		c.Set(p.x, floor, p.z, block.Water.Default())
		floor--
	}
	top, bottom := place{p.x, ceiling, p.z}, place{p.x, floor, p.z}
	down, up := 0, 0
	if c.Random.Double() < chance && hasCeiling && at(c, top).Block() != block.Lava {
		f.thicken(c, top, 1)
		most := s.height
		if hasFloor {
			most = min(most, ceiling-floor)
		}
		down = f.length(c.Random, away, s.density, most)
	}
	if c.Random.Double() < chance && hasFloor && at(c, bottom).Block() != block.Lava {
		f.thicken(c, bottom, -1)
		if hasCeiling {
			up = max(0, down+int(rng.Between(c.Random, -f.difference, f.difference)))
		} else {
			up = f.length(c.Random, away, s.density, s.height)
		}
	}
	if hasFloor && hasCeiling && ceiling-down <= floor+up {
		low, high := max(ceiling-down, floor+1), min(floor+up, ceiling-1)
		meet := int(rng.Between(c.Random, int32(low), int32(high)+1))
		down, up = ceiling-meet, meet-1-floor
	}
	merged := c.Random.Bool() && down > 0 && up > 0 && hasFloor && hasCeiling && down+up == ceiling-floor-1
	if hasCeiling {
		f.grow(c, top.below(), block.Down, down, merged)
	}
	if hasFloor {
		f.grow(c, bottom.above(), block.Up, up, merged)
	}
}

// scan returns the y of the first block that is not hollow, up or down.
func (f *cluster) scan(c *feature.Context, p place, step int) (y int, ok bool) {
	return scan(c, p, step, f.search, func(s block.State) bool { return !hollow(s) })
}

func scan(c *feature.Context, p place, step, most int, end func(block.State) bool) (y int, ok bool) {
	for i := 1; i < most && hollow(at(c, p)); i++ {
		p.y += step
	}
	return p.y, end(at(c, p))
}

// thicken turns blocks behind a surface to the base.
func (f *cluster) thicken(c *feature.Context, p place, step int) {
	for range f.thickness.Sample(c.Random) {
		if !f.replace(c, p) {
			return
		}
		p.y += step
	}
}

// length draws how long a speleothem is.
func (f *cluster) length(r *rng.Worldgen, away int, density float32, most int) int {
	if r.Float() > density {
		return 0
	}
	mean := float32(scaleDouble(float64(away), float64(f.center), float64(float64(most)/2), 0))
	length := mean + float32(float32(r.Gaussian())*f.deviation)
	return int(min(max(length, 0), float32(most)))
}

// scaleDouble is scale in double precision.
func scaleDouble(v, top, from, to float64) float64 {
	switch share := v / top; {
	case share < 0:
		return from
	case share > 1:
		return to
	default:
		return from + float64(share*(to-from))
	}
}

// holdsPool reports whether a block of the floor may be water.
func (f *cluster) holdsPool(c *feature.Context, p place) bool {
	switch at(c, p).Block() {
	case block.Water, f.base.Block(), f.point:
		return false
	}
	if holdsWater(at(c, p.above())) {
		return false
	}
	for _, d := range horizontal {
		if !f.dams(at(c, p.to(d))) {
			return false
		}
	}
	return f.dams(at(c, p.below()))
}

// dams reports whether a block may be beside a pool.
func (f *cluster) dams(s block.State) bool { return f.rock.Has(s) || holdsWater(s) }
