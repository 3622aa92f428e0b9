package template

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// Registry is that of lists of processors.
const Registry = "worldgen/processor_list"

// maxProcessors bounds processors of a list and rules of a processor.
const maxProcessors = 1 << 10

// maxNesting bounds processors within others.
const maxNesting = 16

// Processors reads a list of processors: an id, an object with a list, or a
// list.
func Processors(l *feature.Loader, v provider.Value) ([]Processor, error) {
	if v.IsText() {
		id, err := v.ID()
		if err != nil {
			return nil, err
		}
		text, err := l.Source().Document(Registry, id)
		if err != nil {
			return nil, v.Errorf("%v", err)
		}
		if v, err = provider.Parse(Registry, id, text); err != nil {
			return nil, err
		}
	}
	if v.Has("processors") {
		var err error
		if v, err = v.Member("processors"); err != nil {
			return nil, err
		}
	}
	list, ok := v.List()
	if !ok || len(list) > maxProcessors {
		return nil, v.Errorf("not a list of at most %d", maxProcessors)
	}
	made := make([]Processor, len(list))
	for i, element := range list {
		var err error
		if made[i], err = readProcessor(l, element, 0); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func readProcessor(l *feature.Loader, v provider.Value, depth int) (Processor, error) {
	kind, err := memberID(v, "processor_type")
	if err != nil {
		return nil, err
	}
	switch kind {
	case "minecraft:nop":
		return nothing{}, nil
	case "minecraft:blackstone_replace":
		return Blacken(), nil
	case "minecraft:lava_submerged_block":
		return Submerged(), nil
	case "minecraft:jigsaw_replacement":
		return Jigsaws(), nil
	case "minecraft:block_age":
		mossiness, err := memberFloat(v, "mossiness", 0, false)
		return Age(mossiness), err
	case "minecraft:block_rot":
		return readRot(l, v)
	case "minecraft:protected_blocks":
		member, err := v.Member("value")
		if err != nil {
			return nil, err
		}
		blocks, err := l.Blocks(member)
		return Protect(blocks), err
	case "minecraft:gravity":
		return readGravity(v)
	case "minecraft:block_ignore":
		return readIgnore(l, v)
	case "minecraft:rule":
		return readRules(l, v)
	case "minecraft:capped":
		return readCapped(l, v, depth)
	}
	return nil, v.Errorf("unknown processor %s", kind)
}

func readRot(l *feature.Loader, v provider.Value) (Processor, error) {
	integrity, err := memberFloat(v, "integrity", 0, false)
	if err != nil {
		return nil, err
	}
	var among *feature.Blocks
	if member, ok, err := v.Optional("rottable_blocks"); err != nil {
		return nil, err
	} else if ok {
		if among, err = l.Blocks(member); err != nil {
			return nil, err
		}
	}
	return Rot(integrity, among), nil
}

var heightmaps = map[string]chunk.Heightmap{
	"WORLD_SURFACE_WG": chunk.WorldSurfaceWG, "WORLD_SURFACE": chunk.WorldSurface,
	"OCEAN_FLOOR_WG": chunk.OceanFloorWG, "OCEAN_FLOOR": chunk.OceanFloor,
	"MOTION_BLOCKING": chunk.MotionBlocking, "MOTION_BLOCKING_NO_LEAVES": chunk.MotionBlockingNoLeaves,
}

func readGravity(v provider.Value) (Processor, error) {
	p := gravity{heightmap: chunk.WorldSurfaceWG}
	if member, ok, err := v.Optional("heightmap"); err != nil {
		return nil, err
	} else if ok {
		text, err := member.Text()
		if err != nil {
			return nil, err
		}
		if p.heightmap, ok = heightmaps[text]; !ok {
			return nil, member.Errorf("unknown heightmap %q", text)
		}
	}
	if member, ok, err := v.Optional("offset"); err != nil {
		return nil, err
	} else if ok {
		if p.offset, err = member.Int(-1<<20, 1<<20); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func readIgnore(l *feature.Loader, v provider.Value) (Processor, error) {
	member, err := v.Member("blocks")
	if err != nil {
		return nil, err
	}
	states, err := l.States(member)
	if err != nil {
		return nil, err
	}
	var blocks []block.ID
	for _, s := range states {
		blocks = append(blocks, s.Block())
	}
	return Ignore(blocks...), nil
}

func readCapped(l *feature.Loader, v provider.Value, depth int) (Processor, error) {
	if depth >= maxNesting {
		return nil, v.Errorf("nested deeper than %d", maxNesting)
	}
	member, err := v.Member("delegate")
	if err != nil {
		return nil, err
	}
	inner, err := readProcessor(l, member, depth+1)
	if err != nil {
		return nil, err
	}
	limit, err := l.Int(v, "limit", 1, 1<<30)
	return Capped(inner, limit), err
}

func readRules(l *feature.Loader, v provider.Value) (Processor, error) {
	member, err := v.Member("rules")
	if err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok || len(list) > maxProcessors {
		return nil, member.Errorf("not a list of at most %d", maxProcessors)
	}
	made := make(rules, len(list))
	for i, element := range list {
		if err := made[i].read(l, element); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func (r *Rule) read(l *feature.Loader, v provider.Value) (err error) {
	if r.Input, err = readTest(l, v, "input_predicate"); err != nil {
		return err
	}
	if r.Location, err = readTest(l, v, "location_predicate"); err != nil {
		return err
	}
	if member, ok, err := v.Optional("position_predicate"); err != nil {
		return err
	} else if ok {
		if r.Position, err = readPosition(member); err != nil {
			return err
		}
	}
	if r.Output, err = l.MemberState(v, "output_state"); err != nil {
		return err
	}
	if member, ok, err := v.Optional("block_entity_modifier"); err != nil {
		return err
	} else if ok {
		return r.Entity.read(member)
	}
	return nil
}

func readTest(l *feature.Loader, v provider.Value, name string) (Test, error) {
	member, err := v.Member(name)
	if err != nil {
		return nil, err
	}
	test, err := l.RuleTest(member)
	return test.Test, err
}

func readPosition(v provider.Value) (*PositionTest, error) {
	kind, err := memberID(v, "predicate_type")
	if err != nil {
		return nil, err
	}
	t := &PositionTest{}
	switch kind {
	case "minecraft:always_true":
		return nil, nil
	case "minecraft:linear_pos":
	case "minecraft:axis_aligned_linear_pos":
		t.Axis = AxisY
		if member, ok, err := v.Optional("axis"); err != nil {
			return nil, err
		} else if ok {
			text, err := member.Text()
			if err != nil {
				return nil, err
			}
			if t.Axis, ok = map[string]Axis{"x": AxisX, "y": AxisY, "z": AxisZ}[text]; !ok {
				return nil, member.Errorf("unknown axis %q", text)
			}
		}
	default:
		return nil, v.Errorf("unknown position test %s", kind)
	}
	if t.MinChance, err = memberFloat(v, "min_chance", 0, true); err != nil {
		return nil, err
	}
	if t.MaxChance, err = memberFloat(v, "max_chance", 0, true); err != nil {
		return nil, err
	}
	for name, to := range map[string]*int32{"min_dist": &t.MinDistance, "max_dist": &t.MaxDistance} {
		if member, ok, err := v.Optional(name); err != nil {
			return nil, err
		} else if ok {
			if *to, err = member.Int(-1<<30, 1<<30); err != nil {
				return nil, err
			}
		}
	}
	if t.MinDistance >= t.MaxDistance {
		return nil, v.Errorf("min_dist %d is not below max_dist %d", t.MinDistance, t.MaxDistance)
	}
	return t, nil
}

func (m *Modifier) read(v provider.Value) error {
	kind, err := memberID(v, "type")
	if err != nil {
		return err
	}
	switch kind {
	case "minecraft:passthrough":
	case "minecraft:clear":
		m.Clear = true
	case "minecraft:append_loot":
		m.Loot, err = memberID(v, "loot_table")
		return err
	case "minecraft:append_static":
		member, err := v.Member("data")
		if err != nil {
			return err
		}
		c, ok := FromJSON(member).(nbt.Compound)
		if !ok {
			return member.Errorf("not an object")
		}
		m.Static = c
	default:
		return v.Errorf("unknown block entity modifier %s", kind)
	}
	return nil
}

func memberID(v provider.Value, name string) (string, error) {
	member, err := v.Member(name)
	if err != nil {
		return "", err
	}
	return member.ID()
}

// memberFloat reads a member that is a number from 0 to 1.
func memberFloat(v provider.Value, name string, standard float32, optional bool) (float32, error) {
	member, ok, err := v.Optional(name)
	switch {
	case err != nil:
		return 0, err
	case ok:
		return member.Float32(0, 1)
	case optional:
		return standard, nil
	}
	_, err = v.Member(name)
	return 0, err
}
