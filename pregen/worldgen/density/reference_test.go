package density

import (
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/settings"
)

// allSettings are the game's noise settings, and whether they use the legacy
// random source.
var allSettings = map[string]bool{
	"overworld": false, "large_biomes": false, "amplified": false,
	"nether": true, "end": true, "caves": true, "floating_islands": true,
}

// reference evaluates the loader's graph as it is, point by point, remembering
// nothing but the corners of cells.
type reference struct {
	points  *points
	shape   Shape
	inCell  bool // interpolated along x first
	corners map[cornerKey]float64
	inside  *points // evaluates corners
}

type cornerKey struct {
	n       Node
	x, y, z int
}

func newReference(g *Graph, shape Shape, chunkX, chunkZ int) *reference {
	copied := &Graph{islands: g.islands}
	var sources []Node
	for _, n := range g.nodes {
		if n.kind == flatCache {
			n.slot = int32(len(sources))
			sources = append(sources, n.a)
		}
		copied.nodes = append(copied.nodes, n)
	}
	grid := newFlatGrid(newPoints(copied, nil), sources, make([]bool, len(sources)))
	grid.begin(chunkX, chunkZ)
	r := &reference{
		points: newPoints(copied, nil), inside: newPoints(copied, nil),
		shape: shape, corners: make(map[cornerKey]float64),
	}
	r.points.grid, r.inside.grid = grid, grid
	r.points.block = r.interpolate
	return r
}

func (r *reference) corner(n Node, x, y, z int) float64 {
	key := cornerKey{n, x, y, z}
	v, ok := r.corners[key]
	if !ok {
		v = r.inside.at(n, x, y, z)
		r.corners[key] = v
	}
	return v
}

func (r *reference) interpolate(id Node, p *points) float64 {
	n, w, h := r.points.nodes[id].a, r.shape.CellWidth, r.shape.CellHeight
	x, y, z := floorDiv(p.x, w)*w, floorDiv(p.y, h)*h, floorDiv(p.z, w)*w
	tx, ty, tz := float64(p.x-x)/float64(w), float64(p.y-y)/float64(h), float64(p.z-z)/float64(w)
	var plane [2]float64
	for i := range plane {
		at := z + i*w
		v00, v10 := r.corner(n, x, y, at), r.corner(n, x+w, y, at)
		v01, v11 := r.corner(n, x, y+h, at), r.corner(n, x+w, y+h, at)
		if r.inCell {
			plane[i] = lerp(ty, lerp(tx, v00, v10), lerp(tx, v01, v11))
		} else {
			plane[i] = lerp(tx, lerp(ty, v00, v01), lerp(ty, v10, v11))
		}
	}
	return lerp(tz, plane[0], plane[1])
}

func loadSettings(t testing.TB, id string, seed int64) (*Loader, Router, *Program) {
	t.Helper()
	pack := oracletest.Datapack(t)
	l := NewLoader(pack, noise.NewSet(seed, allSettings[id], settings.Noises(pack)))
	r, shape, err := l.Settings("minecraft:" + id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(l.Graph(), r, shape)
	if err != nil {
		t.Fatal(err)
	}
	return l, r, p
}

func sameBits(a, b float64) bool { return a == b || a != a && b != b }

func TestProgramsEvaluatePointsAsTheReferenceDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2))
	for id := range allSettings {
		t.Run(id, func(t *testing.T) {
			l, _, p := loadSettings(t, id, random.Int64())
			chunkX, chunkZ := random.IntN(4000)-2000, random.IntN(4000)-2000
			c, r := p.NewChunk(), newReference(l.Graph(), p.shape, chunkX, chunkZ)
			r.points.block = nil
			c.Begin(int32(chunkX), int32(chunkZ))
			for n := range Node(l.Graph().Len()) {
				for i := range 20 {
					x, y, z := chunkX*16+random.IntN(20), random.IntN(400)-70, chunkZ*16+random.IntN(20)
					if i%2 == 0 {
						x, z = x+random.IntN(200)-100, z+random.IntN(200)-100
					}
					if got, want := c.At(n, x, y, z), r.points.at(n, x, y, z); !sameBits(got, want) {
						t.Fatalf("%s (node %d) at %d, %d, %d is %v, want %v", l.Graph().Type(n), n, x, y, z, got, want)
					}
				}
			}
		})
	}
}

