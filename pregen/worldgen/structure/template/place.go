package template

import (
	"slices"
	"sync"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/rng"
)

// Settings are how a template is set down.
type Settings struct {
	Mirror         block.Mirror
	Rotation       block.Rotation
	PivotX, PivotZ int32 // of the turn, in the template
	// Box has the blocks that are set.
	Box        Box
	Processors []Processor
	// IgnoreWater leaves blocks dry that are set into water.
	IgnoreWater bool
	// IgnoreEntities leaves the template's entities out.
	IgnoreEntities bool
	// KnownShape leaves blocks as they are in the template, whatever is beside
	// them.
	KnownShape bool
	// Random is what processors draw from; nil for one seeded by the position
	// of each block.
	Random *rng.Worldgen
}

// Turned returns where a block of the template comes to lie beside the place of
// the template.
func (s *Settings) Turned(x, y, z int32) (int32, int32, int32) {
	return Turn(x, y, z, s.Mirror, s.Rotation, s.PivotX, s.PivotZ)
}

// BoxAt returns the box of a template at a place.
func (s *Settings) BoxAt(shape *Shape, x, y, z int32) Box {
	return shape.Box(x, y, z, s.Mirror, s.Rotation, s.PivotX, s.PivotZ)
}

// Place sets a template down at a place; the pivot is that of the structure.
// Containers get seeds of loot drawn from random. It reports whether there was
// anything to set.
func (t *Template) Place(c *feature.Context, x, y, z, pivotX, pivotY, pivotZ int32, s *Settings, random *rng.Worldgen) bool {
	if len(t.Blocks) == 0 && (s.IgnoreEntities || len(t.Entities) == 0) || t.SizeX < 1 || t.SizeY < 1 || t.SizeZ < 1 {
		return false
	}
	w := &work{context: c, settings: s, x: x, y: y, z: z, pivotX: pivotX, pivotY: pivotY, pivotZ: pivotZ}
	spare := placedLists.Get().(*[]placed)
	blocks := t.processed(w, (*spare)[:0])
	set := setter{context: c, settings: s, random: random}
	for i := range blocks {
		b := &blocks[i]
		if s.Box.Contains(b.x, b.y, b.z) {
			set.set(b)
		}
	}
	set.flow()
	if !s.KnownShape {
		set.fit()
	}
	clear(blocks) // they name parts of the template
	*spare = blocks
	placedLists.Put(spare)
	if !s.IgnoreEntities {
		t.placeEntities(w)
	}
	return true
}

// Palette returns the palette for a template at a place.
func (t *Template) Palette(s *Settings, x, y, z int32) []block.State {
	if len(t.Palettes) == 1 && s.Random == nil {
		return t.Palettes[0]
	}
	if s.Random != nil {
		return t.Palettes[s.Random.IntN(int32(len(t.Palettes)))]
	}
	random := rng.NewLegacy(rng.PositionSeed(x, y, z))
	return t.Palettes[random.IntN(int32(len(t.Palettes)))]
}

// placedLists are kept between templates, of which villages have hundreds.
var placedLists = sync.Pool{New: func() any { return new([]placed) }}

// processed appends the blocks after the processors. Blocks in columns beside
// the box are left out, unless a processor looks at all together.
func (t *Template) processed(w *work, blocks []placed) []placed {
	s := w.settings
	palette := t.Palette(s, w.x, w.y, w.z)
	together := false
	for _, p := range s.Processors {
		if _, ok := p.(finisher); ok {
			together = true
		}
	}
	blocks = slices.Grow(blocks, len(t.Blocks))
	for i := range t.Blocks {
		original := &t.Blocks[i]
		x, y, z := s.Turned(original.X, original.Y, original.Z)
		state := palette[original.State]
		b := placed{x: x + w.x, y: y + w.y, z: z + w.z, state: state, nbt: original.NBT, original: original, was: state}
		beside := b.x < s.Box.MinX || b.x > s.Box.MaxX || b.z < s.Box.MinZ || b.z > s.Box.MaxZ
		if beside && !together && s.Random == nil {
			continue
		}
		// Processors get it where it lies: one by one they would be allocated.
		blocks = append(blocks, b)
		if last := len(blocks) - 1; !process(w, &blocks[last]) {
			blocks = blocks[:last]
		}
	}
	if together {
		for _, p := range s.Processors {
			if f, ok := p.(finisher); ok {
				f.finish(w, blocks)
			}
		}
	}
	return blocks
}

func process(w *work, b *placed) bool {
	for _, p := range w.settings.Processors {
		if !p.process(w, b) {
			return false
		}
	}
	return true
}

// setter sets blocks into the world.
type setter struct {
	context  *feature.Context
	settings *Settings
	random   *rng.Worldgen
	all      []pos // that were set
	wet      map[pos]bool
	flowing  []pos // that were set into flowing water
}

