package plant

import (
	"sync"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/tree"
	"strata/pregen/worldgen/provider"
)

// patch is the feature vegetation_patch: ground, with plants on it, on the floor
// or the ceiling of what is hollow.
type patch struct {
	replaceable *feature.Blocks
	ground      feature.Provider
	plants      *feature.Placed
	in          int // step into the ground, along y
	out         block.Direction
	depth       provider.Int
	radius      provider.Int
	reach       int // how far up and down the surface is sought
	// Chances of one more layer, of plants and of columns at the rim.
	deeper, planted, rim float32
}

func newPatch(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := &patch{}
	return f, f.read(l, config)
}

func (f *patch) read(l *feature.Loader, config provider.Value) (err error) {
	if f.replaceable, err = l.MemberBlocks(config, "replaceable"); err != nil {
		return err
	}
	if f.ground, err = l.MemberProvider(config, "ground_state"); err != nil {
		return err
	}
	member, err := config.Member("vegetation_feature")
	if err != nil {
		return err
	}
	if f.plants, err = l.Placed(member); err != nil {
		return err
	}
	if member, err = config.Member("surface"); err != nil {
		return err
	}
	surface, err := member.Text()
	if err != nil {
		return err
	}
	switch surface {
	case "floor":
		f.in, f.out = -1, block.Up
	case "ceiling":
		f.in, f.out = 1, block.Down
	default:
		return member.Errorf("neither floor nor ceiling")
	}
	if f.depth, err = l.Int(config, "depth", 1, 128); err != nil {
		return err
	}
	if f.radius, err = l.Int(config, "xz_radius", 0, maxPatch); err != nil {
		return err
	}
	if member, err = config.Member("vertical_range"); err != nil {
		return err
	}
	reach, err := member.Int(1, 256)
	if err != nil {
		return err
	}
	f.reach = int(reach)
	for name, chance := range map[string]*float32{
		"extra_bottom_block_chance": &f.deeper, "vegetation_chance": &f.planted, "extra_edge_column_chance": &f.rim,
	} {
		if *chance, err = feature.Float(config, name, 0, 1); err != nil {
			return err
		}
	}
	return nil
}

// maxPatch bounds the radius of a patch; the game writes no farther than this
// from a chunk.
const maxPatch = 32

func (f *patch) Place(c *feature.Context, x, y, z int) bool {
	m := patchMemory.Get().(*memory)
	defer patchMemory.Put(m)
	list := f.lay(c, x, y, z, m)
	for _, p := range list {
		if f.planted > 0 && c.Random.Float() < f.planted {
			f.plants.Place(c, p[0], p[1]-f.in, p[2])
		}
	}
	return len(list) > 0
}

// memory is what a patch needs while it is built. Its places are in the order of
// a Java HashSet, on which the random numbers of each depend.
type memory struct {
	found, wet    tree.PlaceSet
	list, wetList []tree.Place
}

// patchMemory is shared by workers, since features within a patch may be patches.
var patchMemory = sync.Pool{New: func() any { return new(memory) }}

// lay lays the ground and returns the places that are its surface.
func (f *patch) lay(c *feature.Context, x, y, z int, m *memory) []tree.Place {
	m.found.Reset()
	radiusX := int(f.radius.Sample(c.Random)) + 1
	radiusZ := int(f.radius.Sample(c.Random)) + 1
	for dx := -radiusX; dx <= radiusX; dx++ {
		for dz := -radiusZ; dz <= radiusZ; dz++ {
			endX, endZ := dx == -radiusX || dx == radiusX, dz == -radiusZ || dz == radiusZ
			if endX && endZ {
				continue
			}
			if (endX || endZ) && (f.rim == 0 || c.Random.Float() > f.rim) {
				continue
			}
			f.column(c, x+dx, y, z+dz, &m.found)
		}
	}
	m.list = m.found.List(m.list[:0])
	return m.list
}

// column seeks the surface of a column and lays ground into it.
func (f *patch) column(c *feature.Context, x, y, z int, found *tree.PlaceSet) {
	for i := 0; i < f.reach && c.Block(x, y, z).Air(); i++ {
		y += f.in
	}
	for i := 0; i < f.reach && !c.Block(x, y, z).Air(); i++ {
		y -= f.in
	}
	if !c.Block(x, y, z).Air() || !feature.Sturdy(c.Block(x, y+f.in, z), f.out) {
		return
	}
	depth := int(f.depth.Sample(c.Random))
	if f.deeper > 0 && c.Random.Float() < f.deeper {
		depth++
	}
	y += f.in
	if f.fill(c, x, y, z, depth) {
		found.Add(x, y, z)
	}
}

// fill replaces blocks of a column, from its surface on, and reports whether
// there is ground.
func (f *patch) fill(c *feature.Context, x, y, z, depth int) bool {
	for i := range depth {
		state, ok := f.ground.State(c, x, y, z)
		before := c.Block(x, y, z)
		if !ok || state.Block() == before.Block() {
			continue // without a step: what is there already is not passed
		}
		if !f.replaceable.Has(before) {
			return i != 0
		}
		c.Set(x, y, z, state)
		y += f.in
	}
	return true
}

// pool is the feature waterlogged_vegetation_patch: a patch whose surface turns
// to water where it is enclosed, with plants in it.
type pool struct{ patch }

func newPool(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := &pool{}
	return f, f.read(l, config)
}

func (f *pool) Place(c *feature.Context, x, y, z int) bool {
	m := patchMemory.Get().(*memory)
	defer patchMemory.Put(m)
	m.wet.Reset()
	for _, p := range f.lay(c, x, y, z, m) {
		if enclosed(c, p) {
			m.wet.Add(p[0], p[1], p[2])
		}
	}
	m.wetList = m.wet.List(m.wetList[:0])
	for _, p := range m.wetList {
		c.Set(p[0], p[1], p[2], block.Water.Default())
	}
	for _, p := range m.wetList {
		if f.planted > 0 && c.Random.Float() < f.planted && f.plants.Place(c, p[0], p[1]-1-f.in, p[2]) {
			if wet, ok := c.Block(p[0], p[1], p[2]).With("waterlogged", "true"); ok {
				c.Set(p[0], p[1], p[2], wet)
			}
		}
	}
	return len(m.wetList) > 0
}

// enclosed reports whether a place has whole sides around and below.
func enclosed(c *feature.Context, p tree.Place) bool {
	for _, s := range sides {
		x, z := s.of(p[0], p[2])
		if !feature.Sturdy(c.Block(x, p[1], z), directions[s].Opposite()) {
			return false
		}
	}
	return feature.Sturdy(c.Block(p[0], p[1]-1, p[2]), block.Up)
}
