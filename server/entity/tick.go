package entity

import (
	"math"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/server/blocks"
	"strata/server/item"
	"strata/server/physics"
)

// The numbers of motion.
const (
	gravity      = 0.04
	drag         = 0.98
	bounce       = -0.5
	lifetime     = 6000 // ticks of an item
	fallTime     = 600  // ticks of a falling block
	fallTimeOut  = 100  // of one that is out of the world
	voidDepth    = 64
	restingSpeed = 1e-5 // squared, below which items on the ground move every 4th tick
	mergeMoving  = 2    // ticks between two looks for others of the same
	mergeResting = 40
	fluidDepth   = 0.1 // from where on it carries an item
)

// Tick moves all that there is, and lets it become what it becomes: ctx is the
// blocks around. Blocks' changes are made at once.
func (s *Set) Tick(ctx blocks.Context) {
	s.ticks++
	s.sweep()
	for _, e := range s.all[:len(s.all):len(s.all)] { // what comes now moves from the next tick on
		if e.gone {
			continue
		}
		if _, loaded := ctx.Block(e.Block()); !loaded {
			continue
		}
		switch e.Kind {
		case Item:
			s.tickItem(ctx, e)
		case FallingBlock:
			s.tickFalling(ctx, e)
		}
		if low, _ := ctx.Bounds(); e.Y < float64(low)-voidDepth {
			s.Remove(e)
		}
		s.rehome(e)
	}
	s.sweep()
}

// move moves an entity as far as it gets, and stops what is stopped.
func (s *Set) move(v physics.View, e *Entity) {
	dx, dy, dz := s.mover.Move(v, e.Box(), e.VX, e.VY, e.VZ)
	e.X, e.Y, e.Z = e.X+dx, e.Y+dy, e.Z+dz
	e.OnGround = dy != e.VY && e.VY < 0
	if dx != e.VX {
		e.VX = 0
	}
	if dz != e.VZ {
		e.VZ = 0
	}
	if dy != e.VY && (e.Kind != Item || e.VY > 0) {
		e.VY = 0
	}
	if dx != 0 || dy != 0 || dz != 0 {
		s.touch(e, Moved)
	}
}

func (s *Set) tickItem(ctx blocks.Context, e *Entity) {
	if e.Delay > 0 && e.Delay != NoPickup {
		e.Delay--
	}
	before := e.Block()
	switch fluid := fluidAround(ctx, e); fluid {
	case block.WaterFluid:
		s.float(e, 0.99)
	case block.LavaFluid:
		s.float(e, 0.95)
		if s.burn(ctx, e); e.gone {
			return
		}
	default:
		e.VY -= gravity
	}
	inside := !s.mover.Free(ctx, e.Box())
	if inside {
		s.push(ctx, e)
	}
	if !e.OnGround || inside || e.VX*e.VX+e.VZ*e.VZ > restingSpeed || (s.ticks+int64(e.ID))%4 == 0 {
		s.move(ctx, e)
		friction := drag
		if e.OnGround {
			friction *= slipperiness(ctx, e)
		}
		e.VX, e.VY, e.VZ = e.VX*friction, e.VY*drag, e.VZ*friction
		if e.OnGround && e.VY < 0 {
			e.VY *= bounce
		}
	}
	every := int64(mergeResting)
	if e.Block() != before {
		every = mergeMoving
	}
	if s.ticks%every == 0 {
		s.merge(e)
	}
	if e.Age == Ageless {
		return
	}
	s.touch(e, Moved)
	if e.Age++; e.Age >= lifetime {
		s.Remove(e)
	}
}

// float is what a fluid does to an item: it rises slowly.
func (s *Set) float(e *Entity, drag float64) {
	e.VX, e.VZ = e.VX*drag, e.VZ*drag
	if e.VY < 0.06 {
		e.VY += 5e-4
	}
}

// burn is what lava does to an item.
func (s *Set) burn(ctx blocks.Context, e *Entity) {
	if fireproof(e.Stack) {
		return
	}
	e.health -= lavaDamage
	s.touch(e, Structural)
	if e.health <= 0 {
		ctx.Event(e.Block(), blocks.EventFizz, 0)
		s.Remove(e)
	}
}

// fireproof reports whether fire does not harm items: those that have the component
// damage_resistant, which only things of netherite and the like do.
func fireproof(s item.Stack) bool {
	_, ok := s.Component("minecraft:damage_resistant")
	return ok
}

