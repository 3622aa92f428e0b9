package plan

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
	"strata/region"
)

// sample is an area and a test of its own for what is in it, which shares no
// code with the area.
type sample struct {
	name string
	area *Area
	in   func(x, z float64) bool // a point in blocks
}

// samples are all shapes in sizes that cross regions and the axes.
func samples(t testing.TB) []sample {
	t.Helper()
	var all []sample
	add := func(name string, area *Area, err error, in func(x, z float64) bool) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, sample{name, area, in})
	}
	for _, c := range []struct {
		centre Block
		radius Radius
	}{
		{Block{0, 0}, Radius{X: 13, Z: 13}},
		{Block{-700, 333}, Radius{X: 17, Z: 17}},
		{Block{1000, -2000}, Radius{X: 200, Z: 200, Blocks: true}},
		{Block{5, 5}, Radius{}},
	} {
		for _, shape := range []Shape{Square, Circle, Diamond, Triangle, Pentagon, Hexagon, Star} {
			area, err := NewArea(shape, c.centre, c.radius)
			add(fmt.Sprint(shape, " ", c.radius), area, err, bruteShape(shape, c.centre, c.radius))
		}
	}
	for _, r := range []Radius{{X: 30, Z: 9}, {X: 133, Z: 400, Blocks: true}} {
		for _, shape := range []Shape{Rectangle, Ellipse} {
			area, err := NewArea(shape, Block{-40, 90}, r)
			add(fmt.Sprint(shape, " ", r), area, err, bruteShape(shape, Block{-40, 90}, r))
		}
	}
	corners := []Block{{-600, -500}, {100, -80}, {700, -620}, {300, 40}, {640, 500}, {-20, 180}, {-480, 660}, {-130, 10}}
	area, err := NewPolygon(corners)
	add("polygon", area, err, brutePolygon(corners))
	loop := []Block{{-500, -500}, {500, -480}, {-510, 500}, {490, 520}} // crosses itself
	area, err = NewPolygon(loop)
	add("crossed polygon", area, err, brutePolygon(loop))
	area, err = NewBox(Block{-333, 8}, Block{417, 255})
	add("box", area, err, func(x, z float64) bool { return x > -336 && x < 432 && z > 0 && z < 256 })
	stored := map[region.Pos]Mask{}
	random := rand.New(rand.NewPCG(1, 2))
	for _, p := range []region.Pos{{X: 0, Z: 0}, {X: -1, Z: 0}, {X: 3, Z: -2}} {
		var m Mask
		for range 300 {
			m.Set(region.Slot(random.IntN(region.Slots)))
		}
		stored[p] = m
	}
	add("existing", NewExisting(stored), nil, func(x, z float64) bool {
		c := region.ChunkPos{X: int32(math.Floor(x / 16)), Z: int32(math.Floor(z / 16))}
		m := stored[c.Region()]
		return m[c.Z&31]&(1<<(c.X&31)) != 0
	})
	return all
}

func bruteShape(shape Shape, centre Block, r Radius) func(x, z float64) bool {
	cx, cz, rx, rz := float64(centre.X), float64(centre.Z), float64(r.X), float64(r.Z)
	if !r.Blocks {
		cx, cz = math.Floor(cx/16)*16+8, math.Floor(cz/16)*16+8
		rx, rz = rx*16+8, rz*16+8
	}
	corner := func(k, n int, length float64) [2]float64 {
		angle := 2 * math.Pi * float64(k) / float64(n)
		return [2]float64{cx + math.Round(length*math.Sin(angle)), cz - math.Round(length*math.Cos(angle))}
	}
	ring := func(n int) (p [][2]float64) {
		for k := range n {
			p = append(p, corner(k, n, rx))
		}
		return p
	}
	switch shape {
	case Square, Rectangle:
		if r.Blocks {
			return func(x, z float64) bool {
				return x > math.Floor((cx-rx)/16)*16 && x < math.Floor((cx+rx)/16)*16+16 &&
					z > math.Floor((cz-rz)/16)*16 && z < math.Floor((cz+rz)/16)*16+16
			}
		}
		return func(x, z float64) bool { return math.Abs(x-cx) <= rx && math.Abs(z-cz) <= rz }
	case Circle, Ellipse:
		return func(x, z float64) bool {
			return math.Pow((x-cx)/rx, 2)+math.Pow((z-cz)/rz, 2) <= 1
		}
	case Diamond:
		return func(x, z float64) bool { return math.Abs(x-cx)+math.Abs(z-cz) <= rx }
	case Triangle:
		return convex(ring(3))
	case Pentagon:
		return convex(ring(5))
	case Hexagon:
		return convex(ring(6))
	}
	// A star is its five points and the pentagon between them.
	inner := rx * math.Cos(2*math.Pi/5) / math.Cos(math.Pi/5)
	var parts []func(x, z float64) bool
	var middle [][2]float64
	for k := range 5 {
		tip, left, right := corner(2*k, 10, rx), corner(2*k+9, 10, inner), corner(2*k+1, 10, inner)
		parts = append(parts, convex([][2]float64{left, tip, right}))
		middle = append(middle, right)
	}
	parts = append(parts, convex(middle))
	return func(x, z float64) bool {
		for _, part := range parts {
			if part(x, z) {
				return true
			}
		}
		return false
	}
}

