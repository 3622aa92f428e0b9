package rock

import (
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// iceberg is the feature iceberg.
type iceberg struct{ state block.State }

func newIceberg(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	state, err := l.MemberState(config, "state")
	return iceberg{state}, err
}

// berg is the form of an iceberg.
type berg struct {
	c        *feature.Context
	state    block.State
	x, y, z  int
	snowy    bool
	oval     bool
	angle    float64
	sin, cos float64 // of the angle
	a, b     int     // long and short half of an oval
	over     int     // height over the water
	under    int
	width    int
	reach    int // of its columns from the middle
}

func (f iceberg) Place(c *feature.Context, x, _, z int) bool {
	r := c.Random
	g := &berg{c: c, state: f.state, x: x, y: c.SeaLevel(), z: z}
	g.snowy = r.Double() > 0.7
	g.angle = float64(r.Double() * 2 * math.Pi)
	g.sin, g.cos = feature.SinCos(g.angle)
	g.a = 11 - int(r.IntN(5))
	g.b = 3 + int(r.IntN(3))
	g.oval = r.Double() > 0.7
	if g.oval {
		g.over = int(r.IntN(6)) + 6
	} else {
		g.over = int(r.IntN(15)) + 3
		if r.Double() > 0.9 {
			g.over += int(r.IntN(19)) + 7
		}
	}
	g.under = min(g.over+int(r.IntN(11)), 18)
	width := g.over + int(r.IntN(7))
	g.width = min(width-int(r.IntN(5)), 11)
	g.reach = 11
	if g.oval {
		g.reach = g.a
	}
	g.buildOver()
	g.smooth()
	g.buildUnder()
	chance := 0.7
	if g.oval {
		chance = 0.1
	}
	if r.Double() > chance {
		g.cut()
	}
	return true
}

func (g *berg) buildOver() {
	for dx := -g.reach; dx < g.reach; dx++ {
		for dz := -g.reach; dz < g.reach; dz++ {
			for dy := range g.over {
				if g.oval {
					g.block(dx, dy, dz, g.over, g.ovalRadius(dy), g.reach)
				} else if radius := roundRadius(g.c.Random, dy, g.over, g.width); dx < radius {
					g.block(dx, dy, dz, g.over, radius, g.reach)
				}
			}
		}
	}
}

func (g *berg) buildUnder() {
	for dx := -g.reach; dx < g.reach; dx++ {
		for dz := -g.reach; dz < g.reach; dz++ {
			for dy := -1; dy > -g.under; dy-- {
				long := g.reach
				if g.oval {
					long = ceil(float32(g.reach) * (1 - float32(dy*dy)/float32(float32(g.under)*8)))
				}
				if radius := steepRadius(g.c.Random, -dy, g.under, g.width); dx < radius {
					g.block(dx, dy, dz, g.under, radius, long)
				}
			}
		}
	}
}

// block sets a block if it is inside. height is that of the half that is built.
func (g *berg) block(dx, dy, dz, height, radius, long int) {
	r := g.c.Random
	var away, inner float64
	if g.oval {
		short := g.b
		if dy > 0 && height-dy <= 3 {
			short -= 4 - (height - dy)
		}
		if away = ovalDistance(dx, dz, long, short, g.sin, g.cos); !(away < 0) {
			return
		}
		inner = -0.5
	} else {
		edge := float32(10*min(max(r.Float(), 0.2), 0.8)) / float32(radius)
		if away = float64(edge) + float64(dx*dx) + float64(dz*dz) - float64(radius*radius); !(away < 0) {
			return
		}
		inner = float64(-6 - r.IntN(3))
	}
	if away > inner && r.Double() > 0.9 {
		return
	}
	g.set(g.x+dx, g.y+dy, g.z+dz, height-dy, height)
}

// set sets ice or snow. depth is that below the top.
func (g *berg) set(x, y, z, depth, height int) {
	before := g.c.Block(x, y, z)
	switch before.Block() {
	case block.SnowBlock, block.Ice, block.Water:
	default:
		if !before.Air() {
			return
		}
	}
	r := g.c.Random
	snow, share := true, 2
	if g.oval {
		snow, share = r.Double() > 0.05, 3
	}
	state := g.state
	if g.snowy && !isWater(before) {
		most := float64(r.IntN(int32(max(1, height/share)))) + float64(float64(height)*0.6)
		if float64(depth) <= most && snow {
			state = block.SnowBlock.Default()
		}
	}
	g.c.Set(x, y, z, state)
}

// ovalDistance is below 0 inside an ellipse.
func ovalDistance(x, z, long, short int, sin, cos float64) float64 {
	along := (float64(float64(x)*cos) - float64(float64(z)*sin)) / float64(long)
	across := (float64(float64(x)*sin) + float64(float64(z)*cos)) / float64(short)
	return float64(along*along) + float64(across*across) - 1
}

func (g *berg) ovalRadius(dy int) int {
	return ceil(float32((1-float32(dy*dy)/float32(g.over))*float32(g.width)) / 2)
}

func roundRadius(r *rng.Worldgen, dy, height, width int) int {
	slope := 3.5 - float32(r.Float())
	radius := (1 - float32(dy*dy)/float32(float32(height)*slope)) * float32(width)
	if height > 15+int(r.IntN(5)) {
		if dy < 3+int(r.IntN(6)) {
			dy /= 2
		}
		radius = (1 - float32(dy)/float32(float32(float32(height)*slope)*0.4)) * float32(width)
	}
	return ceil(radius / 2)
}

func steepRadius(r *rng.Worldgen, depth, height, width int) int {
	slope := 1 + float32(r.Float()/2)
	return ceil(float32((1-float32(depth)/float32(float32(height)*slope))*float32(width)) / 2)
}

// isBerg reports whether a block is one that icebergs are made of.
func isBerg(s block.State) bool {
	switch s.Block() {
	case block.PackedIce, block.SnowBlock, block.BlueIce:
		return true
	}
	return false
}

// smooth removes what hangs in the air or stands alone.
func (g *berg) smooth() {
	reach := g.width / 2
	if g.oval {
		reach = g.a
	}
	air := block.Air.Default()
	for dx := -reach; dx <= reach; dx++ {
		for dz := -reach; dz <= reach; dz++ {
			for dy := 0; dy <= g.over; dy++ {
				x, y, z := g.x+dx, g.y+dy, g.z+dz
				s := g.c.Block(x, y, z)
				switch {
				case !isBerg(s) && s.Block() != block.Snow:
				case g.c.Block(x, y-1, z).Air():
					g.c.Set(x, y, z, air)
					g.c.Set(x, y+1, z, air)
				case isBerg(s) && g.openSides(x, y, z) >= 3:
					g.c.Set(x, y, z, air)
				}
			}
		}
	}
}

func (g *berg) openSides(x, y, z int) (n int) {
	for _, d := range beside {
		if !isBerg(g.c.Block(x+d.x, y, z+d.z)) {
			n++
		}
	}
	return n
}

// cut cuts a notch into the iceberg.
func (g *berg) cut() {
	r := g.c.Random
	signX, signZ := 1, 1
	if r.Bool() {
		signX = -1
	}
	if r.Bool() {
		signZ = -1
	}
	half := g.width / 2
	draw := func() int {
		n := int(r.IntN(int32(max(half-2, 1))))
		if r.Bool() {
			n = half + 1 - int(r.IntN(int32(max(g.width-half-1, 1))))
		}
		return n
	}
	x := draw()
	z := draw()
	var angle float64
	if g.oval {
		x = int(r.IntN(int32(max(g.a-5, 1))))
		z = x
		angle = g.angle + math.Pi/2
	} else {
		angle = float64(r.Double() * 2 * math.Pi)
	}
	sin, cos := feature.SinCos(angle)
	n := notch{signX * x, signZ * z, sin, cos}
	for dy := range g.over - 3 {
		g.carve(n, dy, roundRadius(r, dy, g.over, g.width), false)
	}
	for dy := -1; dy > int(r.IntN(5))-g.over; dy-- {
		g.carve(n, dy, steepRadius(r, -dy, g.over, g.width), true)
	}
}

// notch is where a cut is, from the middle.
type notch struct {
	x, z     int
	sin, cos float64
}

// carve takes a layer of a notch away.
func (g *berg) carve(n notch, dy, radius int, flooded bool) {
	long := radius + 1 + g.a/3
	short := min(radius-3, 3) + g.b/2 - 1
	for dx := -long; dx < long; dx++ {
		for dz := -long; dz < long; dz++ {
			if !(ovalDistance(dx-n.x, dz-n.z, long, short, n.sin, n.cos) < 0) {
				continue
			}
			x, y, z := g.x+dx, g.y+dy, g.z+dz
			if !isBerg(g.c.Block(x, y, z)) {
				continue
			}
			if flooded {
				g.c.Set(x, y, z, block.Water.Default())
				continue
			}
			g.c.Set(x, y, z, block.Air.Default())
			if g.c.Block(x, y+1, z).Block() == block.Snow {
				g.c.Set(x, y+1, z, block.Air.Default())
			}
		}
	}
}
