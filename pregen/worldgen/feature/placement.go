package feature

import (
	"math"
	"sync"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// Placed is a feature and how places for it are found.
type Placed struct {
	ID        string // empty if it is inline
	Feature   Feature
	modifiers []modifier
}

// modifier makes places of a place. It calls next for each, in order, as soon
// as it has drawn it.
type modifier interface {
	places(c *Context, x, y, z int, next walk)
}

// walk is where a place has got to among the modifiers of a feature.
type walk struct {
	placed *Placed
	at     int // of the modifier that is next
}

func (w walk) step(c *Context, x, y, z int) {
	if w.at < len(w.placed.modifiers) {
		w.placed.modifiers[w.at].places(c, x, y, z, walk{w.placed, w.at + 1})
		return
	}
	if c.CanWrite(x, z) && w.placed.Feature.Place(c, x, y, z) {
		c.built = true
	}
}

// Place builds the feature from a place, as a part of another feature, and
// reports whether anything was built.
func (p *Placed) Place(c *Context, x, y, z int) bool { return p.place(c, nil, x, y, z) }

// place builds the feature; allowed are the biomes that have it, nil for no
// matter.
func (p *Placed) place(c *Context, allowed []bool, x, y, z int) bool {
	outer, others := c.allowed, c.built
	c.allowed, c.built = allowed, false
	walk{placed: p}.step(c, x, y, z)
	built := c.built
	c.allowed, c.built = outer, others
	return built
}

type (
	countModifier  struct{ count provider.Int }
	everyLayer     struct{ count provider.Int }
	rarityModifier struct{ chance float32 }
	inSquare       struct{}
	biomeFilter    struct{}
	heightRange    struct{ height provider.Height }
	onHeightmap    struct{ kind chunk.Heightmap }
	waterDepth     struct{ most int }
	randomOffset   struct{ xz, y provider.Int }
	blockFilter    struct{ predicate Predicate }
	fixedPlaces    []offset
	surfaceLimits  struct {
		kind      chunk.Heightmap
		low, high int
	}
	scan struct {
		step            int
		most            int
		target, allowed Predicate
	}
	noiseCount struct {
		factor, offset float64
		ratio          int32
	}
	noiseThreshold struct {
		level        float64
		below, above int32
	}
)

func (m countModifier) places(c *Context, x, y, z int, next walk) {
	for range m.count.Sample(c.Random) {
		next.step(c, x, y, z)
	}
}

func (m rarityModifier) places(c *Context, x, y, z int, next walk) {
	if c.Random.Float() < m.chance {
		next.step(c, x, y, z)
	}
}

func (inSquare) places(c *Context, x, y, z int, next walk) {
	x += int(c.Random.IntN(16))
	z += int(c.Random.IntN(16))
	next.step(c, x, y, z)
}

func (biomeFilter) places(c *Context, x, y, z int, next walk) {
	if biome := c.Biome(x, y, z); c.allowed == nil || c.allowed[biome] {
		next.step(c, x, y, z)
	}
}

func (m heightRange) places(c *Context, x, _, z int, next walk) {
	next.step(c, x, int(m.height.Sample(c.Random, c.Span)), z)
}

func (m onHeightmap) places(c *Context, x, _, z int, next walk) {
	if y := c.Height(m.kind, x, z); y > c.minY {
		next.step(c, x, y, z)
	}
}

func (m waterDepth) places(c *Context, x, y, z int, next walk) {
	if c.Height(chunk.WorldSurface, x, z)-c.Height(chunk.OceanFloor, x, z) <= m.most {
		next.step(c, x, y, z)
	}
}

func (m surfaceLimits) places(c *Context, x, y, z int, next walk) {
	surface := c.Height(m.kind, x, z)
	if surface+m.low <= y && y <= surface+m.high {
		next.step(c, x, y, z)
	}
}

func (m randomOffset) places(c *Context, x, y, z int, next walk) {
	x += int(m.xz.Sample(c.Random))
	y += int(m.y.Sample(c.Random))
	z += int(m.xz.Sample(c.Random))
	next.step(c, x, y, z)
}

func (m blockFilter) places(c *Context, x, y, z int, next walk) {
	if m.predicate.Test(c.View, x, y, z) {
		next.step(c, x, y, z)
	}
}

func (m fixedPlaces) places(c *Context, x, _, z int, next walk) {
	for _, p := range m {
		if p.x>>4 == x>>4 && p.z>>4 == z>>4 {
			next.step(c, p.x, p.y, p.z)
		}
	}
}

func (m scan) places(c *Context, x, y, z int, next walk) {
	if !m.allowed.Test(c.View, x, y, z) {
		return
	}
	for range m.most {
		if m.target.Test(c.View, x, y, z) {
			next.step(c, x, y, z)
			return
		}
		y += m.step
		if c.Outside(y) {
			return
		}
		if !m.allowed.Test(c.View, x, y, z) {
			break
		}
	}
	if m.target.Test(c.View, x, y, z) {
		next.step(c, x, y, z)
	}
}

// biomeNoise is the noise of the game's that counts of plants depend on.
var biomeNoise = sync.OnceValue(func() *noise.PerlinSimplex {
	source := rng.NewWorldgenLegacy(2345)
	n, err := noise.NewPerlinSimplex(&source, []int{0})
	if err != nil {
		panic(err)
	}
	return n
})

func (m noiseCount) places(c *Context, x, y, z int, next walk) {
	value := biomeNoise().At(float64(x)/m.factor, float64(z)/m.factor, false)
	count := int(math.Ceil((value + m.offset) * float64(m.ratio)))
	for range min(count, maxCount) {
		next.step(c, x, y, z)
	}
}

func (m noiseThreshold) places(c *Context, x, y, z int, next walk) {
	count := m.above
	if biomeNoise().At(float64(x)/200, float64(z)/200, false) < m.level {
		count = m.below
	}
	for range count {
		next.step(c, x, y, z)
	}
}

// places draws all places before the first is used: the game collects them.
func (m everyLayer) places(c *Context, x, _, z int, next walk) {
	var found []offset
	for layer, more := 0, true; more; layer++ {
		more = false
		for i := int32(0); ; i++ {
			if i >= m.count.Sample(c.Random) { // drawn anew each time
				break
			}
			px := x + int(c.Random.IntN(16))
			pz := z + int(c.Random.IntN(16))
			if py, ok := c.layer(px, c.Height(chunk.MotionBlocking, px, pz), pz, layer); ok {
				found = append(found, offset{px, py, pz})
				more = true
			}
		}
	}
	for _, p := range found {
		next.step(c, p.x, p.y, p.z)
	}
}

// layer returns the y above the ground of a layer, counted from the top.
func (c *Context) layer(x, y, z, layer int) (int, bool) {
	above := c.Block(x, y, z)
	for ; y > c.minY; y-- {
		ground := c.Block(x, y-1, z)
		if !open(ground) && open(above) && ground.Block() != block.Bedrock {
			if layer == 0 {
				return y, true
			}
			layer--
		}
		above = ground
	}
	return 0, false
}

func open(s block.State) bool { return s.Air() || liquid(s) }
