package feature

// Ores returns the system with ores alone, each with the places it has in the
// whole: a chunk draws for them what it always draws. Ores are nearly
// everywhere and hardly look at what else was built, so that of two chunks near
// each other they tell which was decorated first.
func (s *System) Ores() *System {
	ores := *s
	ores.steps = make([]step, len(s.steps))
	for i := range s.steps {
		at := s.steps[i]
		at.of = make([][]int32, len(at.of))
		for biome, places := range s.steps[i].of {
			for _, place := range places {
				if ofOres(at.features[place].Feature) {
					at.of[biome] = append(at.of[biome], place)
				}
			}
		}
		ores.steps[i] = at
	}
	return &ores
}

func ofOres(f Feature) bool {
	switch f.(type) {
	case vein, scattered:
		return true
	}
	return false
}
