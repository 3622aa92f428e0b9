package feature

import (
	"math"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/provider"
)

// Limits of placement modifiers.
const (
	maxCount = 4096 // places that one modifier makes of one
	maxShift = 16   // blocks of a random offset
	maxScan  = 32
)

// modifier reads a placement modifier.
func (l *Loader) modifier(v provider.Value) (modifier, error) {
	kind, err := memberID(v, "type")
	if err != nil {
		return nil, err
	}
	switch kind {
	case "minecraft:in_square":
		return inSquare{}, nil
	case "minecraft:biome":
		return biomeFilter{}, nil
	case "minecraft:count":
		count, err := l.Int(v, "count", 0, maxCount)
		return countModifier{count}, err
	case "minecraft:count_on_every_layer":
		count, err := l.Int(v, "count", 0, 256)
		return everyLayer{count}, err
	case "minecraft:rarity_filter":
		member, err := v.Member("chance")
		if err != nil {
			return nil, err
		}
		chance, err := member.Int(1, math.MaxInt32)
		return rarityModifier{1 / float32(chance)}, err
	case "minecraft:height_range":
		member, err := v.Member("height")
		if err != nil {
			return nil, err
		}
		height, err := provider.ParseHeight(member)
		return heightRange{height}, err
	case "minecraft:heightmap":
		kind, err := readHeightmap(v)
		return onHeightmap{kind}, err
	case "minecraft:surface_water_depth_filter":
		member, err := v.Member("max_water_depth")
		if err != nil {
			return nil, err
		}
		most, err := member.Int(math.MinInt32, math.MaxInt32)
		return waterDepth{int(most)}, err
	case "minecraft:surface_relative_threshold_filter":
		return readSurfaceLimits(v)
	case "minecraft:random_offset":
		return l.randomOffset(v)
	case "minecraft:block_predicate_filter":
		predicate, err := l.MemberPredicate(v, "predicate")
		return blockFilter{predicate}, err
	case "minecraft:environment_scan":
		return l.scan(v)
	case "minecraft:fixed_placement":
		return readFixed(v)
	case "minecraft:noise_based_count":
		return readNoiseCount(v)
	case "minecraft:noise_threshold_count":
		return readNoiseThreshold(v)
	}
	return nil, v.Errorf("unknown placement modifier %s", kind)
}

func readHeightmap(v provider.Value) (chunk.Heightmap, error) {
	member, err := v.Member("heightmap")
	if err != nil {
		return 0, err
	}
	name, err := member.Text()
	if err != nil {
		return 0, err
	}
	for kind := chunk.WorldSurfaceWG; kind <= chunk.MotionBlockingNoLeaves; kind++ {
		if kind.String() == name {
			return kind, nil
		}
	}
	return 0, member.Errorf("no heightmap %q", name)
}

func readSurfaceLimits(v provider.Value) (modifier, error) {
	kind, err := readHeightmap(v)
	if err != nil {
		return nil, err
	}
	low, err := Number(v, "min_inclusive", math.MinInt32, math.MaxInt32, math.MinInt32)
	if err != nil {
		return nil, err
	}
	high, err := Number(v, "max_inclusive", math.MinInt32, math.MaxInt32, math.MaxInt32)
	return surfaceLimits{kind, int(low), int(high)}, err
}

func (l *Loader) randomOffset(v provider.Value) (modifier, error) {
	xz, err := l.Int(v, "xz_spread", -maxShift, maxShift)
	if err != nil {
		return nil, err
	}
	y, err := l.Int(v, "y_spread", -maxShift, maxShift)
	return randomOffset{xz, y}, err
}

func (l *Loader) scan(v provider.Value) (modifier, error) {
	member, err := v.Member("direction_of_search")
	if err != nil {
		return nil, err
	}
	text, err := member.Text()
	if err != nil {
		return nil, err
	}
	s := scan{step: 1}
	switch text {
	case "up":
	case "down":
		s.step = -1
	default:
		return nil, member.Errorf("neither up nor down")
	}
	if s.target, err = l.MemberPredicate(v, "target_condition"); err != nil {
		return nil, err
	}
	if s.allowed, err = l.OptionalPredicate(v, "allowed_search_condition"); err != nil {
		return nil, err
	}
	if member, err = v.Member("max_steps"); err != nil {
		return nil, err
	}
	most, err := member.Int(1, maxScan)
	s.most = int(most)
	return s, err
}

func readFixed(v provider.Value) (modifier, error) {
	member, err := v.Member("positions")
	if err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok || len(list) > maxCount {
		return nil, member.Errorf("not a list of at most %d", maxCount)
	}
	places := make(fixedPlaces, len(list))
	for i, element := range list {
		if places[i], err = readVector(element, 30_000_000); err != nil {
			return nil, err
		}
	}
	return places, nil
}

func readNoiseCount(v provider.Value) (modifier, error) {
	member, err := v.Member("noise_to_count_ratio")
	if err != nil {
		return nil, err
	}
	var m noiseCount
	if m.ratio, err = member.Int(math.MinInt32, math.MaxInt32); err != nil {
		return nil, err
	}
	if m.factor, err = double(v, "noise_factor"); err != nil {
		return nil, err
	}
	if v.Has("noise_offset") {
		m.offset, err = double(v, "noise_offset")
	}
	return m, err
}

func readNoiseThreshold(v provider.Value) (modifier, error) {
	var m noiseThreshold
	var err error
	if m.level, err = double(v, "noise_level"); err != nil {
		return nil, err
	}
	for name, field := range map[string]*int32{"below_noise": &m.below, "above_noise": &m.above} {
		member, err := v.Member(name)
		if err != nil {
			return nil, err
		}
		if *field, err = member.Int(math.MinInt32, maxCount); err != nil {
			return nil, err
		}
	}
	return m, nil
}
