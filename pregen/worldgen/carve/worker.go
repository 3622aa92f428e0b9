package carve

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/sine"
)

// Aquifer decides what fills a block that is dug out. It is that of the chunk
// that is being dug, the same one as filled its terrain.
type Aquifer interface {
	// At returns what is at a block of the dimension where the density is as
	// given: solid if a barrier closes it, mark if its fluid is to be updated
	// when the chunk first ticks. Carvers ask with density 0.
	At(x, y, z int, density float64) (state block.State, solid, mark bool)
}

// Surface decides what lies on the ground.
type Surface interface {
	// TopMaterial returns what the surface rules make of a block of the
	// dimension as the uppermost one of the ground; false if nothing.
	TopMaterial(x, y, z int, underFluid bool) (block.State, bool)
}

// radius is how many chunks away starts may be.
const radius = 8

// Worker digs chunks of one world and dimension, one after the other.
type Worker struct {
	carvers *Carvers
	biome   func(chunkX, chunkZ int32) proto.Biome
	drawer  drawer
	cache   *cache

	// The chunk being dug.
	chunk   *proto.Chunk
	aquifer Aquifer
	surface Surface
	mark    bool // the aquifer's last answer

	rows   []row
	widths []float32
	blocks blocks
}

// NewWorker returns a worker for a world seed. biome returns the biome of the
// quarter cell at the lowest corner of a chunk, and height 0; it is asked only
// where biomes differ in carvers, and must give the same answer each time.
func (c *Carvers) NewWorker(seed int64, biome func(chunkX, chunkZ int32) proto.Biome) *Worker {
	w := &Worker{
		carvers: c, biome: biome,
		drawer: drawer{span: c.span, world: seed, sines: sine.Get(), random: rng.NewWorldgenLegacy(0)},
		widths: make([]float32, c.span.Height),
		blocks: newBlocks(),
	}
	if !c.chained && !c.Empty() {
		w.cache = newCache()
	}
	return w
}

// Carve digs a chunk, whose surface is finished: it changes blocks, heights,
// Carved and Marks. The chunk's height must hold that of the noise settings.
//
// Starts do not depend on each other, and are remembered, unless a pack's
// carver draws Gaussians: half of a pair may then be left to the start that the
// game draws next for the same chunk, so all are drawn anew for each chunk.
func (w *Worker) Carve(c *proto.Chunk, aquifer Aquifer, surface Surface) {
	if w.carvers.Empty() {
		return
	}
	w.chunk, w.aquifer, w.surface = c, aquifer, surface
	w.mark = false
	if w.carvers.chained {
		w.drawer.random = rng.NewWorldgenLegacy(0)
	}
	for x := c.X - radius; x <= c.X+radius; x++ {
		for z := c.Z - radius; z <= c.Z+radius; z++ {
			w.digStart(w.start(x, z))
		}
	}
	w.chunk, w.aquifer, w.surface = nil, nil, nil
}

// start returns what the carvers of a chunk dig. It holds until the next call.
func (w *Worker) start(chunkX, chunkZ int32) start {
	if w.cache != nil {
		if s, ok := w.cache.get(chunkX, chunkZ); ok {
			return s
		}
	}
	lists := w.carvers.lists
	list := lists[0]
	if !w.carvers.uniform {
		list = lists[w.biome(chunkX, chunkZ)]
	}
	w.drawer.draw(list, chunkX, chunkZ)
	if w.cache != nil {
		w.cache.put(chunkX, chunkZ, w.drawer.start)
	}
	return w.drawer.start
}

// digStart digs what of a start reaches the chunk.
func (w *Worker) digStart(s start) {
	minX, minZ := float64(w.chunk.X<<4), float64(w.chunk.Z<<4)
	followed := false
	for i := range s.tunnels {
		t := &s.tunnels[i]
		if t.branch && !followed {
			continue
		}
		// Branches are within the bounds of their tunnel.
		if t.maxX < minX || t.minX > minX+16 || t.maxZ < minZ || t.minZ > minZ+16 {
			followed = followed && t.branch
			continue
		}
		whole := w.follow(t, s.ellipsoids[t.first:][:t.count])
		if !t.branch {
			followed = whole
		}
	}
}

// follow digs a tunnel until what is left of it could not reach the chunk, by
// the game's rule. It reports whether that was never the case.
func (w *Worker) follow(t *tunnel, steps []ellipsoid) bool {
	middleX, middleZ := float64(w.chunk.X<<4+8), float64(w.chunk.Z<<4+8)
	d := digger{Worker: w, tunnel: t}
	for i := range steps {
		e := &steps[i]
		dx, dz := e.x-middleX, e.z-middleZ
		if float64(dx*dx)+float64(dz*dz)-float64(e.left*e.left) > t.reach {
			return false
		}
		d.dig(e)
	}
	return true
}
