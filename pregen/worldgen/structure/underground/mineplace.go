package underground

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/structure"
)

// shuns reports whether the piece is left out of the chunk: where fluid touches
// it, and in the deep dark. Only what lies in the chunk is looked at.
func (m *mineBase) shuns(p *structure.Placer) bool {
	b := m.Box.Grown(1)
	b = structure.Box{
		MinX: max(b.MinX, p.Box.MinX), MinY: max(b.MinY, p.Box.MinY), MinZ: max(b.MinZ, p.Box.MinZ),
		MaxX: min(b.MaxX, p.Box.MaxX), MaxY: min(b.MaxY, p.Box.MaxY), MaxZ: min(b.MaxZ, p.Box.MaxZ),
	}
	biome := p.Biome(int((b.MinX+b.MaxX)/2), int((b.MinY+b.MaxY)/2), int((b.MinZ+b.MaxZ)/2))
	if p.Climate[biome].Name == "minecraft:deep_dark" {
		return true
	}
	for x := b.MinX; x <= b.MaxX; x++ {
		for z := b.MinZ; z <= b.MaxZ; z++ {
			if liquid(p.BlockAt(x, b.MinY, z)) || liquid(p.BlockAt(x, b.MaxY, z)) {
				return true
			}
		}
	}
	for y := b.MinY; y <= b.MaxY; y++ {
		for x := b.MinX; x <= b.MaxX; x++ {
			if liquid(p.BlockAt(x, y, b.MinZ)) || liquid(p.BlockAt(x, y, b.MaxZ)) {
				return true
			}
		}
		for z := b.MinZ; z <= b.MaxZ; z++ {
			if liquid(p.BlockAt(b.MinX, y, z)) || liquid(p.BlockAt(b.MaxX, y, z)) {
				return true
			}
		}
	}
	return false
}

func liquid(s block.State) bool {
	switch s.Block() {
	case block.Water, block.Lava, block.BubbleColumn:
		return true
	}
	return false
}

// floor lays planks under a piece where there is no ground to walk on.
func (m *mineBase) floor(p *structure.Placer, x, y, z int32) {
	if !m.Interior(p, x, y, z) {
		return
	}
	wx, wy, wz := m.World(x, y, z)
	if !feature.Sturdy(p.BlockAt(wx, wy, wz), block.Up) {
		p.SetBlock(wx, wy, wz, m.wood.planks())
	}
}

// Place implements structure.Piece.
func (m *mineRoom) Place(p *structure.Placer) {
	if m.shuns(p) {
		return
	}
	b := m.Box
	m.FillAir(p, b.MinX, b.MinY+1, b.MinZ, b.MaxX, min(b.MinY+3, b.MaxY), b.MaxZ)
	for _, e := range m.exits {
		m.FillAir(p, e.MinX, e.MaxY-2, e.MinZ, e.MaxX, e.MaxY, e.MaxZ)
	}
	m.FillDome(p, b.MinX, b.MinY+4, b.MinZ, b.MaxX, b.MaxY, b.MaxZ, block.CaveAir.Default(), false)
}

// Place implements structure.Piece.
func (m *mineStairs) Place(p *structure.Placer) {
	if m.shuns(p) {
		return
	}
	m.FillAir(p, 0, 5, 0, 2, 7, 1)
	m.FillAir(p, 0, 0, 7, 2, 2, 8)
	for step := range int32(5) {
		low := 5 - step
		if step < 4 {
			low--
		}
		m.FillAir(p, 0, low, 2+step, 2, 7-step, 2+step)
	}
}

