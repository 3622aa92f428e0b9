package bench

// SyntheticChunks makes n full chunks, as NBT, of a land that only this
// package knows: for measurements where no world is at hand. The same n gives
// the same bytes on every machine. The tags are those of DataVersion 4903
// (26.2) that weigh most; sizes, palettes and how well it compresses are near
// those of generated worlds, but not the same: quote them as synthetic.
func SyntheticChunks(n int) [][]byte {
	chunks := make([][]byte, n)
	for i := range chunks {
		chunks[i] = syntheticChunk(int32(i%32), int32(i/32))
	}
	return chunks
}

// The land, in blocks.
const (
	synMinY     = -64
	synSections = 24
	synSeaLevel = 63
)

// Block states of the land, indexes into synStates.
const (
	synAir = iota
	synCaveAir
	synStone
	synDeepslate
	synBedrock
	synDirt
	synGrass
	synSand
	synWater
	synGranite
	synDiorite
	synAndesite
	synGravel
	synTuff
	synCoal
	synIron
	synCopper
	synPlant
	synFlower
	synLava
)

// synStates are names and, behind them, pairs of property and value.
var synStates = [][]string{
	{"minecraft:air"}, {"minecraft:cave_air"}, {"minecraft:stone"},
	{"minecraft:deepslate", "axis", "y"}, {"minecraft:bedrock"}, {"minecraft:dirt"},
	{"minecraft:grass_block", "snowy", "false"}, {"minecraft:sand"}, {"minecraft:water", "level", "0"},
	{"minecraft:granite"}, {"minecraft:diorite"}, {"minecraft:andesite"}, {"minecraft:gravel"},
	{"minecraft:tuff"}, {"minecraft:coal_ore"}, {"minecraft:iron_ore"}, {"minecraft:copper_ore"},
	{"minecraft:short_grass"}, {"minecraft:dandelion"}, {"minecraft:lava", "level", "0"},
}

// synBlobs are what the ground has in lumps, and how often.
var synBlobs = []struct {
	state  uint8
	radius int32 // in quarters of a block
	share  uint32
}{
	{synGranite, 15, 40}, {synDiorite, 15, 40}, {synAndesite, 15, 40}, {synDirt, 13, 30},
	{synGravel, 13, 30}, {synTuff, 14, 40}, {synCoal, 8, 70}, {synIron, 7, 70}, {synCopper, 7, 50}, {synLava, 6, 10},
}

// synHash mixes a position and a salt.
func synHash(x, y, z int32, salt uint32) uint32 {
	h := uint32(x)*0x9e3779b1 ^ uint32(y)*0x85ebca6b ^ uint32(z)*0xc2b2ae35 ^ salt*0x27d4eb2f
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	return h ^ h>>15
}

// synNoise is smooth noise over a lattice of 1<<shift blocks, 0..65535. It
// is integer arithmetic throughout, so that no processor rounds differently.
func synNoise(x, y, z int32, shift uint, salt uint32) int32 {
	cell := int32(1) << shift
	x0, y0, z0 := x>>shift, y>>shift, z>>shift
	fx, fy, fz := x&(cell-1), y&(cell-1), z&(cell-1)
	corner := func(dx, dy, dz int32) int32 { return int32(synHash(x0+dx, y0+dy, z0+dz, salt) >> 16) }
	mix := func(a, b, f int32) int32 { return a + (b-a)*f/cell }
	plane := func(dz int32) int32 {
		if fy == 0 {
			return mix(corner(0, 0, dz), corner(1, 0, dz), fx)
		}
		return mix(mix(corner(0, 0, dz), corner(1, 0, dz), fx), mix(corner(0, 1, dz), corner(1, 1, dz), fx), fy)
	}
	return mix(plane(0), plane(1), fz)
}

// synHeight is the y of the first block above the ground.
func synHeight(x, z int32) int32 {
	hills := synNoise(x, 0, z, 6, 1) - 1<<15
	bumps := synNoise(x, 0, z, 4, 2) - 1<<15
	return 78 + hills*34/(1<<15) + bumps*6/(1<<15)
}

// synGround is what a section's ground is made of, as far as that does not
// need looking at each block: the noise that caves follow at the corners of
// its 8-block cells, and a hash for the lump in each.
type synGround struct {
	caves [27]int32
	lumps [8]uint32
}

func newSynGround(cx, cz, y0 int32) *synGround {
	g := new(synGround)
	x0, y1, z0 := cx<<1, y0>>3, cz<<1
	for i := range g.caves {
		x, y, z := int32(i%3), int32(i/9), int32(i/3%3)
		g.caves[i] = int32(synHash(x0+x, y1+y, z0+z, 5) >> 16)
	}
	for i := range g.lumps {
		g.lumps[i] = synHash(x0+int32(i&1), y1+int32(i>>2), z0+int32(i>>1&1), 7)
	}
	return g
}

// cave is the noise at a block of the section, 0..65535.
func (g *synGround) cave(x, y, z int32) int32 {
	at := x>>3 + z>>3*3 + y>>3*9
	fx, fy, fz := x&7, y&7, z&7
	row := func(i int32) int32 { return g.caves[i]*(8-fx) + g.caves[i+1]*fx }
	plane := func(i int32) int32 { return (row(i)*(8-fz) + row(i+3)*fz) >> 6 }
	return (plane(at)*(8-fy) + plane(at+9)*fy) >> 3
}

// lump is what the lump of the block's cell puts there, air if it does not
// reach so far. Its edge is ragged by rough, a hash of the block.
func (g *synGround) lump(x, y, z int32, rough uint32) uint8 {
	h := g.lumps[x>>3+z>>3*2+y>>3*4]
	kind := h % 512
	for _, b := range synBlobs {
		if kind >= b.share {
			kind -= b.share
			continue
		}
		dx, dy, dz := 4*(x&7)-int32(h>>9&15)-8, 4*(y&7)-int32(h>>13&15)-8, 4*(z&7)-int32(h>>17&15)-8
		if dx*dx+dy*dy*2+dz*dz < b.radius*b.radius+int32(rough%128)-32 {
			return b.state
		}
		return synAir
	}
	return synAir
}

// synState is the block at a position. g is the ground of its section,
// height the ground's height.
func synState(g *synGround, x, y, z, height int32) uint8 {
	switch {
	case y >= height && y < synSeaLevel:
		return synWater
	case y == height && height > synSeaLevel:
		switch h := synHash(x, y, z, 3) % 100; {
		case h < 18:
			return synPlant
		case h < 20:
			return synFlower
		}
		return synAir
	case y >= height:
		return synAir
	case height <= synSeaLevel+1 && y >= height-3:
		return synSand
	case y == height-1:
		return synGrass
	case y >= height-4:
		return synDirt
	}
	rough := synHash(x, y, z, 4)
	switch {
	case y < synMinY+5 && rough%5 >= uint32(y-synMinY):
		return synBedrock
	case y < height-8 && g.cave(x&15, y&15, z&15) > 46000:
		return synCaveAir
	}
	if s := g.lump(x&15, y&15, z&15, rough); s != synAir {
		return s
	}
	if y < int32(rough>>8%8) {
		return synDeepslate
	}
	return synStone
}
