package tree

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// alterGround changes the ground around a tree, to podzol.
type alterGround struct{ provider feature.Provider }

func (d alterGround) decorate(w *work) {
	foot := w.lowest()
	if len(foot) == 0 {
		return
	}
	r := w.Random
	for _, p := range foot {
		if p.y != foot[0].y {
			break
		}
		for _, corner := range [...][2]int{{-1, -1}, {2, -1}, {-1, 2}, {2, 2}} {
			d.disc(w, p.offset(corner[0], 0, corner[1]))
		}
		for range 5 {
			n := draw(r, 64)
			x, z := n%8, n/8
			if x == 0 || x == 7 || z == 0 || z == 7 {
				d.disc(w, p.offset(x-3, 0, z-3))
			}
		}
	}
}

// disc alters a square of five by five without its corners.
func (d alterGround) disc(w *work, center pos) {
	for x := -2; x <= 2; x++ {
		for z := -2; z <= 2; z++ {
			if abs(x) != 2 || abs(z) != 2 {
				d.alter(w, center.offset(x, 0, z))
			}
		}
	}
}

// alter changes the highest block near a height that the provider changes.
func (d alterGround) alter(w *work, p pos) {
	for y := 2; y >= -3; y-- {
		q := p.up(y)
		if s, ok := d.provider.State(w.Context, q.x, q.y, q.z); ok {
			w.decorate(q, s)
			return
		}
		if y < 0 && !isAir(w.Context, q) {
			return
		}
	}
}

// onGround strews blocks such as litter around a tree.
type onGround struct {
	state                 feature.Provider
	tries, radius, height int
}

func readOnGround(l *feature.Loader, v provider.Value) (d onGround, err error) {
	if d.state, err = l.MemberProvider(v, "block_state_provider"); err != nil {
		return d, err
	}
	if d.tries, err = numberOr(v, "tries", 1, 4096, 128); err != nil {
		return d, err
	}
	if d.radius, err = numberOr(v, "radius", 0, 16, 2); err != nil {
		return d, err
	}
	d.height, err = numberOr(v, "height", 0, 64, 1)
	return d, err
}

func (d onGround) decorate(w *work) {
	foot := w.lowest()
	if len(foot) == 0 {
		return
	}
	low, high := foot[0], foot[0]
	for _, p := range foot {
		if p.y != foot[0].y {
			break
		}
		low.x, low.z = min(low.x, p.x), min(low.z, p.z)
		high.x, high.z = max(high.x, p.x), max(high.z, p.z)
	}
	low, high = low.offset(-d.radius, -d.height, -d.radius), high.offset(d.radius, d.height, d.radius)
	r := w.Random
	for range d.tries {
		p := pos{x: low.x + draw(r, high.x-low.x+1)}
		p.y = low.y + draw(r, high.y-low.y+1)
		p.z = low.z + draw(r, high.z-low.z+1)
		d.place(w, p)
	}
}

// place places a block on one that is in the open.
func (d onGround) place(w *work, p pos) {
	on := p.up(1)
	if s := at(w.Context, on); !s.Air() && s.Block() != block.Vine {
		return
	}
	if at(w.Context, p).SolidRender() && w.Height(chunk.MotionBlockingNoLeaves, p.x, p.z) <= on.y {
		w.decorate(on, stateFor(w.Context, d.state, on))
	}
}