// convex is the points on the inner side of all sides.
func convex(p [][2]float64) func(x, z float64) bool {
	return func(x, z float64) bool {
		for i, a := range p {
			b := p[(i+1)%len(p)]
			if (b[0]-a[0])*(z-a[1])-(b[1]-a[1])*(x-a[0]) < 0 {
				return false
			}
		}
		return true
	}
}

// brutePolygon sums up the angles at which a point sees the sides: an odd
// number of turns is inside.
func brutePolygon(corners []Block) func(x, z float64) bool {
	return func(x, z float64) bool {
		sum := 0.0
		for i, a := range corners {
			b := corners[(i+1)%len(corners)]
			ax, az, bx, bz := float64(a.X)-x, float64(a.Z)-z, float64(b.X)-x, float64(b.Z)-z
			cross, dot := ax*bz-az*bx, ax*bx+az*bz
			if cross == 0 && dot <= 0 {
				return true // on the side
			}
			sum += math.Atan2(cross, dot)
		}
		return int(math.Round(sum/(2*math.Pi)))&1 != 0
	}
}

// bruteSet lists what a sample should hold.
func bruteSet(s sample) map[region.ChunkPos]bool {
	set := map[region.ChunkPos]bool{}
	b := s.area.Bounds()
	for z := b.MinZ - 3; z <= b.MaxZ+3; z++ {
		for x := b.MinX - 3; x <= b.MaxX+3; x++ {
			if s.in(float64(x)*16+8, float64(z)*16+8) {
				set[region.ChunkPos{X: x, Z: z}] = true
			}
		}
	}
	return set
}

func TestEveryShapeHoldsWhatBruteForceComputes(t *testing.T) {
	for _, s := range samples(t) {
		set := bruteSet(s)
		if len(set) == 0 {
			t.Errorf("%s: the area is empty", s.name)
		}
		b := s.area.Bounds()
		for z := b.MinZ - 3; z <= b.MaxZ+3; z++ {
			for x := b.MinX - 3; x <= b.MaxX+3; x++ {
				c := region.ChunkPos{X: x, Z: z}
				m := s.area.Mask(c.Region())
				if got := s.area.Contains(c); got != set[c] || m.Has(c.Slot()) != got {
					t.Fatalf("%s: chunk %v: Contains %v, mask %v, want %v", s.name, c, got, m.Has(c.Slot()), set[c])
				}
			}
		}
		if got := s.area.Chunks(); got != int64(len(set)) {
			t.Errorf("%s: Chunks is %d, want %d", s.name, got, len(set))
		}
	}
}

func TestEveryOrderVisitsEachChunkOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	for _, s := range samples(t) {
		set := bruteSet(s)
		for _, order := range Orders() {
			side := 1 << random.IntN(6)
			rim := []int{0, 0, 1, 2}[random.IntN(4)]
			centre := region.ChunkPos{X: random.Int32N(200) - 100, Z: random.Int32N(200) - 100}
			p, err := New(s.area, Options{Order: order, Centre: centre, Side: side, Rim: rim})
			if err != nil {
				t.Fatal(err)
			}
			checkWalk(t, fmt.Sprintf("%s, %s, tiles of %d, rim %d", s.name, order, side, rim), p, set, rim)
		}
	}
}

