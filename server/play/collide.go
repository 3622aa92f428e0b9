package play

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/server/inventory"
	"strata/server/physics"
	"strata/server/protocol"
)

// The boxes of players, in blocks. The game has heights in single precision: a
// client that stands below a ceiling is that near to it.
const (
	playerWidth     = 0.6
	heightStanding  = float64(float32(1.8))
	heightSneaking  = float64(float32(1.5))
	heightSwimming  = 0.6 // or glides, or crawls
	maxMisplacement = 0.25
)

// Floating is being in the air and not falling, at less than leastFall a tick.
const (
	leastFall   = 1.0 / 32
	maxFloating = 80 // ticks
	// Where nothing may be below somebody who floats, and around.
	belowFloating  = 0.55
	aroundFloating = 1.0 / 16
)

// solid is the blocks of a dimension that are in the way of players. What is in the
// way of some alone, or stands where only clients know, is in nobody's: scaffolding
// lets those through who sneak or come from below, and some plants and stones stand
// at an offset drawn from their position.
type solid struct{ d *dimension }

// Block implements physics.View.
func (s solid) Block(pos chunk.BlockPos) (block.State, bool) {
	found, loaded := blockAt(s.d, pos)
	switch found.Block() {
	case block.Scaffolding, block.Bamboo, block.PointedDripstone, block.SulfurSpike:
		return block.Air.Default(), loaded
	}
	return found, loaded
}

// blockAt is a block of a dimension; outside of its height there is air.
func blockAt(d *dimension, pos chunk.BlockPos) (block.State, bool) {
	if low, high := d.Height(); pos.Y < low || pos.Y > high {
		return block.Air.Default(), d.Read(pos.Chunk(), func(*chunk.Chunk) {})
	}
	return d.Block(pos)
}

// passes reports whether a player gets to a place from where it is. Its box is moved
// there as the client's was, up or down first, so that a step up needs no rule of
// its own; it must come near enough, and be in no block that it was not in before.
func (g *Game) passes(p *Player, x, y, z float64) bool {
	if p.mode == protocol.GameModeSpectator || x == p.x && y == p.y && z == p.z {
		return true
	}
	w := walk{&g.mover, solid{p.in}, p.x, p.y, p.z, x, y, z}
	height := w.height()
	if w.fits(height) {
		return true
	}
	// Clients duck, and rise again, a tick before or after they say so.
	if height > heightSneaking && w.fits(heightSneaking) {
		return true
	}
	return height > heightSwimming && p.low() && w.fits(heightSwimming)
}

// walk is a way from one place to another.
type walk struct {
	mover               *physics.Mover
	view                physics.View
	fromX, fromY, fromZ float64
	x, y, z             float64
}

// height is that of somebody at the beginning: who does not fit standing crouches,
// or crawls.
func (w *walk) height() float64 {
	for _, h := range [...]float64{heightStanding, heightSneaking, heightSwimming} {
		if w.mover.Free(w.view, physics.Around(w.fromX, w.fromY, w.fromZ, playerWidth, h)) {
			return h
		}
	}
	return heightStanding
}

// fits reports whether somebody of a height gets through.
func (w *walk) fits(height float64) bool {
	from := physics.Around(w.fromX, w.fromY, w.fromZ, playerWidth, height)
	dx, dy, dz := w.x-w.fromX, w.y-w.fromY, w.z-w.fromZ
	mx, my, mz := w.mover.Move(w.view, from, dx, dy, dz)
	mx, my, mz = mx-dx, my-dy, mz-dz
	// Who is in a block may get out of it anywhere.
	if mx*mx+my*my+mz*mz > maxMisplacement*maxMisplacement && w.mover.Free(w.view, from) {
		return false
	}
	return !w.mover.Enters(w.view, from, physics.Around(w.x, w.y, w.z, playerWidth, height))
}

// low reports whether a player may be swimming or gliding.
func (p *Player) low() bool {
	if p.items.Get(inventory.Chest).Name() == "minecraft:elytra" {
		return true
	}
	for dy := 0.0; dy < heightStanding; dy += heightSwimming {
		if s, ok := blockAt(p.in, blockOf(p.x, p.y+dy, p.z)); ok && s.Fluid() == block.WaterFluid {
			return true
		}
	}
	return false
}

// floating reports whether a player who moves to a place is in the air and does not
// fall, though it cannot fly.
func (g *Game) floating(p *Player, x, y, z float64) bool {
	if g.options.AllowFlight || p.mode == protocol.GameModeCreative || p.mode == protocol.GameModeSpectator || y-p.y < -leastFall {
		return false
	}
	if p.items.Get(inventory.Chest).Name() == "minecraft:elytra" {
		return false
	}
	around := physics.Around(x, y, z, playerWidth, heightStanding).Grown(aroundFloating, aroundFloating, aroundFloating)
	around.MinY -= belowFloating
	return airIn(p.in, around)
}

// airIn reports whether all blocks in a box are air.
func airIn(d *dimension, b physics.Box) bool {
	low, high := blockOf(b.MinX, b.MinY, b.MinZ), blockOf(b.MaxX, b.MaxY, b.MaxZ)
	for y := low.Y; y <= high.Y; y++ {
		for z := low.Z; z <= high.Z; z++ {
			for x := low.X; x <= high.X; x++ {
				if s, ok := blockAt(d, chunk.BlockPos{X: x, Y: y, Z: z}); !ok || !s.Air() {
					return false
				}
			}
		}
	}
	return true
}

// tickFloating disconnects a player who has floated for too long.
func (g *Game) tickFloating(p *Player) {
	if !p.floats || p.dead() {
		p.floated = 0
		return
	}
	if p.floated++; p.floated > maxFloating {
		g.options.Log.Warn(p.Name() + " was kicked for floating too long!")
		g.Kick(p, Translated("multiplayer.disconnect.flying", ""))
	}
}
