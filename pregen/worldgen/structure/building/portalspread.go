package building

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/structure"
)

// surroundings changes what is around a portal: it writes into all chunks that
// the placer sees.
type surroundings struct {
	p      *structure.Placer
	portal *portalPiece
	kept   *feature.Blocks // that nothing replaces
	box    structure.Box
}

// build spreads netherrack and lets plants grow.
func (s *surroundings) build() {
	s.spread()
	s.dripBelow()
	vines, leaves := s.portal.setup.vines, s.portal.setup.overgrown
	if !vines && !leaves {
		return
	}
	for z := s.box.MinZ; z <= s.box.MaxZ; z++ {
		for y := s.box.MinY; y <= s.box.MaxY; y++ {
			for x := s.box.MinX; x <= s.box.MaxX; x++ {
				if vines {
					s.vine(x, y, z)
				}
				if leaves {
					s.leaves(x, y, z)
				}
			}
		}
	}
}

// spreadChances are the chances of netherrack by the distance from the middle.
var spreadChances = [...]float32{1, 1, 1, 1, 1, 1, 1, 0.9, 0.9, 0.8, 0.7, 0.6, 0.4, 0.2}

func (s *surroundings) spread() {
	random := s.p.Random
	middleX, _, middleZ := s.box.Center()
	spanX, _, spanZ := s.box.Span()
	farther := random.IntN(max(1, 8-(spanX+spanZ)/2/2))
	const reach = int32(len(spreadChances))
	onGround := s.portal.setup.placement == onLandSurface || s.portal.setup.placement == onOceanFloor
	for x := middleX - reach; x <= middleX+reach; x++ {
		for z := middleZ - reach; z <= middleZ+reach; z++ {
			distance := max(0, abs(x-middleX)+abs(z-middleZ)+farther)
			if distance >= reach || !(random.Double() < float64(spreadChances[distance])) {
				continue
			}
			y := s.ground(x, z)
			if !onGround {
				y = min(s.box.MinY, y)
			}
			if abs(y-s.box.MinY) > 3 || !s.replaceable(x, y, z) {
				continue
			}
			s.netherrack(x, y, z)
			if s.portal.setup.overgrown {
				s.leaves(x, y, z)
			}
			s.drip(x, y-1, z)
		}
	}
}

func abs(n int32) int32 { return max(n, -n) }

// ground is the y of the highest block that counts, before decoration.
func (s *surroundings) ground(x, z int32) int32 {
	kind := chunk.WorldSurfaceWG
	if s.portal.setup.placement.heightKind() == proto.OceanFloor {
		kind = chunk.OceanFloorWG
	}
	return int32(s.p.Height(kind, int(x), int(z))) - 1
}

// replaceable reports whether netherrack spreads to a block.
func (s *surroundings) replaceable(x, y, z int32) bool {
	state := s.p.BlockAt(x, y, z)
	b := state.Block()
	return b != block.Air && b != block.Obsidian && !s.kept.Has(state) && (s.portal.setup.placement == inNether || b != block.Lava)
}

func (s *surroundings) set(x, y, z int32, state block.State) { s.p.Set(int(x), int(y), int(z), state) }

// netherrack sets netherrack or, unless it is cold, now and then magma.
func (s *surroundings) netherrack(x, y, z int32) {
	state := block.Netherrack.Default()
	if !s.portal.cold && s.p.Random.Float() < 0.07 {
		state = block.MagmaBlock.Default()
	}
	s.set(x, y, z, state)
}

// drip sets netherrack in a column down.
func (s *surroundings) drip(x, y, z int32) {
	s.netherrack(x, y, z)
	for i := 8; i > 0 && s.p.Random.Float() < 0.5; i-- {
		y--
		s.netherrack(x, y, z)
	}
}

// dripBelow lets columns down from the lowest netherrack of the portal.
func (s *surroundings) dripBelow() {
	for x := s.box.MinX + 1; x < s.box.MaxX; x++ {
		for z := s.box.MinZ + 1; z < s.box.MaxZ; z++ {
			if s.p.BlockAt(x, s.box.MinY, z).Block() == block.Netherrack {
				s.drip(x, s.box.MinY-1, z)
			}
		}
	}
}

// vine lets a vine grow on a side of a block.
func (s *surroundings) vine(x, y, z int32) {
	on := s.p.BlockAt(x, y, z)
	if on.Air() || on.Block() == block.Vine {
		return
	}
	side := horizontal[s.p.Random.IntN(4)]
	dx, _, dz := side.Step()
	if !s.p.BlockAt(x+dx, y, z+dz).Air() || !on.Leaves() && !feature.Sturdy(on, side) {
		return
	}
	state, _ := block.Vine.Default().With(side.Opposite().String(), "true")
	s.set(x+dx, y, z+dz, state)
}

// leaves puts leaves on netherrack.
func (s *surroundings) leaves(x, y, z int32) {
	if s.p.Random.Float() < 0.5 && s.p.BlockAt(x, y, z).Block() == block.Netherrack && s.p.BlockAt(x, y+1, z).Air() {
		state, _ := block.JungleLeaves.Default().With("persistent", "true")
		s.set(x, y+1, z, state)
	}
}
