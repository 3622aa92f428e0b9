package carve

import (
	"math"

	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/sine"
)

// ellipsoid is one step of a tunnel.
type ellipsoid struct {
	x, y, z              float64
	horizontal, vertical float64 // radii
	left                 float64 // steps of the tunnel after this one; infinite for rooms
}

// tunnel is a walk, a room or a canyon.
type tunnel struct {
	carver *carver
	branch bool    // dug only if the last tunnel that is no branch was followed to its end
	floor  float64 // of caves
	seed   int64   // of canyons, for their widths
	reach  float64 // the square of how far it reaches beyond the steps left

	first, count int // of its ellipsoids in those of the start

	// The blocks that it and its branches may touch, and a few more.
	minX, minZ, maxX, maxZ float64
}

// start is what the carvers of one chunk dig.
type start struct {
	tunnels    []tunnel
	ellipsoids []ellipsoid
}

// drawer draws starts.
type drawer struct {
	span   provider.Span
	world  int64
	sines  *sine.Table
	random rng.Worldgen
	inner  rng.Legacy // of one tunnel; branches do not nest in time
	start  start
}

// steps is how long caves are at most, and canyons times their distance factor:
// a carver's range of 4 chunks twice, without the last chunk.
const steps = 112

// Angles in single precision.
const (
	pi     float32 = math.Pi
	turn   float32 = 2 * math.Pi
	square float32 = math.Pi / 2
)

// draw draws the start of a chunk for a list of carvers.
func (d *drawer) draw(list []*carver, chunkX, chunkZ int32) {
	d.start.tunnels = d.start.tunnels[:0]
	d.start.ellipsoids = d.start.ellipsoids[:0]
	for i, c := range list {
		d.random.SetLargeFeatureSeed(d.world+int64(i), chunkX, chunkZ)
		if d.random.Float() > c.probability {
			continue
		}
		if c.kind == canyon {
			d.canyon(c, chunkX, chunkZ)
		} else {
			d.caves(c, chunkX, chunkZ)
		}
	}
}

// begin begins a tunnel.
func (d *drawer) begin(t tunnel, thickness float32) *tunnel {
	reach := float64((thickness + 2) + 16)
	t.reach = float64(reach * reach)
	t.first = len(d.start.ellipsoids)
	t.minX, t.minZ = math.Inf(1), math.Inf(1)
	t.maxX, t.maxZ = math.Inf(-1), math.Inf(-1)
	d.start.tunnels = append(d.start.tunnels, t)
	return &d.start.tunnels[len(d.start.tunnels)-1]
}

// add adds an ellipsoid to the last tunnel that was begun.
func (d *drawer) add(t *tunnel, e ellipsoid) {
	d.start.ellipsoids = append(d.start.ellipsoids, e)
	t.count++
	radius := math.Abs(e.horizontal) + 2
	t.minX, t.maxX = min(t.minX, e.x-radius), max(t.maxX, e.x+radius)
	t.minZ, t.maxZ = min(t.minZ, e.z-radius), max(t.maxZ, e.z+radius)
}

// include extends the bounds of a tunnel to those of its branches, which are
// all that came after it.
func (d *drawer) include(parent int) {
	t := &d.start.tunnels[parent]
	for i := parent + 1; i < len(d.start.tunnels); i++ {
		b := &d.start.tunnels[i]
		t.minX, t.maxX = min(t.minX, b.minX), max(t.maxX, b.maxX)
		t.minZ, t.maxZ = min(t.minZ, b.minZ), max(t.maxZ, b.maxZ)
	}
}

// sway is the wandering of an angle: a float in -1..1, falling off to both
// ends.
func sway(r *rng.Legacy) float32 {
	difference := unit(r.Float()) - unit(r.Float())
	return difference * r.Float()
}

// unit returns a float that was drawn. A float is drawn by a product, and the
// conversion keeps the compiler from fusing that into a sum.
func unit(f float32) float32 { return float32(f) }
