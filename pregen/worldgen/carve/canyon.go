package carve

import (
	"math"

	"strata/pregen/worldgen/rng"
)

// canyon draws the canyon of a start.
func (d *drawer) canyon(c *carver, chunkX, chunkZ int32) {
	r := &d.random
	x := float64(chunkX<<4 + r.IntN(16))
	y := float64(c.y.Sample(r, d.span))
	z := float64(chunkZ<<4 + r.IntN(16))
	yaw := r.Float() * turn
	pitch := c.rotation.Sample(r)
	scale := float64(c.yScale.Sample(r))
	thickness := c.thickness.Sample(r)
	length := int32(steps * c.distance.Sample(r))

	t := d.begin(tunnel{carver: c, seed: r.Long()}, thickness)
	d.inner = rng.NewLegacy(t.seed)
	skipWidths(c, &d.inner, d.span.Height)
	var yawSway, pitchSway float32
	for step := range length {
		arc := float32(float32(step)*pi) / float32(length)
		horizontal := 1.5 + float64(float32(d.sines.Sin(float64(arc))*thickness))
		vertical := float64(horizontal * scale)
		horizontal *= float64(c.horizontalFactor.Sample(&d.inner))
		vertical = c.canyonHeight(&d.inner, vertical, float32(length), float32(step))
		ahead := d.sines.Cos(float64(pitch))
		x += float64(float32(d.sines.Cos(float64(yaw)) * ahead))
		y += float64(d.sines.Sin(float64(pitch)))
		z += float64(float32(d.sines.Sin(float64(yaw)) * ahead))
		pitch = float32(pitch*0.7) + float32(pitchSway*0.05)
		yaw += float32(yawSway * 0.05)
		pitchSway = float32(pitchSway*0.8) + float32(sway(&d.inner)*2)
		yawSway = float32(yawSway*0.5) + float32(sway(&d.inner)*4)
		if d.inner.IntN(4) != 0 {
			d.add(t, ellipsoid{
				x: x, y: y, z: z,
				horizontal: horizontal, vertical: vertical,
				left: float64(length - step),
			})
		}
	}
}

// canyonHeight scales the vertical radius of a step: by one factor at the ends,
// to which another one is added towards the middle.
func (c *carver) canyonHeight(r *rng.Legacy, radius float64, length, step float32) float64 {
	away := float32(math.Abs(float64(0.5 - step/length)))
	middle := 1 - float32(away*2)
	factor := c.verticalFactor + float32(c.verticalCentre*middle)
	return float64(float64(factor)*radius) * float64(rng.FloatBetween(r, 0.75, 1))
}

// widths draws how wide a canyon is at each height, from the lowest up: the
// factor of the squared distance from its middle line.
func widths(c *carver, seed int64, out []float32) {
	r := rng.NewLegacy(seed)
	width := float32(1)
	for i := range out {
		if i == 0 || r.IntN(c.widthSmoothness) == 0 {
			width = 1 + float32(r.Float()*r.Float())
		}
		out[i] = width * width
	}
}

// skipWidths throws away what widths draws.
func skipWidths(c *carver, r *rng.Legacy, height int32) {
	for i := range height {
		if i == 0 || r.IntN(c.widthSmoothness) == 0 {
			r.Consume(2)
		}
	}
}