type pos struct{ x, y, z int32 }

func (s *setter) block(p pos) block.State { return s.context.Block(int(p.x), int(p.y), int(p.z)) }

func (s *setter) put(p pos, state block.State) { s.context.Set(int(p.x), int(p.y), int(p.z), state) }

// set sets a block with its block entity.
func (s *setter) set(b *placed) {
	at := pos{b.x, b.y, b.z}
	before := s.block(at)
	state := b.state.Mirror(s.settings.Mirror).Rotate(s.settings.Rotation)
	s.put(at, state)
	s.all = append(s.all, at)
	s.entity(at, state, b.nbt)
	if s.settings.IgnoreWater {
		return
	}
	switch waterlogged := state.Property("waterlogged"); {
	case state.FluidSource() && state.Fluid() != block.NoFluid:
		if s.wet == nil {
			s.wet = make(map[pos]bool)
		}
		s.wet[at] = true
	case waterlogged == "":
	case before.Fluid() == block.WaterFluid && before.FluidSource():
		s.soak(at, state)
	case !before.FluidSource() || before.Fluid() == block.NoFluid:
		s.flowing = append(s.flowing, at)
	}
}

// soak puts water into a block, if it takes any.
func (s *setter) soak(at pos, state block.State) {
	if state.Property("waterlogged") != "false" || state.Property("type") == "double" {
		return
	}
	state, _ = state.With("waterlogged", "true")
	e := s.context.BlockEntityAt(int(at.x), int(at.y), int(at.z))
	s.put(at, state)
	if e != nil {
		s.context.AddBlockEntity(*e)
	}
	s.context.TickFluid(int(at.x), int(at.y), int(at.z), "minecraft:water", waterDelay)
}

// waterDelay is how long water takes to flow, in ticks.
const waterDelay = 5

// springs are the sides from which water comes.
var springs = [...]block.Direction{block.Up, block.North, block.East, block.South, block.West}

// flow lets water into blocks that were set into none, or into flowing water,
// from sources beside them that the template did not bring.
func (s *setter) flow() {
	for changed := true; changed; {
		changed = false
		left := s.flowing[:0]
		for _, at := range s.flowing {
			source := s.source(at)
			if source == block.NoFluid {
				left = append(left, at)
				continue
			}
			if source == block.WaterFluid {
				s.soak(at, s.block(at))
			}
			changed = true
		}
		s.flowing = left
		changed = changed && len(left) > 0
	}
}

// source is the fluid of a source in or beside a block.
func (s *setter) source(at pos) block.Fluid {
	if state := s.block(at); state.Fluid() != block.NoFluid && state.FluidSource() {
		return state.Fluid()
	}
	for _, d := range springs {
		dx, dy, dz := d.Step()
		beside := pos{at.x + dx, at.y + dy, at.z + dz}
		if state := s.block(beside); state.Fluid() != block.NoFluid && state.FluidSource() && !s.wet[beside] {
			return state.Fluid()
		}
	}
	return block.NoFluid
}

// lockers are the block entities whose loot has a seed that is drawn.
var lockers = map[string]bool{
	"minecraft:chest": true, "minecraft:trapped_chest": true, "minecraft:barrel": true, "minecraft:dispenser": true,
	"minecraft:dropper": true, "minecraft:hopper": true, "minecraft:shulker_box": true, "minecraft:crafter": true,
	"minecraft:decorated_pot": true,
}

// entity gives a block its block entity.
func (s *setter) entity(at pos, state block.State, content nbt.Compound) {
	id := EntityOf(state.Block())
	if id == "" {
		return
	}
	e := feature.BlockEntity{X: at.x, Y: at.y, Z: at.z, ID: id}
	if content != nil {
		if lockers[id] {
			content = withSeed(content, s.random.Long())
		}
		readEntity(&e, content)
	}
	s.context.AddBlockEntity(e)
}

// withSeed is content with the seed of its loot.
func withSeed(content nbt.Compound, seed int64) nbt.Compound {
	c := append(nbt.Compound(nil), content...)
	c.Set("LootTableSeed", seed)
	return c
}

// readEntity takes what is known of a block entity from its NBT, and keeps the
// rest as it is.
func readEntity(e *feature.BlockEntity, content nbt.Compound) {
	for _, m := range content {
		switch m.Name {
		case "id", "x", "y", "z", "LootTableSeed":
		case "LootTable":
			e.LootTable, _ = m.Value.(string)
		default:
			if raw, err := nbt.MarshalRaw(m.Value); err == nil {
				e.Extra = append(e.Extra, feature.Member{Name: m.Name, Value: raw})
			}
		}
	}
	if v, _ := content.Get("LootTableSeed"); e.LootTable != "" {
		e.LootSeed, _ = v.(int64)
	}
}
