package end

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// gateway is the feature end_gateway: a gateway between two caps of bedrock.
type gateway struct {
	exit  *[3]int32 // nil for one that is found when it is first used
	exact bool
}

func newGateway(_ *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := gateway{}
	var err error
	if f.exit, err = place(config, "exit"); err != nil {
		return nil, err
	}
	m, err := config.Member("exact")
	if err != nil {
		return nil, err
	}
	f.exact, err = m.Bool()
	return f, err
}

func (f gateway) Place(c *feature.Context, x, y, z int) bool {
	for dz := -1; dz <= 1; dz++ {
		for dy := -2; dy <= 2; dy++ {
			for dx := -1; dx <= 1; dx++ {
				c.Set(x+dx, y+dy, z+dz, gatewayPart(dx, dy, dz).Default())
			}
		}
	}
	c.AddBlockEntity(f.entity(x, y, z))
	return true
}

func gatewayPart(dx, dy, dz int) block.ID {
	middle := dx == 0 && dz == 0
	switch {
	case dy == 0 && middle:
		return block.EndGateway
	case dy == 0:
		return block.Air
	case dy == 2 || dy == -2:
		if middle {
			return block.Bedrock
		}
	case dx == 0 || dz == 0:
		return block.Bedrock
	}
	return block.Air
}

func (f gateway) entity(x, y, z int) feature.BlockEntity {
	e := feature.BlockEntity{X: int32(x), Y: int32(y), Z: int32(z), ID: "minecraft:end_gateway"}
	e.Extra = append(e.Extra, member("Age", int64(0)))
	if f.exit != nil {
		e.Extra = append(e.Extra, member("exit_portal", f.exit[:]))
		if f.exact {
			e.Extra = append(e.Extra, member("ExactTeleport", flag(true)))
		}
	}
	return e
}
