package end

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// chorus is the feature chorus_plant.
type chorus struct{ ground *feature.Blocks }

func newChorus(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	ground, err := l.NamedTag(config, "minecraft:supports_chorus_plant")
	return chorus{ground}, err
}

const (
	chorusReach  = 8 // blocks from the root along x and z that are out of reach
	chorusForks  = 4 // of a branch from the root
	ripeFlower   = "5"
	maxRun, fork = 4, 4 // bounds of draws
)

var deadFlower, _ = block.ChorusFlower.Default().With("age", ripeFlower)

func (f chorus) Place(c *feature.Context, x, y, z int) bool {
	if !c.Block(x, y, z).Air() || !f.ground.Has(c.Block(x, y-1, z)) {
		return false
	}
	p := plant{chorus: f, c: c, rootX: x, rootZ: z}
	p.join(x, y, z)
	p.branch(x, y, z, 0)
	return true
}

// plant is a chorus plant that grows.
type plant struct {
	chorus
	c            *feature.Context
	rootX, rootZ int
}

// across are the four horizontal directions, which are drawn from in this
// order.
var across = [...][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

// branch grows up from a place, then forks or ends in a flower.
func (p plant) branch(x, y, z, forks int) {
	run := int(p.c.Random.IntN(maxRun)) + 1
	if forks == 0 {
		run++
	}
	for i := 1; i <= run; i++ {
		if !p.free(x, y+i, z, -1) {
			return
		}
		p.join(x, y+i, z)
		p.join(x, y+i-1, z)
	}
	y += run
	forked := false
	if forks < chorusForks {
		sides := int(p.c.Random.IntN(fork))
		if forks == 0 {
			sides++
		}
		for range sides {
			side := int(p.c.Random.IntN(int32(len(across))))
			px, pz := x+across[side][0], z+across[side][1]
			if !p.reaches(px, pz) || !p.c.Block(px, y, pz).Air() || !p.c.Block(px, y-1, pz).Air() || !p.free(px, y, pz, (side+2)&3) {
				continue
			}
			forked = true
			p.join(px, y, pz)
			p.join(x, y, z)
			p.branch(px, y, pz, forks+1)
		}
	}
	if !forked {
		p.c.Set(x, y, z, deadFlower)
	}
}

func (p plant) reaches(x, z int) bool {
	dx, dz := x-p.rootX, z-p.rootZ
	return -chorusReach < dx && dx < chorusReach && -chorusReach < dz && dz < chorusReach
}

// free reports whether there is air around a place, but for one side.
func (p plant) free(x, y, z, except int) bool {
	for side, d := range across {
		if side != except && !p.c.Block(x+d[0], y, z+d[1]).Air() {
			return false
		}
	}
	return true
}

// join sets a block of the plant, joined to those around it.
func (p plant) join(x, y, z int) {
	s := block.ChorusPlant.Default()
	connect := func(side string, near block.State, ground bool) {
		value := "false"
		if id := near.Block(); ground || id == block.ChorusPlant || id == block.ChorusFlower {
			value = "true"
		}
		s, _ = s.With(side, value)
	}
	below := p.c.Block(x, y-1, z)
	connect("down", below, p.ground.Has(below))
	connect("up", p.c.Block(x, y+1, z), false)
	for side, name := range [...]string{"north", "east", "south", "west"} {
		connect(name, p.c.Block(x+across[side][0], y, z+across[side][1]), false)
	}
	p.c.Set(x, y, z, s)
}