// Place implements structure.Piece.
func (m *mineCrossing) Place(p *structure.Placer) {
	if m.shuns(p) {
		return
	}
	b := m.Box
	storey := func(low, high int32) {
		m.FillAir(p, b.MinX+1, low, b.MinZ, b.MaxX-1, high, b.MaxZ)
		m.FillAir(p, b.MinX, low, b.MinZ+1, b.MaxX, high, b.MaxZ-1)
	}
	if m.high {
		storey(b.MinY, b.MinY+2)
		storey(b.MaxY-2, b.MaxY)
		m.FillAir(p, b.MinX+1, b.MinY+3, b.MinZ+1, b.MaxX-1, b.MinY+3, b.MaxZ-1)
	} else {
		storey(b.MinY, b.MaxY)
	}
	planks := m.wood.planks()
	for _, x := range [...]int32{b.MinX + 1, b.MaxX - 1} {
		for _, z := range [...]int32{b.MinZ + 1, b.MaxZ - 1} {
			if !m.At(p, x, b.MaxY+1, z).Air() {
				m.Fill(p, x, b.MinY, z, x, b.MaxY, z, planks, block.CaveAir.Default(), false)
			}
		}
	}
	for x := b.MinX; x <= b.MaxX; x++ {
		for z := b.MinZ; z <= b.MaxZ; z++ {
			m.floor(p, x, b.MinY-1, z)
		}
	}
}

// Place implements structure.Piece.
func (m *mineCorridor) Place(p *structure.Placer) {
	if m.shuns(p) {
		return
	}
	end := m.sections*sectionLength - 1
	air := block.CaveAir.Default()
	m.FillAir(p, 0, 0, 0, 2, 1, end)
	m.FillMaybe(p, 0.8, 0, 2, 0, 2, 2, end, air, air, false, false)
	if m.spiders {
		m.FillMaybe(p, 0.6, 0, 0, 0, 2, 1, end, block.Cobweb.Default(), air, false, true)
	}
	for section := range m.sections {
		m.section(p, 2+section*sectionLength)
	}
	for x := range int32(3) {
		for z := range end + 1 {
			m.floor(p, x, -1, z)
		}
	}
	m.beam(p, 2)
	if m.sections > 1 {
		m.beam(p, end-2)
	}
	if m.rails {
		m.layRails(p, end)
	}
}

// section builds a support at z, and what hangs and stands around it.
func (m *mineCorridor) section(p *structure.Placer, z int32) {
	m.support(p, z)
	for _, web := range [...]struct {
		chance float32
		off    int32
	}{{0.1, -1}, {0.1, 1}, {0.05, -2}, {0.05, 2}} {
		m.web(p, web.chance, 0, z+web.off)
		m.web(p, web.chance, 2, z+web.off)
	}
	if p.Random.IntN(100) == 0 {
		m.cart(p, 2, z-1)
	}
	if p.Random.IntN(100) == 0 {
		m.cart(p, 0, z+1)
	}
	if m.spiders && !m.spawner {
		at := z - 1 + p.Random.IntN(3)
		if m.Interior(p, 1, 0, at) && p.Inside(m.World(1, 0, at)) {
			m.spawner = true
			m.Spawner(p, 1, 0, at, "minecraft:cave_spider")
		}
	}
}

// support builds two posts with a beam on them, whole or broken, if there is a
// ceiling.
func (m *mineCorridor) support(p *structure.Placer, z int32) {
	for x := range int32(3) {
		if m.At(p, x, 3, z).Air() {
			return
		}
	}
	air, planks := block.CaveAir.Default(), m.wood.planks()
	west, _ := m.wood.fence().With("west", "true")
	east, _ := m.wood.fence().With("east", "true")
	m.Fill(p, 0, 0, z, 0, 1, z, west, air, false)
	m.Fill(p, 2, 0, z, 2, 1, z, east, air, false)
	if p.Random.IntN(4) == 0 {
		m.Fill(p, 0, 2, z, 0, 2, z, planks, air, false)
		m.Fill(p, 2, 2, z, 2, 2, z, planks, air, false)
		return
	}
	m.Fill(p, 0, 2, z, 2, 2, z, planks, air, false)
	m.PutMaybe(p, 0.05, wallTorch(block.South), 1, 2, z-1)
	m.PutMaybe(p, 0.05, wallTorch(block.North), 1, 2, z+1)
}

func wallTorch(facing block.Direction) block.State {
	s, _ := block.WallTorch.Default().With("facing", facing.String())
	return s
}

