package gen

import (
	"fmt"
	"slices"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen"
	"strata/pregen/worldgen/feature"
	"strata/region"
)

// resume makes a node of a chunk that the world has.
func (w *worker) resume(n *node, stored *chunk.Chunk) error {
	n.had = stored.Status()
	if stored.Full() {
		return w.freeze(n, stored)
	}
	if err := w.checkStored(stored); err != nil {
		return err
	}
	if err := nativeOnly(stored); err != nil {
		return err
	}
	status, c := stored.Status(), &n.proto
	from := min(status, chunk.StatusCarvers)
	if status < chunk.StatusBiomes {
		from = chunk.StatusEmpty
	} else if err := c.Load(stored, w.biome); err != nil {
		return fmt.Errorf("%w: %w", ErrContinue, err)
	}
	if err := w.maker.Advance(c, from, chunk.StatusCarvers); err != nil {
		return err
	}
	if status >= chunk.StatusCarvers && !stored.HasHeightmap(chunk.WorldSurfaceWG) {
		// What was built since has changed the blocks, and not these heights.
		w.chunk.Reset(c.X, c.Z)
		if err := w.maker.Advance(w.chunk, chunk.StatusEmpty, chunk.StatusCarvers); err != nil {
			return err
		}
		c.CopyHeights(w.chunk)
	}
	return loadLists(&n.chunk, stored)
}

// freeze makes a node of a finished chunk, which is only looked at.
func (w *worker) freeze(n *node, stored *chunk.Chunk) error {
	n.chunk.Frozen = true
	c := &n.proto
	minY, height := w.generator.dimension.Range()
	if low, high := stored.Range(); int(low)<<4 < minY || int(high)<<4 > minY+height {
		return fmt.Errorf("%w: it reaches from section %d to %d", ErrContinue, low, high-1)
	}
	if err := w.maker.Advance(c, chunk.StatusEmpty, chunk.StatusCarvers); err != nil {
		return err
	}
	for y := minY; y < minY+height; y += 16 {
		cells := (*[chunk.SectionCells]block.State)(c.Blocks[(y-minY)<<8:])
		stored.SectionBlocks(chunk.SectionY(y>>4), cells)
		for i, s := range cells {
			if !s.Native() {
				cells[i], _ = stored.Tables().States.Base(s)
			}
		}
	}
	return nil
}

// nativeOnly reports blocks that are none of the game's: they would be lost.
func nativeOnly(stored *chunk.Chunk) error {
	low, high := stored.Range()
	var palette []block.State
	for y := low; y < high; y++ {
		palette = stored.Palette(palette[:0], y)
		if i := slices.IndexFunc(palette, func(s block.State) bool { return !s.Native() }); i >= 0 {
			return fmt.Errorf("%w: section %d has blocks that the game does not have", ErrContinue, y)
		}
	}
	return nil
}

// loadLists takes over what a stored chunk has beside blocks.
func loadLists(c *feature.Chunk, stored *chunk.Chunk) error {
	entities, err := stored.BlockEntities()
	if err != nil {
		return err
	}
	for _, e := range entities {
		if e.HasPos {
			c.BlockEntities = append(c.BlockEntities, loadBlockEntity(e))
		}
	}
	for _, kind := range []struct {
		kind chunk.TickKind
		list *[]feature.Tick
	}{{chunk.BlockTicks, &c.BlockTicks}, {chunk.FluidTicks, &c.FluidTicks}} {
		ticks, err := stored.Ticks(kind.kind)
		if err != nil {
			return err
		}
		for _, t := range ticks {
			*kind.list = append(*kind.list, feature.Tick{X: t.Pos.X, Y: t.Pos.Y, Z: t.Pos.Z, ID: t.Name, Delay: t.Delay})
		}
	}
	return nil
}

// finalMaps are the heightmaps of a decorated chunk.
var finalMaps = chunk.FinalHeightmaps

// save makes the chunk that is written, and its entities.
func (w *worker) save(n *node, t *target, f fate, l *lit, made *pregen.Made) error {
	to, status := t.wanted.Stored, f.status
	form := w.generator.form
	var err error
	if to == nil {
		to, err = n.proto.Store(form, status)
	} else if err = w.raise(to); err == nil {
		err = n.proto.Update(to, form, status)
	}
	if err != nil {
		return err
	}
	if err := w.storeFinal(n, to); err != nil {
		return err
	}
	if err := w.structures.store(to); err != nil {
		return err
	}
	if status >= chunk.StatusLight {
		result, err := w.result(l, t.pos)
		if err == nil {
			err = result.Store(to)
		}
		if err != nil {
			return err
		}
	}
	made.Chunk = to
	made.Entities, err = w.storeEntities(n, to)
	return err
}

