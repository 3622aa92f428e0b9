package play

import (
	"math/rand/v2"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/region"
	"strata/server/physics"
	"strata/server/protocol"
)

// maxScatter is how far from the world's spawn players appear at most, whatever the
// rule says: so far the chunks around it are loaded by the least view.
const maxScatter = 48

// spot is a place for a player's feet.
type spot struct{ x, y, z float64 }

// spawnSpot returns where somebody appears who has no place: on the ground of a
// random column that carries a player, as many blocks around the world's spawn as
// the rule respawn_radius says, or at the spawn itself if there is none, or in
// adventure mode. It reports false as long as a chunk for that is loading, with the
// spawn itself.
func (g *Game) spawnSpot(mode protocol.GameMode) (at spot, ready bool) {
	d, s := g.spawnDimension(), &g.world.Spawn
	at = spot{float64(s.X) + 0.5, float64(s.Y), float64(s.Z) + 0.5}
	if d.HasSky() && mode != protocol.GameModeAdventure {
		radius := min(max(g.rule("minecraft:respawn_radius"), 0), maxScatter)
		if !g.loadedAround(d, s.X, s.Z, radius) {
			return at, false
		}
		side := int(2*radius + 1)
		for _, i := range rand.Perm(side * side) {
			x, z := s.X-radius+int32(i%side), s.Z-radius+int32(i/side)
			if y, ok := g.ground(d, x, z); ok {
				return spot{float64(x) + 0.5, y, float64(z) + 0.5}, true
			}
		}
	}
	if !g.loadedAround(d, s.X, s.Z, 0) {
		return at, false
	}
	at.y = g.settle(d, at)
	return at, true
}

// settleLater puts a player who came back where nothing was loaded onto the ground
// there, once it is known.
func (g *Game) settleLater(p *Player) {
	if !p.unsettled || p.dead() {
		return
	}
	at, ready := g.spawnSpot(p.mode)
	if !ready {
		return
	}
	p.x, p.y, p.z, p.unsettled = at.x, at.y, at.z, false
	g.review(p)
	g.place(p)
}

// loadedAround reports whether the chunks around a place are loaded, those left out
// that cannot be had.
func (g *Game) loadedAround(d *dimension, x, z, radius int32) bool {
	for cz := (z - radius) >> 4; cz <= (z+radius)>>4; cz++ {
		for cx := (x - radius) >> 4; cx <= (x+radius)>>4; cx++ {
			pos := region.ChunkPos{X: cx, Z: cz}
			if !d.Unavailable(pos) && !d.Read(pos, func(*chunk.Chunk) {}) {
				return false
			}
		}
	}
	return true
}

// ground is the height of what carries a player in a column, with room for it: a
// block with a whole upper side, and no fluid above it.
func (g *Game) ground(d *dimension, x, z int32) (y float64, ok bool) {
	low, high := d.Height()
	top := low - 1
	d.Read(chunk.BlockPos{X: x, Z: z}.Chunk(), func(c *chunk.Chunk) {
		height, has := c.HeightAt(chunk.MotionBlocking, int(x)&15, int(z)&15)
		if top = min(int32(height), high); !has {
			top = high
		}
	})
	for p := (chunk.BlockPos{X: x, Y: top, Z: z}); p.Y >= low; p.Y-- {
		s, _ := d.Block(p)
		if s.Fluid() != block.NoFluid {
			return 0, false
		}
		if carries(s) {
			y = float64(p.Y) + 1
			return y, g.roomAt(d, spot{float64(x) + 0.5, y, float64(z) + 0.5})
		}
	}
	return 0, false
}

// carries reports whether the whole upper side of a block is solid.
func carries(s block.State) bool {
	for _, b := range s.Collision() {
		if b.MinX == 0 && b.MinZ == 0 && b.MaxX == 1 && b.MaxZ == 1 && b.MaxY == 1 {
			return true
		}
	}
	return false
}

// roomAt reports whether a player can be at a place: in no block, and in no fluid.
func (g *Game) roomAt(d *dimension, at spot) bool {
	p := blockOf(at.x, at.y, at.z)
	for range 2 {
		if s, loaded := d.Block(p); !loaded || s.Fluid() != block.NoFluid {
			return false
		}
		p.Y++
	}
	var m physics.Mover
	return m.Free(d.Context(), physics.Around(at.x, at.y, at.z, playerWidth, heightStanding))
}

// settle is the height to which somebody goes who has to be in a column: up out of
// blocks and fluids, and down to the ground. Where there is none it is that of the
// place.
func (g *Game) settle(d *dimension, at spot) float64 {
	low, high := d.Height()
	from := at
	for !g.roomAt(d, at) {
		if at.y > float64(high) {
			return from.y
		}
		at.y++
	}
	for g.roomAt(d, spot{at.x, at.y - 1, at.z}) {
		if at.y < float64(low) {
			return from.y
		}
		at.y--
	}
	return at.y
}
