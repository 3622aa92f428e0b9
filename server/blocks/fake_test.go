package blocks

import (
	"math/rand/v2"

	"strata/anvil/block"
)

// fake is a small world.
type fake struct {
	blocks  map[Pos]block.State
	ticks   []fakeTick
	waiting map[fakeTick]bool
	now     int
	drops   []Stack
	fell    int
	hot     bool
	unusual bool // lava renews itself, and water does not
	random  *rand.Rand
}

type fakeTick struct {
	due   int
	pos   Pos
	id    block.ID
	fluid block.Fluid
}

var _ Context = (*fake)(nil)

func newFake() *fake {
	return &fake{
		blocks: map[Pos]block.State{}, waiting: map[fakeTick]bool{},
		random: rand.New(rand.NewPCG(1, 2)),
	}
}

// Block has chunks for a few blocks around the middle.
func (w *fake) Block(p Pos) (block.State, bool) {
	return w.blocks[p], p.X > -8 && p.X < 24 && p.Z > -8 && p.Z < 24 && p.Y >= 48
}

func (w *fake) Bounds() (int32, int32) { return -64, 319 }
func (w *fake) Hot() bool              { return w.hot }
func (w *fake) Renews(f block.Fluid) bool {
	return (f == block.WaterFluid) != w.unusual
}
func (w *fake) Random(n int) int        { return w.random.IntN(n) }
func (w *fake) Drop(_ Pos, d Stack)     { w.drops = append(w.drops, d) }
func (w *fake) Event(Pos, Event, int32) {}

func (w *fake) Set(p Pos, s block.State) {
	if s.Air() {
		delete(w.blocks, p)
		return
	}
	w.blocks[p] = s
}

func (w *fake) schedule(t fakeTick, delay int) {
	if w.waiting[t] {
		return
	}
	w.waiting[t] = true
	t.due = w.now + delay
	w.ticks = append(w.ticks, t)
}

func (w *fake) ScheduleBlock(p Pos, id block.ID, delay int) {
	w.schedule(fakeTick{pos: p, id: id}, delay)
}

func (w *fake) ScheduleFluid(p Pos, f block.Fluid, delay int) {
	w.schedule(fakeTick{pos: p, fluid: f}, delay)
}

// Fall lets the block come down at once.
func (w *fake) Fall(p Pos, s block.State) {
	w.fell++
	Apply(w, []Change{{p, remains(s)}})
	for p.Y > 48 && Yields(at(w, step(p, block.Down))) {
		p = step(p, block.Down)
	}
	Apply(w, []Change{{p, Land(w, p, s, at(w, p))}})
}

// run runs due ticks for a time.
func (w *fake) run(ticks int) {
	for range ticks {
		w.now++
		waiting := w.ticks
		w.ticks = nil
		var due []fakeTick
		for _, t := range waiting {
			if t.due > w.now {
				w.ticks = append(w.ticks, t)
				continue
			}
			t.due = 0
			due = append(due, t)
			delete(w.waiting, t)
		}
		for _, t := range due {
			s := at(w, t.pos)
			if t.fluid != block.NoFluid {
				if s.Fluid() == t.fluid {
					FluidTick(w, t.pos, s)
				}
			} else if s.Block() == t.id {
				Tick(w, t.pos, s)
			}
		}
	}
}

func (w *fake) fill(x0, y0, z0, x1, y1, z1 int32, s block.State) {
	for x := x0; x <= x1; x++ {
		for y := y0; y <= y1; y++ {
			for z := z0; z <= z1; z++ {
				w.Set(Pos{X: x, Y: y, Z: z}, s)
			}
		}
	}
}

func (w *fake) put(item string, clicked Pos, face block.Direction, yaw, pitch float32) Placed {
	out := Place(w.placement(item, clicked, face, yaw, pitch))
	Apply(w, out.Changes)
	return out
}

func (w *fake) placement(item string, clicked Pos, face block.Direction, yaw, pitch float32) Placement {
	return Placement{
		View: w, Item: "minecraft:" + item, Clicked: clicked, Face: face,
		X: .3, Y: .3, Z: .3, Yaw: yaw, Pitch: pitch, Lowest: -64, Highest: 319,
	}
}