// web hangs a cobweb by chance where two blocks hold it.
func (m *mineCorridor) web(p *structure.Placer, chance float32, x, z int32) {
	if !m.Interior(p, x, 2, z) || p.Random.Float() >= chance {
		return
	}
	wx, wy, wz := m.World(x, 2, z)
	held := 0
	for side := block.Down; side <= block.East; side++ {
		dx, dy, dz := side.Step()
		if p.Inside(wx+dx, wy+dy, wz+dz) && feature.Sturdy(p.BlockAt(wx+dx, wy+dy, wz+dz), side.Opposite()) {
			held++
		}
	}
	if held >= 2 {
		m.Put(p, block.Cobweb.Default(), x, 2, z)
	}
}

// cart places a minecart with a chest, on a rail of its own.
func (m *mineCorridor) cart(p *structure.Placer, x, z int32) {
	wx, wy, wz := m.World(x, 0, z)
	if !p.Inside(wx, wy, wz) || !p.BlockAt(wx, wy, wz).Air() || p.BlockAt(wx, wy-1, wz).Air() {
		return
	}
	shape := "east_west"
	if p.Random.Bool() {
		shape = "north_south"
	}
	rail, _ := block.Rail.Default().With("shape", shape)
	m.Put(p, rail, x, 0, z)
	p.AddEntity(feature.Entity{
		ID: "minecraft:chest_minecart", X: float64(wx) + 0.5, Y: float64(wy) + 0.5, Z: float64(wz) + 0.5,
		Extra: []feature.Member{
			member("LootTable", "minecraft:chests/abandoned_mineshaft"),
			member("LootTableSeed", p.Random.Long()),
		},
	})
}

// layRails lays rails, with gaps, on what is solid.
func (m *mineCorridor) layRails(p *structure.Placer, end int32) {
	rail := block.Rail.Default()
	for z := range end + 1 {
		ground := m.At(p, 1, -1, z)
		if ground.Air() || !ground.SolidRender() {
			continue
		}
		chance := float32(0.9)
		if m.Interior(p, 1, 0, z) {
			chance = 0.7
		}
		m.PutMaybe(p, chance, rail, 1, 0, z)
	}
}

// beam builds pillars under both ends of a floor's beam, where it has one.
func (m *mineCorridor) beam(p *structure.Placer, z int32) {
	for _, x := range [...]int32{0, 2} {
		if m.At(p, x, -1, z).Block() == m.wood.planks().Block() {
			m.pillar(p, x, z)
		}
	}
}

const (
	pillarDepth = 20
	chainHeight = 50
)

// pillar holds up the floor at x, z: with a log pillar down to the ground or,
// if something to hang from is nearer, with chains. Both may leave the piece's
// box.
func (m *mineCorridor) pillar(p *structure.Placer, x, z int32) {
	wx, wy, wz := m.World(x, -1, z)
	if !p.Inside(wx, wy, wz) {
		return
	}
	fill := func(s block.State, from, to int32) {
		for y := from; y < to; y++ {
			p.SetBelow(wx, y, wz, s)
		}
	}
	down, up := true, true
	for off := int32(1); down || up; off++ {
		if down {
			s := p.BlockAt(wx, wy-off, wz)
			open := structure.Replaceable(s) && s.Block() != block.Lava
			if !open && feature.Sturdy(s, block.Up) {
				fill(m.wood.log(), wy-off+1, wy)
				return
			}
			down = off <= pillarDepth && open && int(wy-off) > p.MinY()+1
		}
		if up {
			s := p.BlockAt(wx, wy+off, wz)
			open := structure.Replaceable(s)
			if !open && hangsFrom(s) {
				fill(m.wood.fence(), wy+1, wy+2)
				fill(block.IronChain.Default(), wy+2, wy+off)
				return
			}
			up = off <= chainHeight && open && int(wy+off) < p.Top()-1
		}
	}
}

// hangsFrom reports whether chains hang from a block.
func hangsFrom(s block.State) bool {
	return feature.HoldsCenter(s, block.Down) && !falls(s)
}

// falls reports whether a block falls when nothing is under it.
func falls(s block.State) bool {
	switch s.Block().Kind() {
	case "sand", "colored_falling", "concrete_powder", "anvil", "dragon_egg":
		return true
	}
	return false
}
