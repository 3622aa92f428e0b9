package jigsaw

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
)

// layout is a structure that is put together of templates.
type layout struct {
	pools       *pools
	start       *pool
	startID     string
	anchor      string // start_jigsaw_name, empty for none
	size        int32  // how many pieces deep
	height      provider.Height
	expansion   bool
	projected   bool
	heightmap   proto.Heightmap
	reach       int32 // max_distance_from_center
	reachUp     int32
	bindings    []binding
	paddingLow  int32
	paddingHigh int32
	keepsWater  bool // liquid_settings is not ignore_waterlogging
}

// Limits of the game's codec.
const (
	maxSize  = 20
	maxReach = 128
	maxTall  = 4064 // highest dimension
)

// readLayout reads a document of type minecraft:jigsaw.
func (p *pools) readLayout(v provider.Value) (*layout, error) {
	j := &layout{pools: p, keepsWater: true}
	var err error
	if j.startID, err = memberID(v, "start_pool"); err != nil {
		return nil, err
	}
	if j.start = p.byID[j.startID]; j.start == nil {
		return nil, v.Errorf("no pool %s", j.startID)
	}
	if v.Has("start_jigsaw_name") {
		if j.anchor, err = memberID(v, "start_jigsaw_name"); err != nil {
			return nil, err
		}
	}
	member, err := v.Member("size")
	if err != nil {
		return nil, err
	}
	if j.size, err = member.Int(0, maxSize); err != nil {
		return nil, err
	}
	if member, err = v.Member("start_height"); err != nil {
		return nil, err
	}
	if j.height, err = provider.ParseHeight(member); err != nil {
		return nil, err
	}
	return j, j.readOptions(v)
}

func (j *layout) readOptions(v provider.Value) error {
	options := []struct {
		name string
		read func(provider.Value) error
	}{
		{"use_expansion_hack", func(v provider.Value) (err error) { j.expansion, err = v.Bool(); return err }},
		{"project_start_to_heightmap", j.readHeightmap},
		{"max_distance_from_center", j.readReach},
		{"pool_aliases", func(v provider.Value) (err error) { j.bindings, err = readBindings(v, 0); return err }},
		{"dimension_padding", j.readPadding},
		{"liquid_settings", func(v provider.Value) (err error) { j.keepsWater, err = readLiquids(v); return err }},
	}
	for _, o := range options {
		member, ok, err := v.Optional(o.name)
		if err != nil {
			return err
		}
		if ok {
			if err := o.read(member); err != nil {
				return err
			}
		} else if o.name == "max_distance_from_center" {
			return v.Errorf("no %s", o.name)
		}
	}
	return nil
}

func readLiquids(v provider.Value) (keeps bool, err error) {
	text, err := v.Text()
	switch {
	case err != nil:
		return false, err
	case text == "apply_waterlogging":
		return true, nil
	case text == "ignore_waterlogging":
		return false, nil
	}
	return false, v.Errorf("unknown liquid settings %q", text)
}

func (j *layout) readHeightmap(v provider.Value) error {
	text, err := v.Text()
	if err != nil {
		return err
	}
	j.projected = true
	switch text {
	case "WORLD_SURFACE_WG", "WORLD_SURFACE":
		j.heightmap = proto.WorldSurface
	case "OCEAN_FLOOR_WG", "OCEAN_FLOOR":
		j.heightmap = proto.OceanFloor
	default:
		return v.Errorf("heightmap %q is not known before there are blocks", text)
	}
	return nil
}

func (j *layout) readReach(v provider.Value) (err error) {
	if v.IsNumber() {
		j.reach, err = v.Int(1, maxReach)
		j.reachUp = j.reach
		return err
	}
	member, err := v.Member("horizontal")
	if err != nil {
		return err
	}
	if j.reach, err = member.Int(1, maxReach); err != nil {
		return err
	}
	j.reachUp = maxTall
	if member, ok, err := v.Optional("vertical"); err != nil {
		return err
	} else if ok {
		j.reachUp, err = member.Int(1, maxTall)
		return err
	}
	return nil
}

func (j *layout) readPadding(v provider.Value) (err error) {
	if v.IsNumber() {
		j.paddingLow, err = v.Int(0, maxTall)
		j.paddingHigh = j.paddingLow
		return err
	}
	for name, to := range map[string]*int32{"bottom": &j.paddingLow, "top": &j.paddingHigh} {
		member, ok, err := v.Optional(name)
		if err != nil {
			return err
		}
		if ok {
			if *to, err = member.Int(0, maxTall); err != nil {
				return err
			}
		}
	}
	return nil
}

// Find implements structure.Layout.
func (j *layout) Find(l *structure.Layouter) (structure.Point, bool) {
	random := l.Random
	y := j.height.Sample(random, l.Span)
	x, z := l.MinBlock()
	a := &assembly{layout: j, layouter: l, random: random, aliases: aliases(j.bindings, l.Seed, x, y, z)}
	rotation := block.Rotation(random.IntN(4))
	start := j.start
	if renamed := a.pool(j.startID); renamed != nil {
		start = renamed
	}
	if len(start.elements) == 0 {
		return structure.Point{}, false
	}
	e := start.elements[random.IntN(int32(len(start.elements)))]
	if e.kind == emptyKind {
		return structure.Point{}, false
	}
	offX, offY, offZ, ok := a.anchor(e, x, y, z, rotation)
	if !ok {
		return structure.Point{}, false
	}
	first := newPiece(e, x-offX, y-offY, z-offZ, rotation, groundDelta, j.keepsWater)
	middleX, middleZ := (first.Box.MaxX+first.Box.MinX)/2, (first.Box.MaxZ+first.Box.MinZ)/2
	ground := first.y
	if j.projected {
		ground = y + l.Height(j.heightmap, middleX, middleZ)
	}
	first.Move(0, ground-(first.Box.MinY+first.groundDelta), 0)
	low, high := l.MinY+j.paddingLow, l.MinY+l.Tall-1-j.paddingHigh
	if (j.paddingLow != 0 || j.paddingHigh != 0) && (first.Box.MinY < low || first.Box.MaxY > high) {
		return structure.Point{}, false
	}
	middleY := ground + offY
	return structure.Point{X: middleX, Y: middleY, Z: middleZ, Pieces: func(*structure.Layouter) []structure.Piece {
		if j.size == 0 {
			return nil
		}
		outer := structure.NewBox(
			middleX-j.reach, max(middleY-j.reachUp, low), middleZ-j.reach,
			middleX+j.reach, min(middleY+j.reachUp, high), middleZ+j.reach)
		return a.assemble(first, outer)
	}}, true
}

// anchor returns how far the anchor of the first piece is from where its
// template begins; nothing if the structure has none.
func (a *assembly) anchor(e *element, x, y, z int32, r block.Rotation) (dx, dy, dz int32, ok bool) {
	name := a.layout.anchor
	if name == "" {
		return 0, 0, 0, true
	}
	a.own = e.connectors(a.own, x, y, z, r, a.random)
	for i := range a.own {
		if c := &a.own[i]; c.Name == name {
			return c.X - x, c.Y - y, c.Z - z, true
		}
	}
	return 0, 0, 0, false
}