func checkWalk(t *testing.T, name string, p *Plan, set map[region.ChunkPos]bool, rim int) {
	t.Helper()
	seen, around := map[region.ChunkPos]bool{}, map[region.ChunkPos]bool{}
	for tile := range p.Tiles() {
		if tile.Region != tile.At.Region() || int(tile.At.X)&(tile.Side-1) != 0 || int(tile.At.Z)&(tile.Side-1) != 0 {
			t.Fatalf("%s: tile at %v of region %v is not aligned", name, tile.At, tile.Region)
		}
		each := func(m *Mask, to map[region.ChunkPos]bool) {
			m.Slots(func(s region.Slot) {
				c := tile.Region.Chunk(s)
				if dx, dz := c.X-tile.At.X, c.Z-tile.At.Z; dx < 0 || dz < 0 || int(dx) >= tile.Side || int(dz) >= tile.Side {
					t.Fatalf("%s: chunk %v is not in the tile at %v", name, c, tile.At)
				}
				if seen[c] || around[c] {
					t.Fatalf("%s: chunk %v comes twice", name, c)
				}
				to[c] = true
			})
		}
		each(&tile.Want, seen)
		each(&tile.Rim, around)
	}
	if len(seen) != len(set) {
		t.Fatalf("%s: %d chunks, want %d", name, len(seen), len(set))
	}
	for c := range seen {
		if !set[c] {
			t.Fatalf("%s: chunk %v is not in the area", name, c)
		}
	}
	expect := map[region.ChunkPos]bool{}
	for c := range set {
		for z := -rim; z <= rim; z++ {
			for x := -rim; x <= rim; x++ {
				if n := (region.ChunkPos{X: c.X + int32(x), Z: c.Z + int32(z)}); !set[n] {
					expect[n] = true
				}
			}
		}
	}
	if !maps.Equal(expect, around) {
		t.Fatalf("%s: the rim has %d chunks, want %d", name, len(around), len(expect))
	}
}

func TestOrdersGoAsTheySay(t *testing.T) {
	area, err := NewArea(Square, Block{100, -50}, Radius{X: 40, Z: 40})
	if err != nil {
		t.Fatal(err)
	}
	centre := region.ChunkPos{X: 6, Z: -4}
	walk := func(order Order) (all []region.ChunkPos) {
		p, err := New(area, Options{Order: order, Centre: centre})
		if err != nil {
			t.Fatal(err)
		}
		for tile := range p.Tiles() {
			all = append(all, tile.At)
		}
		return all
	}
	distance := func(a, b region.ChunkPos) int64 { return ring(a.X-b.X, a.Z-b.Z) }
	jumps := func(all []region.ChunkPos) (n int) {
		for i := 1; i < len(all); i++ {
			if distance(all[i], all[i-1]) > 1 {
				n++
			}
		}
		return n
	}
	for _, order := range []Order{Concentric, Spiral} {
		all := walk(order)
		for i := 1; i < len(all); i++ {
			if distance(all[i], centre) < distance(all[i-1], centre) {
				t.Fatalf("%s goes inwards at chunk %d, %v", order, i, all[i])
			}
		}
		if all[0] != centre {
			t.Errorf("%s begins at %v, want %v", order, all[0], centre)
		}
	}
	if n := jumps(walk(Spiral)); n != 0 {
		t.Errorf("the spiral jumps %d times", n)
	}
	if n := jumps(walk(Loop)); n != 80 {
		t.Errorf("81 rows jump %d times, want 80", n)
	}
	regions := map[region.Pos]bool{}
	at, back := region.Pos{}, 0
	for i, c := range walk(ByRegion) {
		if r := c.Region(); i == 0 || r != at {
			if regions[r] {
				back++
			}
			at, regions[r] = r, true
		}
	}
	if back != 0 || at == centre.Region() {
		t.Errorf("by region: comes back to a region %d times, ends in %v", back, at)
	}
}

// TestHilbertCurveIsConnected checks each step of the curve.
func TestHilbertCurveIsConnected(t *testing.T) {
	for bits := range 6 {
		px, pz := hilbert(bits, 0)
		seen := map[[2]int]bool{{px, pz}: true}
		for i := 1; i < 1<<(2*bits); i++ {
			x, z := hilbert(bits, i)
			if max(x-px, px-x)+max(z-pz, pz-z) != 1 || seen[[2]int{x, z}] || min(x, z) < 0 || max(x, z) >= 1<<bits {
				t.Fatalf("%d bits: step %d goes from %d,%d to %d,%d", bits, i, px, pz, x, z)
			}
			seen[[2]int{x, z}] = true
			px, pz = x, z
		}
	}
}