// raise makes a stored chunk one of the generator's version and heights.
func (w *worker) raise(stored *chunk.Chunk) error {
	if _, err := stored.Raise(w.generator.form.DataVersion); err != nil {
		return fmt.Errorf("%w: %w", ErrContinue, err)
	}
	minY, height := w.generator.dimension.Range()
	if err := stored.SetRange(chunk.SectionY(minY>>4), chunk.SectionY((minY+height)>>4)); err != nil {
		return fmt.Errorf("%w: %w", ErrContinue, err)
	}
	return nil
}

// storeFinal gives a chunk what decoration has added.
func (w *worker) storeFinal(n *node, to *chunk.Chunk) error {
	if to.Status() >= firstDecorated || n.chunk.Touched {
		to.ComputeHeightmaps(finalMaps...)
		for _, kind := range finalMaps {
			for column := range 256 {
				x, z := column&15, column>>4
				y := n.chunk.FinalHeight(kind, x, z)
				if is, _ := to.HeightAt(kind, x, z); is == y {
					continue
				}
				if err := to.SetHeight(kind, x, z, y); err != nil {
					return err
				}
			}
		}
	}
	if err := to.SetTicks(chunk.BlockTicks, w.ticks.of(n.chunk.BlockTicks, n.pos)); err != nil {
		return err
	}
	if err := to.SetTicks(chunk.FluidTicks, w.ticks.of(n.chunk.FluidTicks, n.pos)); err != nil {
		return err
	}
	values, err := n.blockEntities(to)
	if err != nil {
		return err
	}
	return to.SetBlockEntities(values)
}

// storedTicks is the scratch for the ticks of a chunk.
type storedTicks struct {
	seen map[tickKey]bool
	list []chunk.Tick
}

type tickKey struct {
	pos  chunk.BlockPos
	name string
}

// of are ticks as they are stored: one of a kind at a place, the first. They are
// good until the next call.
func (s *storedTicks) of(list []feature.Tick, in region.ChunkPos) []chunk.Tick {
	if s.seen == nil {
		s.seen = make(map[tickKey]bool)
	}
	clear(s.seen)
	s.list = s.list[:0]
	for _, t := range list {
		k := tickKey{chunk.BlockPos{X: t.X, Y: t.Y, Z: t.Z}, t.ID}
		if s.seen[k] || k.pos.Chunk() != in {
			continue
		}
		s.seen[k] = true
		s.list = append(s.list, chunk.Tick{Name: t.ID, Pos: k.pos, Delay: t.Delay})
	}
	return s.list
}

// storeEntities gives a chunk that is not full its entities, and returns those
// of one that is as the document of their own.
func (w *worker) storeEntities(n *node, to *chunk.Chunk) ([]byte, error) {
	values, err := to.Entities()
	if err != nil {
		return nil, err
	}
	values = slices.Clone(values)
	ids := w.identities(n.pos, len(values))
	for i := range n.chunk.Entities {
		value, err := storeEntity(&n.chunk.Entities[i], ids)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	if to.Status() >= chunk.StatusSpawn && n.had < chunk.StatusSpawn {
		for _, e := range w.animals(n) {
			value, err := storeEntity(&e, ids)
			if err != nil {
				return nil, err
			}
			values = append(values, value)
		}
	}
	if !to.Full() {
		return nil, to.SetEntities(values)
	}
	to.RemoveMember("entities")
	if len(values) == 0 {
		return nil, nil
	}
	return entitiesDocument(n.pos, to.DataVersion(), values)
}

// entitiesDocument is what a chunk has in the files of entities.
func entitiesDocument(p region.ChunkPos, dataVersion int32, values []nbt.Raw) ([]byte, error) {
	var w nbt.Writer
	w.Name("").BeginCompound()
	w.Name("DataVersion").Int(dataVersion)
	w.Name("Entities").BeginList(nbt.TypeCompound, len(values))
	for _, v := range values {
		w.Raw(v)
	}
	w.End()
	w.Name("Position").IntArray([]int32{p.X, p.Z})
	w.End()
	return w.Bytes()
}
