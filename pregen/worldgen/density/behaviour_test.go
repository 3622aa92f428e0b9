package density

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"strata/bench/testbed"
)

func TestNestedInterpolationCountsOnce(t *testing.T) {
	l := newTestLoader(nil)
	const inner = `{"type": "interpolated", "argument": {"type": "noise", "noise": "n", "xz_scale": 1, "y_scale": 1}}`
	var nodes []Node
	for _, text := range []string{inner, `{"type": "interpolated", "argument": ` + inner + `}`} {
		n, err := l.Inline("test", "test", "", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, n)
	}
	p, err := Compile(l.Graph(), Router{FinalDensity: nodes[0], VeinToggle: nodes[0], VeinRidged: nodes[1]}, Shape{Height: 64, CellWidth: 4, CellHeight: 8})
	if err != nil {
		t.Fatal(err)
	}
	c := p.NewChunk()
	c.Begin(-3, 1)
	once := append([]float64(nil), c.VeinToggle(2, 1, 0)...)
	if !slices.Equal(once, c.VeinRidged(2, 1, 0)) {
		t.Error("what is interpolated twice differs from what is interpolated once")
	}
}

func TestBeardsAreAskedInEachChunk(t *testing.T) {
	l := newTestLoader(nil)
	n, err := l.Inline("test", "test", "", []byte(`{"type": "flat_cache", "argument": {"type": "beardifier"}}`))
	if err != nil {
		t.Fatal(err)
	}
	bare, err := l.Inline("test", "test", "", []byte(`{"type": "beardifier"}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(l.Graph(), Router{PreliminarySurfaceLevel: bare}, Shape{Height: 64, CellWidth: 4, CellHeight: 8})
	if err != nil {
		t.Fatal(err)
	}
	c := p.NewChunk()
	for beard := range 3 {
		c.SetBeard(func(x, y, _ int) float64 { return float64(10*beard + x + y) })
		c.Begin(0, 0)
		if got := c.At(n, 7, 20, 0); got != float64(10*beard+4) {
			t.Errorf("beard %d is %v in the chunk", beard, got)
		}
		if got := c.At(n, 40, 20, 0); got != float64(10*beard+60) {
			t.Errorf("beard %d is %v outside of the chunk", beard, got)
		}
		if got := c.PreliminarySurface(5, 5); got != 10*beard+4 {
			t.Errorf("a preliminary surface of beard %d is %d", beard, got)
		}
	}
}

// The largest sums of an octave's corners, searched on a grid: at each corner
// the gradient that gives most counts.
func TestOctavesReachNoFurther(t *testing.T) {
	fade := func(t float64) float64 { return t * t * t * (t*(t*6-15) + 10) }
	const steps = 120
	plain, smeared := 0.0, 0.0
	for i := range steps + 1 {
		for j := range i + 1 {
			for k := range j + 1 {
				place := [3]float64{float64(i) / steps / 2, float64(j) / steps / 2, float64(k) / steps / 2}
				sum, face := 0.0, 0.0
				for corner := range 8 {
					weight, d := 1.0, [3]float64{}
					for axis, v := range place {
						if corner>>axis&1 == 0 {
							weight, d[axis] = weight*(1-fade(v)), v
						} else {
							weight, d[axis] = weight*fade(v), 1-v
						}
					}
					sum += weight * max(d[0]+d[1], d[0]+d[2], d[1]+d[2])
					// With the height's fade at 1 and its distance too.
					face += weight * (max(d[0], d[1]) + 1)
				}
				plain, smeared = max(plain, sum), max(smeared, face)
			}
		}
	}
	for _, c := range []struct{ found, reach float64 }{{plain, octaveReach}, {smeared, smearedReach}} {
		if c.found > c.reach-1e-5 || c.found < c.reach-1e-3 {
			t.Errorf("found %v, expected a little less than %v", c.found, c.reach)
		}
	}
}

func TestWhatIsKeptBelongsToItsPosition(t *testing.T) {
	l, router, p := loadSettings(t, "overworld", 3)
	c, plain := p.NewChunk(), newPoints(l.Graph(), nil)
	c.Begin(0, 0)
	for _, place := range [][2]int{{0, 0}, {256, 0}, {0, 256}, {0, 512}, {0, 1024}, {0, 2048}, {0, -2048}, {0, 0}, {2048, 0}, {256, 0}, {-256, 8}, {0, 0}, {0, 8}} {
		x, z := place[0], place[1]
		if got, want := c.PreliminarySurface(x+3, z+1), floorInt(plain.at(router.PreliminarySurfaceLevel, x, 0, z)); got != want {
			t.Errorf("preliminary surface at %v is %d, want %d", place, got, want)
		}
		if got, want := c.At(router.Erosion, x, 0, z), plain.at(router.Erosion, x, 0, z); got != want {
			t.Errorf("erosion at %v is %v, want %v", place, got, want)
		}
	}
}

func TestCacheAllInCellInterpolatesAlongXFirst(t *testing.T) {
	l := newTestLoader(nil)
	load := func(text string) Node {
		n, err := l.Inline("test", "test", "", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const text = `{"type": "interpolated", "argument": {"type": "noise", "noise": "n", "xz_scale": 1, "y_scale": 1}}`
	router := Router{
		FinalDensity: load(text), VeinRidged: load(text),
		VeinToggle: load(`{"type": "cache_all_in_cell", "argument": ` + text + `}`),
	}
	p, err := Compile(l.Graph(), router, Shape{Height: 64, CellWidth: 4, CellHeight: 8})
	if err != nil {
		t.Fatal(err)
	}
	c := p.NewChunk()
	c.Begin(4, 5)
	final := append([]float64(nil), c.Density(1, 2, 3)...)
	inside := append([]float64(nil), c.VeinToggle(1, 2, 3)...)
	if !slices.Equal(final, inside) {
		t.Error("cache_all_in_cell differs from final_density")
	}
	if slices.Equal(final, c.VeinRidged(1, 2, 3)) {
		t.Error("the order of interpolation does not show")
	}
}

func TestBoundsHold(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 4))
	_, _, p := loadSettings(t, "overworld", random.Int64())
	c := p.NewChunk()
	for range 40 {
		x, y, z := random.IntN(1<<20), random.IntN(400)-70, random.IntN(1<<20)
		for n := range p.graph.nodes {
			v := c.points.at(Node(n), x, y, z)
			if low, high := p.known.low[n], p.known.high[n]; v < low || v > high || v != v {
				t.Fatalf("%s at %d, %d, %d is %v, not within %v to %v", p.graph.nodes[n].kind, x, y, z, v, low, high)
			}
		}
	}
	unbounded := 0
	for n := range p.graph.nodes {
		if math.IsInf(p.known.high[n], 0) {
			unbounded++
		}
	}
	t.Logf("%d of %d nodes have no bounds", unbounded, len(p.graph.nodes))
}
