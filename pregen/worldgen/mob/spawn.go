package mob

import (
	"math"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/rng"
)

// Place is a finished chunk.
type Place struct {
	Chunk *feature.Chunk
	// Biome is that of the chunk's lowest corner at the highest block, and
	// BiomeAt that of any block in it.
	Biome   proto.Biome
	BiomeAt func(x, y, z int) proto.Biome
	// Light is the greater of sky and block light.
	Light func(x, y, z int) int
	// SeaLevel is the y of the first block above the sea.
	SeaLevel int
	// Ceiling says that the dimension has one.
	Ceiling bool
}

// Spawn draws the animals of a chunk of a world.
func (a *Animals) Spawn(p *Place, seed int64) []feature.Entity {
	h := &a.herds[p.Biome]
	if h.weight == 0 {
		return nil
	}
	random := rng.NewWorldgenLegacy(0)
	minX, minZ := p.Chunk.X<<4, p.Chunk.Z<<4
	decoration := random.SetDecorationSeed(seed, minX, minZ)
	own := rng.NewXoroshiro(decoration)
	g := &group{animals: a, place: p, random: &random, own: &own, minX: minX, minZ: minZ}
	for random.Float() < h.chance {
		g.herd(h.pick(&random))
	}
	return g.made
}

// pick draws a herd by weight.
func (h *herds) pick(random *rng.Worldgen) *Herd {
	n := random.IntN(h.weight)
	for i := range h.list {
		if n -= h.list[i].weight; n < 0 {
			return &h.list[i]
		}
	}
	return &h.list[len(h.list)-1]
}

// group is what is drawn for a chunk.
type group struct {
	animals    *Animals
	place      *Place
	random     *rng.Worldgen // of the places
	own        *rng.Xoroshiro
	minX, minZ int32
	made       []feature.Entity

	size int   // animals of the herd so far
	coat int32 // of the herd, as its first animal has it
}

// tries is how often a place for each animal is drawn.
const tries = 4

// herd places a herd.
func (g *group) herd(h *Herd) {
	count := h.low + g.random.IntN(1+h.high-h.low)
	x, z := g.minX+g.random.IntN(16), g.minZ+g.random.IntN(16)
	startX, startZ := x, z
	g.size = 0
	for range count {
		for done, try := false, 0; !done && try < tries; try++ {
			done = g.animal(h.kind, int(x), int(z))
			x += g.stray()
			z += g.stray()
			for x < g.minX || x >= g.minX+16 || z < g.minZ || z >= g.minZ+16 {
				x = startX + g.stray()
				z = startZ + g.stray()
			}
		}
	}
}

// stray is how far the next animal is tried from the last, along one axis.
func (g *group) stray() int32 {
	there := g.random.IntN(5)
	return there - g.random.IntN(5)
}

// animal places one at a column, if it can stand there.
func (g *group) animal(k *kind, x, z int) bool {
	p := g.place
	y := p.top(k, x, z)
	if !p.fits(g.animals, k, x, y, z) {
		return false
	}
	clamp := func(v, low int) float64 {
		return min(max(float64(v), float64(low)+k.width), float64(low)+16-k.width)
	}
	atX, atZ := clamp(x, int(g.minX)), clamp(z, int(g.minZ))
	blockX, blockZ := int(math.Floor(atX)), int(math.Floor(atZ))
	if !p.free(k, atX, y, atZ) || !k.rule(g, k, blockX, y, blockZ) {
		return false
	}
	yaw := g.random.Float() * 360
	if !p.dry(k, atX, y, atZ) {
		return false
	}
	e := feature.Entity{ID: k.id, X: atX, Y: float64(y), Z: atZ}
	e.Extra = k.form(g, &g.animals.about[p.BiomeAt(blockX, y, blockZ)])
	e.Extra = append(e.Extra, member("Rotation", []float32{yaw, 0}))
	g.made = append(g.made, e)
	g.size++
	return true
}

// top is the y at which an animal is tried in a column.
func (p *Place) top(k *kind, x, z int) int {
	y := p.Chunk.FinalHeight(chunk.MotionBlockingNoLeaves, x&15, z&15)
	if p.Ceiling {
		// From the roof down into the first room, and to its floor.
		for y--; !p.block(x, y, z).Air() && y > p.Chunk.MinY; y-- {
		}
		for y--; p.block(x, y, z).Air() && y > p.Chunk.MinY; y-- {
		}
	}
	if !k.inLava && !p.block(x, y-1, z).FullCollision() && walkable(p.block(x, y-1, z)) {
		return y - 1
	}
	return y
}

// walkable reports whether a block that does not fill its place is one that
// animals on land find their way through.
func walkable(s block.State) bool { return s.Fluid() != block.LavaFluid }

func (p *Place) block(x, y, z int) block.State { return p.Chunk.Block(x&15, y, z&15) }

// fits reports whether a place is one for a type.
func (p *Place) fits(a *Animals, k *kind, x, y, z int) bool {
	if k.inLava {
		return p.block(x, y, z).Fluid() == block.LavaFluid
	}
	ground := p.block(x, y-1, z)
	return ground.FullCollision() && ground.LightEmission() < 14 && a.empty(p.block(x, y, z)) && a.empty(p.block(x, y+1, z))
}

// empty reports whether an animal may begin in a block.
func (a *Animals) empty(s block.State) bool {
	return !s.FullCollision() && s.Fluid() == block.NoFluid && !a.inside[s.Block()] && !dangerous(s)
}

// dangerous reports whether a block hurts.
func dangerous(s block.State) bool {
	switch s.Block() {
	case block.Fire, block.SoulFire, block.MagmaBlock, block.WitherRose, block.SweetBerryBush, block.Cactus, block.PowderSnow:
		return true
	}
	return false
}

// cells calls f with the blocks that a body touches, until it returns false.
func (p *Place) cells(k *kind, x float64, y int, z float64, f func(x, y, z int, s block.State) bool) bool {
	half := float64(k.width / 2)
	for by := y; float64(by) < float64(y)+k.height; by++ {
		for bz := int(math.Floor(z - half)); float64(bz) < z+half; bz++ {
			for bx := int(math.Floor(x - half)); float64(bx) < x+half; bx++ {
				if bx>>4 == int(p.Chunk.X) && bz>>4 == int(p.Chunk.Z) && !f(bx, by, bz, p.block(bx, by, bz)) {
					return false
				}
			}
		}
	}
	return true
}

// free reports whether no block is in the way of a body.
func (p *Place) free(k *kind, x float64, y int, z float64) bool {
	half := float64(k.width / 2)
	return p.cells(k, x, y, z, func(bx, by, bz int, s block.State) bool {
		for _, b := range s.Collision() {
			if float64(bx)+b.MinX < x+half && float64(bx)+b.MaxX > x-half && float64(bz)+b.MinZ < z+half && float64(bz)+b.MaxZ > z-half &&
				float64(by)+b.MinY < float64(y)+k.height && float64(by)+b.MaxY > float64(y) {
				return false
			}
		}
		return true
	})
}

// dry reports whether a body is not in a fluid, but for those that live there.
func (p *Place) dry(k *kind, x float64, y int, z float64) bool {
	return k.inLava || p.cells(k, x, y, z, func(_, _, _ int, s block.State) bool { return s.Fluid() == block.NoFluid })
}