func TestChunksEvaluateBlocksAsTheReferenceDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 3))
	for id := range allSettings {
		t.Run(id, func(t *testing.T) {
			l, router, p := loadSettings(t, id, random.Int64())
			c := p.NewChunk()
			for i := range 3 {
				chunkX, chunkZ := random.IntN(400)-200, random.IntN(400)-200
				r := newReference(l.Graph(), p.shape, chunkX, chunkZ)
				c.Begin(int32(chunkX), int32(chunkZ))
				if i > 0 {
					c.Corners(random.IntN(400) - 80)
				}
				checkChunk(t, c, r, &router)
			}
		})
	}
}

func checkChunk(t *testing.T, c *Chunk, r *reference, router *Router) {
	t.Helper()
	w, h := r.shape.CellWidth, r.shape.CellHeight
	cells, layers := r.shape.Cells()
	for number := range cells * cells * layers {
		cy, cx, cz := number%layers, number/layers%cells, number/layers/cells
		class := c.Class(cx, cy, cz)
		for _, f := range []struct {
			name   string
			values []float64
			n      Node
		}{
			{"final_density", append([]float64(nil), c.Density(cx, cy, cz)...), router.FinalDensity},
			{"vein_toggle", append([]float64(nil), c.VeinToggle(cx, cy, cz)...), router.VeinToggle},
			{"vein_ridged", append([]float64(nil), c.VeinRidged(cx, cy, cz)...), router.VeinRidged},
		} {
			r.inCell = f.name == "final_density"
			for i, got := range f.values {
				x, z, y := c.x+cx*w+i%w, c.z+cz*w+i/w%w, c.firstY+cy*h+i/w/w
				if want := r.points.at(f.n, x, y, z); !sameBits(got, want) {
					t.Fatalf("%s at %d, %d, %d is %v, want %v", f.name, x, y, z, got, want)
				}
				if r.inCell && (class == Solid && !(got > 0) || class == Open && got > 0) {
					t.Fatalf("density %v at %d, %d, %d in a cell of class %d", got, x, y, z, class)
				}
			}
		}
	}
	low, high := c.VeinToggleRange(0, 0, 0)
	for _, v := range c.VeinToggle(0, 0, 0) {
		if v < low || v > high {
			t.Errorf("vein_toggle %v is not within %v to %v", v, low, high)
		}
	}
	for range 50 {
		x, y, z := rand.IntN(16), rand.IntN(r.shape.Height)+r.shape.MinY, rand.IntN(16)
		r.inCell = false
		got, want := c.AtBlock(router.VeinRidged, c.x+x, y, c.z+z), r.points.at(router.VeinRidged, c.x+x, y, c.z+z)
		if !sameBits(got, want) {
			t.Fatalf("vein_ridged at block %d, %d, %d is %v, want %v", x, y, z, got, want)
		}
	}
}

func TestChunksDoNotAllocate(t *testing.T) {
	_, router, p := loadSettings(t, "overworld", 1)
	c := p.NewChunk()
	out, x := make([][6]float64, 3), int32(0)
	if n := testing.AllocsPerRun(20, func() {
		x++
		c.Begin(x, -x)
		c.Corners(50)
		c.Density(1, 20, 2)
		c.VeinToggle(0, 3, 3)
		c.VeinRidged(0, 3, 3)
		c.VeinToggleRange(0, 1, 1)
		c.Climate(int(x)*40, 7, []int{-3, 0, 20}, out)
		c.PreliminarySurface(int(x)*100, 30)
		c.At(router.FluidLevelSpread, 1, 2, 3)
		c.AtBlock(router.VeinGap, 1, 2, 3)
	}); n > 0 {
		t.Errorf("%v allocations for a chunk", n)
	}
}