// fluidAround is the fluid that an entity is deep enough in.
func fluidAround(v physics.View, e *Entity) block.Fluid {
	p := e.Block()
	for top := floor(e.Y + sizes[e.Kind]); p.Y <= top; p.Y++ {
		s, _ := v.Block(p)
		f := s.Fluid()
		if f == block.NoFluid {
			continue
		}
		height := float64(s.FluidAmount()) / 9
		if above, _ := v.Block(chunk.BlockPos{X: p.X, Y: p.Y + 1, Z: p.Z}); above.Fluid() == f {
			height = 1
		}
		if float64(p.Y)+height-e.Y > fluidDepth {
			return f
		}
	}
	return block.NoFluid
}

// slipperiness is the friction of what an entity lies on.
func slipperiness(v physics.View, e *Entity) float64 {
	below := chunk.BlockPos{X: floor(e.X), Y: floor(e.Y - 0.5000001), Z: floor(e.Z)}
	s, _ := v.Block(below)
	return float64(s.Block().Friction())
}

// push moves an item that is in a block towards the nearest side that is open.
func (s *Set) push(v physics.View, e *Entity) {
	p := e.Block()
	fx, fy, fz := e.X-float64(p.X), e.Y+sizeOfItem/2-float64(p.Y), e.Z-float64(p.Z)
	best, direction := math.Inf(1), block.Up
	for _, side := range []struct {
		d   block.Direction
		far float64
	}{{block.West, fx}, {block.East, 1 - fx}, {block.North, fz}, {block.South, 1 - fz}, {block.Up, 1 - fy}} {
		dx, dy, dz := side.d.Step()
		there, loaded := v.Block(chunk.BlockPos{X: p.X + dx, Y: p.Y + dy, Z: p.Z + dz})
		if loaded && !there.FullCollision() && side.far < best {
			best, direction = side.far, side.d
		}
	}
	speed := s.random()*0.2 + 0.1
	dx, dy, dz := direction.Step()
	switch {
	case dx != 0:
		e.VX = float64(dx) * speed
	case dy != 0:
		e.VY = float64(dy) * speed
	default:
		e.VZ = float64(dz) * speed
	}
}

// merge puts an item together with others of the same close by.
func (s *Set) merge(e *Entity) {
	if !mergeable(e) {
		return
	}
	s.Near(e.Box().Grown(0.5, 0, 0.5), func(o *Entity) bool {
		if o == e || !mergeable(o) || o.Owner != e.Owner || !o.Stack.Same(e.Stack) || o.Stack.Count+e.Stack.Count > e.Stack.MaxSize() {
			return true
		}
		into, from := e, o
		if o.Stack.Count > e.Stack.Count {
			into, from = o, e
		}
		into.Stack = into.Stack.WithCount(into.Stack.Count + from.Stack.Count)
		into.Delay, into.Age = max(into.Delay, from.Delay), min(into.Age, from.Age)
		into.Revision++
		s.touch(into, Structural)
		s.Remove(from)
		return into == e
	})
}

func mergeable(e *Entity) bool {
	return e.Kind == Item && !e.gone && e.Delay != NoPickup && e.Age != Ageless && e.Stack.Count < e.Stack.MaxSize()
}

func (s *Set) tickFalling(ctx blocks.Context, e *Entity) {
	s.touch(e, Moved)
	e.Age++
	e.VY -= gravity
	s.move(ctx, e)
	p := e.Block()
	there, _ := ctx.Block(p)
	low, high := ctx.Bounds()
	hardens := there.Fluid() == block.WaterFluid && blocks.Hardens(e.State)
	switch {
	case e.OnGround || hardens:
		s.land(ctx, e, p, there)
	case e.Age > fallTimeOut && (p.Y < low || p.Y > high), e.Age > fallTime:
		s.Remove(e)
		blocks.DropFallen(ctx, p, e.State)
	}
	e.VX, e.VY, e.VZ = e.VX*drag, e.VY*drag, e.VZ*drag
}

// land makes a block of a falling one, or an item where none can be.
func (s *Set) land(ctx blocks.Context, e *Entity, p chunk.BlockPos, there block.State) {
	s.Remove(e)
	low, high := ctx.Bounds()
	if !blocks.Yields(there) || p.Y < low || p.Y > high {
		blocks.DropFallen(ctx, p, e.State)
		return
	}
	blocks.Apply(ctx, []blocks.Change{{Pos: p, State: blocks.Land(ctx, p, e.State, there)}})
}

func floor(v float64) int32 { return int32(math.Floor(v)) }
