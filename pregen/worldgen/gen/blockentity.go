package gen

import (
	"cmp"
	"slices"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/structure"
)

// pending is what the game writes for a block in a chunk that is not full and
// whose block entity it will make later.
const pending = "DUMMY"

// loadBlockEntity takes over a stored block entity.
func loadBlockEntity(stored chunk.BlockEntity) feature.BlockEntity {
	e := feature.BlockEntity{X: stored.Pos.X, Y: stored.Pos.Y, Z: stored.Pos.Z, ID: stored.ID}
	document := append([]byte{byte(stored.NBT.Type)}, stored.NBT.Data...)
	var tape nbt.Tape
	if err := tape.ParseNetwork(document); err != nil {
		return e // it was checked when the chunk was read
	}
	for name, value := range tape.Root().Members() {
		switch name := string(name); name {
		case "x", "y", "z", "id", "keepPacked":
		default:
			raw := value.Raw()
			raw.Data = slices.Clone(raw.Data)
			e.Extra = append(e.Extra, feature.Member{Name: name, Value: raw})
		}
	}
	return e
}

// blockEntities are those of a node as they are stored, by position: those that
// decoration gave, and of other blocks that have one what the game begins with.
func (n *node) blockEntities(to *chunk.Chunk) ([]nbt.Raw, error) {
	full, with := to.Full(), entityStates()
	list := slices.Clone(n.chunk.BlockEntities)
	known := make(map[chunk.BlockPos]bool, len(list))
	for _, e := range list {
		known[chunk.BlockPos{X: e.X, Y: e.Y, Z: e.Z}] = true
	}
	var palette []block.State
	for section := 0; section < n.proto.Height; section += 16 {
		palette = to.Palette(palette[:0], chunk.SectionY((n.proto.MinY+section)>>4))
		if !slices.ContainsFunc(palette, func(s block.State) bool { return with[s] }) {
			continue
		}
		for i, s := range n.proto.Blocks[section<<8:][:chunk.SectionCells] {
			if !with[s] {
				continue
			}
			pos := chunk.BlockPos{X: n.pos.X<<4 | int32(i&15), Y: int32(n.proto.MinY + section + i>>8), Z: n.pos.Z<<4 | int32(i>>4&15)}
			if known[pos] {
				continue
			}
			e := feature.BlockEntity{X: pos.X, Y: pos.Y, Z: pos.Z, ID: pending}
			if full {
				e.ID = structure.EntityOf(s.Block())
			}
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b feature.BlockEntity) int {
		return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X))
	})
	values := make([]nbt.Raw, 0, len(list))
	for i := range list {
		value, err := storeBlockEntity(&list[i], full)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// storeBlockEntity is a block entity as NBT.
func storeBlockEntity(e *feature.BlockEntity, full bool) (nbt.Raw, error) {
	w := newCompound(e.Extra)
	if w.has("id") {
		w.Name("id").String(e.ID)
	}
	w.Name("x").Int(e.X)
	w.Name("y").Int(e.Y)
	w.Name("z").Int(e.Z)
	if full {
		w.Name("keepPacked").Bool(false)
	}
	if e.LootTable != "" {
		w.Name("LootTable").String(e.LootTable)
		w.Name("LootTableSeed").Long(e.LootSeed)
	}
	if e.Spawner != "" {
		w.spawner(e.Spawner)
	}
	if e.ID == pending {
		return w.finish(e.Extra)
	}
	return w.finish(completed(e))
}

// spawner writes what a spawner of an entity begins with.
func (w *compound) spawner(entity string) {
	for _, m := range []struct {
		name  string
		value int16
	}{
		{"Delay", 20},
		{"MaxNearbyEntities", 6},
		{"MaxSpawnDelay", 800},
		{"MinSpawnDelay", 200},
		{"RequiredPlayerRange", 16},
		{"SpawnCount", 4},
		{"SpawnRange", 4},
	} {
		if w.has(m.name) {
			w.Name(m.name).Short(m.value)
		}
	}
	w.Name("SpawnData").BeginCompound()
	w.Name("entity").BeginCompound()
	w.Name("id").String(entity)
	w.End()
	w.End()
	w.Name("SpawnPotentials").BeginList(nbt.TypeEnd, 0)
	w.End()
}
