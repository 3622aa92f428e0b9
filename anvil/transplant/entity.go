package transplant

import "strata/nbt"

func (p *patcher) entityChunk(root nbt.Tag) {
	if at := root.Get("Position"); at.Exists() {
		if ints, ok := at.IntArray(); ok && ints.Len() == 2 {
			p.add32(at.Offset()+4, p.move.X)
			p.add32(at.Offset()+8, p.move.Z)
		}
	}
	each(root.Get("Entities"), p.entity)
}

// entityPlaces are members of entities that are places: since 1.21.5, and as
// they were called before. Paper.Origin is where Paper saw the entity first.
var entityPlaces = names(
	"Pos", "block_pos", "home_pos", "hive_pos", "flower_pos", "beam_target", "sleeping_pos", "bound_pos", "anchor_pos",
	"patrol_target", "wander_target", "leash",
	"HivePos", "FlowerPos", "BeamTarget", "PatrolTarget", "WanderTarget", "Leash", "Paper.Origin",
)

// entityX and entityZ are places of which each coordinate is a member.
var (
	entityX = names("TileX", "HomePosX", "TravelPosX", "TreasurePosX", "SleepingX", "BoundX", "AX", "APX", "xTile")
	entityZ = names("TileZ", "HomePosZ", "TravelPosZ", "TreasurePosZ", "SleepingZ", "BoundZ", "AZ", "APZ", "zTile")
)

func names(list ...string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, name := range list {
		set[name] = true
	}
	return set
}

func (p *patcher) entity(t nbt.Tag) {
	for name, member := range t.Members() {
		switch {
		case entityPlaces[string(name)]:
			p.place(member)
		case entityX[string(name)]:
			p.number(member, p.blocksX())
		case entityZ[string(name)]:
			p.number(member, p.blocksZ())
		case string(name) == "Passengers":
			each(member, p.entity)
		case string(name) == "Brain":
			p.brain(member)
		case string(name) == "TileEntityData": // of a falling block
			p.blockEntity(member)
		default:
			p.common(string(name), member)
		}
	}
}

// brain moves memories: {value, ttl} since 1.16, the value itself before.
func (p *patcher) brain(t nbt.Tag) {
	for _, memory := range t.Get("memories").Members() {
		if value := memory.Get("value"); value.Exists() {
			memory = value
		}
		p.global(memory)
	}
}

func (p *patcher) blockEntity(t nbt.Tag) {
	for name, member := range t.Members() {
		switch string(name) {
		case "x":
			p.number(member, p.blocksX())
		case "z":
			p.number(member, p.blocksZ())
		case "exit_portal", "ExitPortal", "flower_pos", "FlowerPos":
			p.place(member)
		case "bees", "Bees":
			p.bees(member)
		case "cursors": // of sculk
			each(member, func(c nbt.Tag) { p.place(c.Get("pos")) })
		default:
			p.common(string(name), member)
		}
	}
}

// common moves what both entities and block entities may have.
func (p *patcher) common(name string, t nbt.Tag) {
	switch name {
	case "listener": // to vibrations
		p.place(t.Get("event").Get("pos"))
		p.place(t.Get("selector").Get("event").Get("pos"))
		p.place(t.Get("source").Get("pos")) // of a block, 1.17 to 1.19
	case "SpawnData", "spawn_data":
		p.spawn(t)
	case "SpawnPotentials", "spawn_potentials":
		each(t, func(e nbt.Tag) {
			p.spawn(e.Get("data"))
			p.entity(e.Get("Entity")) // before 1.18
		})
	case "normal_config", "ominous_config": // of a trial spawner
		if list := t.Get("spawn_potentials"); list.Exists() {
			p.common("spawn_potentials", list)
		}
	default:
		p.items(name, t)
	}
}

// spawn moves what a spawner makes, if that has a place of its own: {entity}
// since 1.18, the entity before.
func (p *patcher) spawn(t nbt.Tag) {
	if e := t.Get("entity"); e.Exists() {
		t = e
	}
	p.entity(t)
}

func (p *patcher) bees(t nbt.Tag) {
	each(t, func(bee nbt.Tag) {
		p.entity(bee.Get("entity_data"))
		p.entity(bee.Get("EntityData"))
	})
}

// items looks for items, wherever they lie, and moves what is in them.
func (p *patcher) items(name string, t nbt.Tag) {
	switch {
	case name == "minecraft:lodestone_tracker":
		p.global(t.Get("target"))
	case name == "minecraft:bees":
		p.bees(t)
	case t.Type() == nbt.TypeCompound:
		if lodestone := t.Get("LodestonePos"); lodestone.Exists() && p.from(t.Get("LodestoneDimension")) {
			p.place(lodestone) // before 1.20.5
		}
		for name, member := range t.Members() {
			if kind := member.Type(); kind == nbt.TypeCompound || kind == nbt.TypeList {
				p.items(string(name), member)
			}
		}
	case t.Type() == nbt.TypeList:
		if kind := t.Elem(); kind == nbt.TypeCompound || kind == nbt.TypeList {
			for _, e := range t.Elements() {
				p.items("", e)
			}
		}
	}
}
