package building

import (
	"strings"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// marker is a block of a template that says what is to be done at its place.
type marker struct {
	name string
	at   spot
}

// setLoot gives a chest loot, if there is one. It draws the loot's seed.
func setLoot(p *structure.Placer, at spot, table string) {
	if p.BlockAt(at.x, at.y, at.z).Block() == block.Chest {
		p.AddBlockEntity(feature.BlockEntity{
			X: at.x, Y: at.y, Z: at.z, ID: "minecraft:chest", LootTable: table, LootSeed: p.Random.Long(),
		})
	}
}

// raw is the NBT of a value that can be written.
func raw(v any) nbt.Raw {
	r, err := nbt.MarshalRaw(v)
	if err != nil {
		panic(err)
	}
	return r
}

// item is an item as entities store it.
func item(id string) nbt.Compound {
	return nbt.Compound{{Name: "id", Value: id}, {Name: "count", Value: int32(1)}}
}

// addMob places a mob that stays.
func addMob(p *structure.Placer, id string, at spot, extra ...feature.Member) {
	p.AddEntity(feature.Entity{
		ID: id, X: float64(at.x) + 0.5, Y: float64(at.y), Z: float64(at.z) + 0.5,
		Extra: append([]feature.Member{{Name: "PersistenceRequired", Value: raw(true)}}, extra...),
	})
}

// Chances of what the drowned of ruins hold.
const (
	armedDrowned = 0.1
	shellDrowned = 0.03
)

// addDrowned places a drowned. What it holds the game draws from a source of
// the mob's own; here it follows from the place.
func addDrowned(p *structure.Placer, at spot) {
	random := rng.NewLegacy(rng.PositionSeed(at.x, at.y, at.z) ^ p.Seed)
	var held nbt.Compound
	if random.Float() > 1-armedDrowned {
		if random.IntN(16) < 10 {
			held.Set("mainhand", item("minecraft:trident"))
		} else {
			held.Set("mainhand", item("minecraft:fishing_rod"))
		}
	}
	var extra []feature.Member
	if random.Float() < shellDrowned {
		held.Set("offhand", item("minecraft:nautilus_shell"))
		extra = append(extra, feature.Member{Name: "drop_chances", Value: raw(nbt.Compound{{Name: "offhand", Value: float32(2)}})})
	}
	if len(held) > 0 {
		extra = append(extra, feature.Member{Name: "equipment", Value: raw(held)})
	}
	addMob(p, "minecraft:drowned", at, extra...)
}

// mark does what a marker of an end city says.
func (c *cityPiece) mark(p *structure.Placer, m marker) {
	below := m.at.up(-1)
	inside := p.Inside(m.at.x, m.at.y, m.at.z)
	switch {
	case strings.HasPrefix(m.name, "Chest"):
		if p.Inside(below.x, below.y, below.z) {
			setLoot(p, below, "minecraft:chests/end_city_treasure")
		}
	case inside && strings.HasPrefix(m.name, "Sentry"):
		p.AddEntity(feature.Entity{
			ID: "minecraft:shulker", X: float64(m.at.x) + 0.5, Y: float64(m.at.y), Z: float64(m.at.z) + 0.5,
		})
	case inside && strings.HasPrefix(m.name, "Elytra"):
		addElytra(p, m.at, c.rotation.Direction(block.South))
	}
}

// frameDepth is how far the middle of an item frame is from that of its block.
const frameDepth = 0.46875

// addElytra places an item frame with an elytra in it.
func addElytra(p *structure.Placer, at spot, facing block.Direction) {
	dx, dy, dz := facing.Step()
	p.AddEntity(feature.Entity{
		ID: "minecraft:item_frame",
		X:  float64(at.x) + 0.5 - float64(frameDepth*float64(dx)),
		Y:  float64(at.y) + 0.5 - float64(frameDepth*float64(dy)),
		Z:  float64(at.z) + 0.5 - float64(frameDepth*float64(dz)),
		Extra: []feature.Member{
			{Name: "Facing", Value: raw(int8(facing))},
			{Name: "Item", Value: raw(item("minecraft:elytra"))},
			{Name: "block_pos", Value: raw([]int32{at.x, at.y, at.z})},
		},
	})
}

var wreckLoot = map[string]string{
	"map_chest":      "minecraft:chests/shipwreck_map",
	"supply_chest":   "minecraft:chests/shipwreck_supply",
	"treasure_chest": "minecraft:chests/shipwreck_treasure",
}

// mark does what a marker of a shipwreck says.
func (s *shipwreckPiece) mark(p *structure.Placer, m marker) {
	if table := wreckLoot[m.name]; table != "" {
		setLoot(p, m.at.up(-1), table)
	}
}

// mark does what a marker of an igloo says.
func (i *iglooPiece) mark(p *structure.Placer, m marker) {
	if m.name == "chest" {
		p.SetBlock(m.at.x, m.at.y, m.at.z, air)
		setLoot(p, m.at.up(-1), "minecraft:chests/igloo_chest")
	}
}

// mark does what a marker of an ocean ruin says.
func (o *oceanRuinPiece) mark(p *structure.Placer, m marker) {
	switch m.name {
	case "chest":
		wet := "false"
		if p.BlockAt(m.at.x, m.at.y, m.at.z).Fluid() == block.WaterFluid {
			wet = "true"
		}
		s, _ := block.Chest.Default().With("waterlogged", wet)
		p.SetBlock(m.at.x, m.at.y, m.at.z, s)
		table := "minecraft:chests/underwater_ruin_small"
		if o.large {
			table = "minecraft:chests/underwater_ruin_big"
		}
		setLoot(p, m.at, table)
	case "drowned":
		addDrowned(p, m.at)
		if int(m.at.y) > p.SeaLevel() {
			p.SetBlock(m.at.x, m.at.y, m.at.z, air)
		} else {
			p.SetBlock(m.at.x, m.at.y, m.at.z, water)
		}
	}
}

var mansionChests = map[string]block.Direction{
	"ChestWest": block.West, "ChestEast": block.East, "ChestSouth": block.South, "ChestNorth": block.North,
}

// mark does what a marker of a mansion says. How many allays there are is drawn
// from random.
func (m *mansionPiece) mark(p *structure.Placer, k marker, random *rng.Xoroshiro) {
	if strings.HasPrefix(k.name, "Chest") {
		m.chest(p, k)
		return
	}
	switch k.name {
	case "Mage":
		addMob(p, "minecraft:evoker", k.at)
	case "Warrior":
		addMob(p, "minecraft:vindicator", k.at, feature.Member{
			Name: "equipment", Value: raw(nbt.Compound{{Name: "mainhand", Value: item("minecraft:iron_axe")}}),
		})
	case "Group of Allays":
		for range random.IntN(3) + 1 {
			addMob(p, "minecraft:allay", k.at)
		}
	default:
		return
	}
	p.SetBlock(k.at.x, k.at.y, k.at.z, air)
}

func (m *mansionPiece) chest(p *structure.Placer, k marker) {
	if !p.Inside(k.at.x, k.at.y, k.at.z) || p.BlockAt(k.at.x, k.at.y, k.at.z).Block() == block.Chest {
		return
	}
	s := block.Chest.Default()
	if d, ok := mansionChests[k.name]; ok {
		s, _ = s.With("facing", m.rotation.Direction(d).String())
	}
	p.SetBlock(k.at.x, k.at.y, k.at.z, s)
	setLoot(p, k.at, "minecraft:chests/woodland_mansion")
}
