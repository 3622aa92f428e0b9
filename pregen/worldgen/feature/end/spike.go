package end

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// spikes is the feature end_spike: all of them that stand in a chunk.
type spikes struct {
	list         []spike // empty for those of the world's seed
	beamTarget   *[3]int32
	invulnerable bool
}

// spike is a pillar of obsidian.
type spike struct {
	x, z, radius int
	height       int // y of the top
	guarded      bool
}

const (
	maxSpikes      = 1024
	maxSpikeRadius = 64
	maxSpikeHeight = 4096
)

func newSpikes(_ *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := spikes{}
	var err error
	if f.invulnerable, err = truth(config, "crystal_invulnerable"); err != nil {
		return nil, err
	}
	if f.beamTarget, err = place(config, "crystal_beam_target"); err != nil {
		return nil, err
	}
	m, err := config.Member("spikes")
	if err != nil {
		return nil, err
	}
	list, ok := m.List()
	if !ok || len(list) > maxSpikes {
		return nil, m.Errorf("not a list of at most %d", maxSpikes)
	}
	for _, element := range list {
		s, err := readSpike(element)
		if err != nil {
			return nil, err
		}
		f.list = append(f.list, s)
	}
	return f, nil
}

// readSpike reads a spike; all that it does not say is 0.
func readSpike(v provider.Value) (s spike, err error) {
	if s.guarded, err = truth(v, "guarded"); err != nil {
		return s, err
	}
	for _, n := range []struct {
		name      string
		low, high int32
		to        *int
	}{
		{"centerX", -worldEdge, worldEdge, &s.x}, {"centerZ", -worldEdge, worldEdge, &s.z},
		{"radius", 0, maxSpikeRadius, &s.radius}, {"height", 0, maxSpikeHeight, &s.height},
	} {
		m, ok, err := v.Optional(n.name)
		if err != nil {
			return s, err
		}
		if !ok {
			continue
		}
		value, err := m.Int(n.low, n.high)
		if err != nil {
			return s, err
		}
		*n.to = int(value)
	}
	return s, nil
}

// ring is where the spikes of a world stand: ten places on a circle of 42
// blocks, each rounded down.
var ring = [...][2]int{
	{42, 0}, {33, 24}, {12, 39}, {-13, 39}, {-34, 24}, {-42, -1}, {-34, -25}, {-13, -40}, {12, -40}, {33, -25},
}

// spikesOf returns the spikes of a world.
func spikesOf(seed int64) (list [len(ring)]spike) {
	world := rng.NewLegacy(seed)
	order := rng.NewLegacy(world.Long() & 0xffff)
	var ranks [len(ring)]int
	for i := range ranks {
		ranks[i] = i
	}
	rng.Shuffle(&order, ranks[:])
	for i, rank := range ranks {
		list[i] = spike{
			x: ring[i][0], z: ring[i][1], radius: 2 + rank/3, height: 76 + 3*rank,
			guarded: rank == 1 || rank == 2,
		}
	}
	return list
}

// farthest is how far from the middle along x or z a chunk may be and have
// spikes of the world.
const farthest = 48

func (f spikes) Place(c *feature.Context, x, _, z int) bool {
	list := f.list
	if len(list) == 0 {
		if min(x, z) < -farthest || max(x, z) > farthest {
			return true
		}
		own := spikesOf(c.Seed)
		list = own[:]
	}
	for i := range list {
		if s := &list[i]; s.x>>4 == x>>4 && s.z>>4 == z>>4 {
			f.build(c, s)
		}
	}
	return true
}

// clearAbove is the y above which all around a spike is cleared.
const clearAbove = 65

func (f spikes) build(c *feature.Context, s *spike) {
	for dz := -s.radius; dz <= s.radius; dz++ {
		for dx := -s.radius; dx <= s.radius; dx++ {
			within := dx*dx+dz*dz <= s.radius*s.radius+1
			for y := c.MinY(); y <= s.height+10; y++ {
				if within && y < s.height {
					c.Set(s.x+dx, y, s.z+dz, block.Obsidian.Default())
				} else if y > clearAbove {
					c.Set(s.x+dx, y, s.z+dz, 0)
				}
			}
		}
	}
	if s.guarded {
		cage(c, s)
	}
	f.crystal(c, s)
}

// cage builds bars around the top of a spike, with a lid.
func cage(c *feature.Context, s *spike) {
	for dx := -2; dx <= 2; dx++ {
		for dz := -2; dz <= 2; dz++ {
			for dy := range 4 {
				alongZ, alongX := dx == -2 || dx == 2 || dy == 3, dz == -2 || dz == 2 || dy == 3
				if !alongZ && !alongX {
					continue
				}
				bars := block.IronBars.Default()
				for _, side := range [...]struct {
					name   string
					joined bool
				}{
					{"north", alongZ && dz != -2}, {"south", alongZ && dz != 2},
					{"west", alongX && dx != -2}, {"east", alongX && dx != 2},
				} {
					if side.joined {
						bars, _ = bars.With(side.name, "true")
					}
				}
				c.Set(s.x+dx, s.height+dy, s.z+dz, bars)
			}
		}
	}
}

// crystal places the crystal on a spike, on bedrock and in fire.
func (f spikes) crystal(c *feature.Context, s *spike) {
	e := feature.Entity{
		ID: "minecraft:end_crystal", X: float64(s.x) + 0.5, Y: float64(s.height + 1), Z: float64(s.z) + 0.5,
		Extra: []feature.Member{member("Rotation", []float32{c.Random.Float() * 360, 0})},
	}
	if f.invulnerable {
		e.Extra = append(e.Extra, member("Invulnerable", flag(true)))
	}
	if f.beamTarget != nil {
		e.Extra = append(e.Extra, member("beam_target", f.beamTarget[:]))
	}
	e.Extra = append(e.Extra, member("ShowBottom", flag(true)))
	c.AddEntity(e)
	c.Set(s.x, s.height, s.z, block.Bedrock.Default())
	c.Set(s.x, s.height+1, s.z, block.Fire.Default())
}
