package feature

import (
	"math"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/sine"
)

// oreConfig is what veins and scattered ores are made of.
type oreConfig struct {
	size    int
	discard float32 // chance that a block beside air is left out
	targets []oreTarget
}

type oreTarget struct {
	test  RuleTest
	state block.State
}

func (l *Loader) ore(v provider.Value) (*oreConfig, error) {
	member, err := v.Member("size")
	if err != nil {
		return nil, err
	}
	size, err := member.Int(0, 64)
	if err != nil {
		return nil, err
	}
	o := &oreConfig{size: int(size)}
	if o.discard, err = Float(v, "discard_chance_on_air_exposure", 0, 1); err != nil {
		return nil, err
	}
	if member, err = v.Member("targets"); err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok {
		return nil, member.Errorf("not a list")
	}
	for _, element := range list {
		var t oreTarget
		if member, err = element.Member("target"); err != nil {
			return nil, err
		}
		if t.test, err = l.RuleTest(member); err != nil {
			return nil, err
		}
		if member, err = element.Member("state"); err != nil {
			return nil, err
		}
		if t.state, err = l.State(member); err != nil {
			return nil, err
		}
		o.targets = append(o.targets, t)
	}
	return o, nil
}

// replace returns what a block becomes, and false if it stays.
func (o *oreConfig) replace(c *Context, state block.State, x, y, z int) (block.State, bool) {
	for i := range o.targets {
		t := &o.targets[i]
		if !t.test.Test(state, c.Random) {
			continue
		}
		if keep(c.Random, o.discard) || !besideAir(c.View, x, y, z) {
			return t.state, true
		}
	}
	return 0, false
}

// keep reports whether air beside a block does not matter.
func keep(s *rng.Worldgen, discard float32) bool {
	return discard <= 0 || discard < 1 && s.Float() >= discard
}

// besideAir reports whether one of the six blocks around a place is air.
func besideAir(v *View, x, y, z int) bool {
	return v.Block(x, y-1, z).Air() || v.Block(x, y+1, z).Air() || v.Block(x, y, z-1).Air() ||
		v.Block(x, y, z+1).Air() || v.Block(x-1, y, z).Air() || v.Block(x+1, y, z).Air()
}

// vein is the feature ore: balls along a line, which blocks become ore within.
type vein struct{ *oreConfig }

func newVein(l *Loader, config provider.Value) (Feature, error) {
	o, err := l.ore(config)
	return vein{o}, err
}

// ball is a part of a vein.
type ball struct{ x, y, z, radius float64 }

// box is where a vein may be.
type box struct{ minX, minY, minZ, width, height int }

func (f vein) Place(c *Context, x, y, z int) bool {
	angle := float32(c.Random.Float() * float32(math.Pi))
	reach := float32(f.size) / 8
	// The game has single precision here and double in the line itself.
	doubled := float32(float32(float32(f.size)/16) * 2)
	margin := int(math.Ceil(float64(float32(doubled+1) / 2)))
	sin, cos := SinCos(float64(angle))
	dx, dz := float64(sin*float64(reach)), float64(cos*float64(reach))
	y0 := float64(y + int(c.Random.IntN(3)) - 2)
	y1 := float64(y + int(c.Random.IntN(3)) - 2)
	half := int(math.Ceil(float64(reach))) + margin
	b := box{x - half, y - 2 - margin, z - half, 2 * half, 2 * (2 + margin)}
	if !b.underground(c.View) {
		return false
	}
	from := ball{x: float64(x) + dx, y: y0, z: float64(z) + dz}
	to := ball{x: float64(x) - dx, y: y1, z: float64(z) - dz}
	f.line(c, from, to)
	return f.dig(c, b)
}

// underground reports whether the box does not lie above the ground everywhere.
func (b box) underground(v *View) bool {
	for x := b.minX; x <= b.minX+b.width; x++ {
		for z := b.minZ; z <= b.minZ+b.width; z++ {
			if b.minY <= v.Height(chunk.OceanFloorWG, x, z) {
				return true
			}
		}
	}
	return false
}

