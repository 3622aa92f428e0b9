package carve

import (
	"math"

	"strata/pregen/worldgen/rng"
)

// Bounds of the number of caves of a start.
const (
	caveBound   = 15
	netherBound = 10
)

// netherScale is how much higher than wide the Nether's caves are.
const netherScale = 5

// caves draws the caves of a start: tunnels from one place, sometimes more and
// with a room.
func (d *drawer) caves(c *carver, chunkX, chunkZ int32) {
	r := &d.random
	bound := int32(caveBound)
	if c.kind == netherCave {
		bound = netherBound
	}
	for range r.IntN(r.IntN(r.IntN(bound)+1) + 1) {
		var w walk
		w.x = float64(chunkX<<4 + r.IntN(16))
		w.y = float64(c.y.Sample(r, d.span))
		w.z = float64(chunkZ<<4 + r.IntN(16))
		w.horizontal = float64(c.horizontal.Sample(r))
		w.vertical = float64(c.vertical.Sample(r))
		w.floor = float64(c.floor.Sample(r))
		tunnels := int32(1)
		if r.IntN(4) == 0 {
			scale := float64(c.yScale.Sample(r))
			d.room(c, &w, 1+float32(r.Float()*6), scale)
			tunnels += r.IntN(4)
		}
		for range tunnels {
			d.cave(c, w)
		}
	}
}

// room draws a room where the walk begins.
func (d *drawer) room(c *carver, w *walk, thickness float32, scale float64) {
	radius := 1.5 + float64(float32(d.sines.Sin(float64(square))*thickness))
	t := d.begin(tunnel{carver: c, floor: w.floor}, 0)
	d.add(t, ellipsoid{
		x: w.x + 1, y: w.y, z: w.z,
		horizontal: radius, vertical: radius * scale,
		left: math.Inf(1),
	})
}

// cave draws a tunnel from where the walk begins.
func (d *drawer) cave(c *carver, w walk) {
	r := &d.random
	w.yaw = r.Float() * turn
	w.pitch = (unit(r.Float()) - 0.5) / 4
	w.thickness = float32(unit(r.Float())*2) + unit(r.Float())
	switch {
	case c.kind == netherCave:
		w.thickness *= 2
		w.scale = netherScale
	default:
		if r.IntN(10) == 0 {
			widening := float32(float32(r.Float()*r.Float()) * 3)
			w.thickness *= widening + 1
		}
		w.scale = 1
	}
	w.steps = steps - r.IntN(steps/4)
	w.seed = r.Long()
	parent := len(d.start.tunnels)
	d.walk(c, w)
	d.include(parent)
}

// walk is where a tunnel begins and what it is like.
type walk struct {
	seed                 int64
	x, y, z              float64
	horizontal, vertical float64 // factors of the radii
	floor                float64
	thickness            float32
	yaw, pitch           float32
	step, steps          int32
	scale                float64 // of the height
	branch               bool
}

// walk draws a tunnel. One that is thick enough splits into two thin ones
// somewhere in its second and third quarter.
func (d *drawer) walk(c *carver, w walk) {
	r := rng.NewLegacy(w.seed)
	split := r.IntN(w.steps/2) + w.steps/4
	damping := float32(0.7)
	if r.IntN(6) == 0 {
		damping = 0.92
	}
	t := d.begin(tunnel{carver: c, branch: w.branch, floor: w.floor}, w.thickness)
	var yawSway, pitchSway float32
	for ; w.step < w.steps; w.step++ {
		arc := float32(pi*float32(w.step)) / float32(w.steps)
		horizontal := 1.5 + float64(float32(d.sines.Sin(float64(arc))*w.thickness))
		vertical := float64(horizontal * w.scale)
		ahead := d.sines.Cos(float64(w.pitch))
		w.x += float64(float32(d.sines.Cos(float64(w.yaw)) * ahead))
		w.y += float64(d.sines.Sin(float64(w.pitch)))
		w.z += float64(float32(d.sines.Sin(float64(w.yaw)) * ahead))
		w.pitch = float32(w.pitch*damping) + float32(pitchSway*0.1)
		w.yaw += float32(yawSway * 0.1)
		pitchSway = float32(pitchSway*0.9) + float32(sway(&r)*2)
		yawSway = float32(yawSway*0.75) + float32(sway(&r)*4)
		if w.step == split && w.thickness > 1 {
			d.split(c, w, &r)
			return
		}
		if r.IntN(4) != 0 {
			d.add(t, ellipsoid{
				x: w.x, y: w.y, z: w.z,
				horizontal: float64(horizontal * w.horizontal), vertical: float64(vertical * w.vertical),
				left: float64(w.steps - w.step),
			})
		}
	}
}

// split draws the two branches of a tunnel, to its left and right. They are too
// thin to split again.
func (d *drawer) split(c *carver, w walk, r *rng.Legacy) {
	yaw := w.yaw
	w.pitch /= 3
	w.scale = 1
	w.branch = true
	for _, side := range [2]float32{-square, square} {
		w.seed = r.Long()
		w.thickness = float32(r.Float()*0.5) + 0.5
		w.yaw = yaw + side
		d.walk(c, w)
	}
}
