package feature

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/provider"
)

// disk is the feature disk.
type disk struct {
	state      Provider
	target     Predicate
	radius     provider.Int
	halfHeight int
}

func newDisk(l *Loader, config provider.Value) (Feature, error) {
	f := disk{}
	var err error
	if f.state, err = l.MemberProvider(config, "state_provider"); err != nil {
		return nil, err
	}
	if f.target, err = l.MemberPredicate(config, "target"); err != nil {
		return nil, err
	}
	if f.radius, err = l.Int(config, "radius", 0, 8); err != nil {
		return nil, err
	}
	member, err := config.Member("half_height")
	if err != nil {
		return nil, err
	}
	half, err := member.Int(0, 4)
	f.halfHeight = int(half)
	return f, err
}

func (f disk) Place(c *Context, x, y, z int) bool {
	radius := int(f.radius.Sample(c.Random))
	placed := false
	for dz := -radius; dz <= radius; dz++ {
		for dx := -radius; dx <= radius; dx++ {
			if dx*dx+dz*dz > radius*radius {
				continue
			}
			placed = f.column(c, x+dx, y, z+dz) || placed
		}
	}
	return placed
}

// column replaces blocks of a column; what lies on a run of them is marked.
func (f disk) column(c *Context, x, y, z int) bool {
	placed, run := false, false
	for py := y + f.halfHeight; py >= y-f.halfHeight; py-- {
		if !f.target.Test(c.View, x, py, z) {
			run = false
			continue
		}
		state, ok := f.state.State(c, x, py, z)
		if !ok {
			continue
		}
		c.Set(x, py, z, state)
		if !run {
			c.MarkAbove(x, py, z)
		}
		placed, run = true, true
	}
	return placed
}

// freeze is the feature freeze_top_layer: ice and snow of a whole chunk.
type freeze struct{ survival *Survival }

func newFreeze(l *Loader, _ provider.Value) (Feature, error) {
	survival, err := l.Survival()
	return freeze{survival}, err
}

var (
	ice  = block.Ice.Default()
	snow = block.Snow.Default()
)

func (f freeze) Place(c *Context, x, _, z int) bool {
	for px := x; px < x+16; px++ {
		for pz := z; pz < z+16; pz++ {
			y := c.Height(chunk.MotionBlocking, px, pz)
			biome := &c.Climate[c.Biome(px, y, pz)]
			if biome.ColdEnoughToSnow(px, y-1, pz, c.SeaLevel()) && freezes(c.Block(px, y-1, pz)) {
				c.Set(px, y-1, pz, ice)
			}
			if !biome.ColdEnoughToSnow(px, y, pz, c.SeaLevel()) || c.Outside(y) {
				continue
			}
			above := c.Block(px, y, pz)
			if !above.Air() && above.Block() != block.Snow || !f.survival.Survives(c.View, snow, px, y, pz) {
				continue
			}
			c.Set(px, y, pz, snow)
			if ground, ok := c.Block(px, y-1, pz).With("snowy", "true"); ok {
				c.Set(px, y-1, pz, ground)
			}
		}
	}
	return true
}

// freezes reports whether a block is water that turns to ice. Chunks are dark
// while they are decorated, so no light keeps it from that.
func freezes(s block.State) bool { return s.Block() == block.Water && s.FluidSource() }

// spring is the feature spring_feature.
type spring struct {
	fluid        block.State
	name         string
	valid        *Blocks
	needsBelow   bool
	rocks, holes int32
}

func newSpring(l *Loader, config provider.Value) (Feature, error) {
	f := spring{needsBelow: true}
	member, err := config.Member("state")
	if err != nil {
		return nil, err
	}
	if f.name, err = memberID(member, "Name"); err != nil {
		return nil, err
	}
	switch f.name {
	case "minecraft:water":
		f.fluid = block.Water.Default()
	case "minecraft:lava":
		f.fluid = block.Lava.Default()
	default:
		return nil, member.Errorf("no source of a fluid: %s", f.name)
	}
	if member, err = config.Member("valid_blocks"); err != nil {
		return nil, err
	}
	if f.valid, err = l.Blocks(member); err != nil {
		return nil, err
	}
	if member, ok, _ := config.Optional("requires_block_below"); ok {
		if f.needsBelow, err = member.Bool(); err != nil {
			return nil, err
		}
	}
	if f.rocks, err = Number(config, "rock_count", -1<<31, 1<<31-1, 4); err != nil {
		return nil, err
	}
	f.holes, err = Number(config, "hole_count", -1<<31, 1<<31-1, 1)
	return f, err
}

func (f spring) Place(c *Context, x, y, z int) bool {
	if !f.valid.Has(c.Block(x, y+1, z)) || f.needsBelow && !f.valid.Has(c.Block(x, y-1, z)) {
		return false
	}
	if at := c.Block(x, y, z); !at.Air() && !f.valid.Has(at) {
		return false
	}
	rocks, holes := int32(0), int32(0)
	for _, d := range [...][3]int{{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 0, 1}, {0, -1, 0}} {
		near := c.Block(x+d[0], y+d[1], z+d[2])
		if f.valid.Has(near) {
			rocks++
		}
		if near.Air() {
			holes++
		}
	}
	if rocks != f.rocks || holes != f.holes {
		return false
	}
	c.Set(x, y, z, f.fluid)
	c.TickFluid(x, y, z, f.name, 0)
	return true
}
