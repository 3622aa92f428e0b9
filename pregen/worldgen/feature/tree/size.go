package tree

import "strata/pregen/worldgen/provider"

// minimumSize says how much room a tree needs: how far around its trunk at each
// height.
type minimumSize struct {
	lower, middle, upper int // blocks around
	limit                int // layers of lower
	fromTop              int // layers of upper; all above limit for two layers
	layers               int
	clips                bool
	clipped              int // the least height if there is not the whole room
}

func readSize(v provider.Value) (s minimumSize, err error) {
	id, err := kind(v)
	if err != nil {
		return s, err
	}
	members := map[string]*int{"limit": &s.limit, "upper_size": &s.upper}
	standards := map[string]int{"limit": 1, "upper_size": 1, "middle_size": 1, "upper_limit": 1}
	most := map[string]int32{"limit": 81, "upper_limit": 80}
	members["lower_size"] = &s.lower
	switch id {
	case "minecraft:two_layers_feature_size":
		s.layers = 2
	case "minecraft:three_layers_feature_size":
		s.layers = 3
		members["middle_size"], members["upper_limit"] = &s.middle, &s.fromTop
		most["limit"] = 80
	default:
		return s, v.Errorf("unknown minimum size %s", id)
	}
	for name, to := range members {
		high, ok := most[name]
		if !ok {
			high = 16
		}
		if *to, err = numberOr(v, name, 0, high, standards[name]); err != nil {
			return s, err
		}
	}
	if s.clips = v.Has("min_clipped_height"); s.clips {
		s.clipped, err = number(v, "min_clipped_height", 0, 80)
	}
	return s, err
}

// at is the room around the trunk at a height above its foot.
func (s *minimumSize) at(height, y int) int {
	switch {
	case y < s.limit:
		return s.lower
	case s.layers == 3 && y < height-s.fromTop:
		return s.middle
	}
	return s.upper
}