// line makes the balls of a vein and drops those that lie within others, which
// get a radius below 0.
func (f vein) line(c *Context, from, to ball) {
	table := sine.Get()
	balls := c.scratch.balls[:0]
	for i := range f.size {
		at := float32(i) / float32(f.size)
		t := float64(at)
		spread := float64(c.Random.Double()*float64(f.size)) / 16
		bulge := table.Sin(float64(float32(math.Pi)*at)) + 1
		balls = append(balls, ball{
			x:      from.x + float64(t*(to.x-from.x)),
			y:      from.y + float64(t*(to.y-from.y)),
			z:      from.z + float64(t*(to.z-from.z)),
			radius: (float64(float64(bulge)*spread) + 1) / 2,
		})
	}
	for i := range balls {
		a := &balls[i]
		for j := i + 1; j < len(balls) && a.radius > 0; j++ {
			b := &balls[j]
			if b.radius <= 0 {
				continue
			}
			dx, dy, dz, dr := a.x-b.x, a.y-b.y, a.z-b.z, a.radius-b.radius
			if float64(dr*dr) <= float64(dx*dx)+float64(dy*dy)+float64(dz*dz) {
				continue
			}
			if dr > 0 {
				b.radius = -1
			} else {
				a.radius = -1
			}
		}
	}
	c.scratch.balls = balls
}

// dig turns the blocks within the balls into ore.
func (f vein) dig(c *Context, b box) bool {
	clear(c.scratch.seen)
	placed := false
	for _, s := range c.scratch.balls {
		if s.radius < 0 {
			continue
		}
		minX, minY, minZ := max(floor(s.x-s.radius), b.minX), max(floor(s.y-s.radius), b.minY), max(floor(s.z-s.radius), b.minZ)
		maxX, maxY, maxZ := max(floor(s.x+s.radius), minX), max(floor(s.y+s.radius), minY), max(floor(s.z+s.radius), minZ)
		minY, maxY = max(minY, c.minY), min(maxY, c.top-1)
		across := c.scratch.across[:0] // of z, from minZ
		for z := minZ; z <= maxZ; z++ {
			dz := (float64(z) + 0.5 - s.z) / s.radius
			across = append(across, float64(dz*dz))
		}
		c.scratch.across = across
		for x := minX; x <= maxX; x++ {
			dx := (float64(x) + 0.5 - s.x) / s.radius
			if float64(dx*dx) >= 1 {
				continue
			}
			for y := minY; y <= maxY; y++ {
				dy := (float64(y) + 0.5 - s.y) / s.radius
				plane := float64(dx*dx) + float64(dy*dy)
				if plane >= 1 {
					continue
				}
				for i, squared := range across {
					if plane+squared >= 1 {
						continue
					}
					z := minZ + i
					// Blocks at the far sides share bits with others, in the
					// game too.
					if c.see(x-b.minX+(y-b.minY)*b.width+(z-b.minZ)*b.width*b.height) || !c.CanWrite(x, z) {
						continue
					}
					if state, ok := f.replace(c, c.Block(x, y, z), x, y, z); ok {
						c.SetBare(x, y, z, state)
						placed = true
					}
				}
			}
		}
	}
	return placed
}

// see marks a bit of the scratch and reports whether it was marked.
func (c *Context) see(bit int) bool {
	word := bit >> 6
	for word >= len(c.scratch.seen) {
		c.scratch.seen = append(c.scratch.seen, 0)
	}
	seen := c.scratch.seen[word]&(1<<(bit&63)) != 0
	c.scratch.seen[word] |= 1 << (bit & 63)
	return seen
}

// scattered is the feature scattered_ore: single blocks around a place.
type scattered struct{ *oreConfig }

func newScattered(l *Loader, config provider.Value) (Feature, error) {
	o, err := l.ore(config)
	return scattered{o}, err
}

func (f scattered) Place(c *Context, x, y, z int) bool {
	count := int(c.Random.IntN(int32(f.size) + 1))
	for i := range count {
		reach := float32(min(i, 7))
		px := x + away(c.Random, reach)
		py := y + away(c.Random, reach)
		pz := z + away(c.Random, reach)
		if state, ok := f.replace(c, c.Block(px, py, pz), px, py, pz); ok {
			c.Set(px, py, pz, state)
		}
	}
	return true
}

// away draws a distance, rounded as Java does.
func away(s *rng.Worldgen, reach float32) int {
	a := float32(s.Float())
	b := float32(s.Float())
	return int(math.Floor(float64(float32((a-b)*reach)) + 0.5))
}
