package saved

import (
	"maps"

	"strata/anvil/level"
	"strata/anvil/registry"
)

// World is the values. Nothing else has them while a world is open.
type World struct {
	// Time is how many ticks the world has been played.
	Time int64
	// Clocks are the world clocks, by id.
	Clocks  map[string]Clock
	Weather level.Weather
	// Rules are the game rules by name with namespace: a switch is 0 or 1.
	Rules      map[string]int32
	Difficulty level.Difficulty
	// GameMode is that of new players: 0 survival to 3 spectator.
	GameMode int32
	// Spawn is where new players appear, if Chosen: otherwise nobody has chosen
	// one yet.
	Spawn  level.Spawn
	Chosen bool
}

// Clock is a world clock.
type Clock struct {
	Ticks int64
	// Part of a tick that has gone by, which is not saved.
	Part float32
	// Rate is how many ticks go by in one of the game's, usually 1.
	Rate   float32
	Paused bool
}

// Advance is a tick of the game's.
func (c *Clock) Advance() {
	if c.Paused {
		return
	}
	c.Part += c.Rate
	whole := int64(c.Part)
	c.Ticks, c.Part = c.Ticks+whole, c.Part-float32(whole)
}

// Speed is how many ticks go by in one of the game's as it is now.
func (c Clock) Speed() float32 {
	if c.Paused {
		return 0
	}
	return c.Rate
}

// Clone is a copy that does not follow changes.
func (w *World) Clone() World {
	c := *w
	c.Clocks, c.Rules = maps.Clone(w.Clocks), maps.Clone(w.Rules)
	return c
}

// defaultRules are those of a new world of 26.2.
func defaultRules() map[string]int32 {
	rules := map[string]int32{}
	for _, r := range registry.GameRules(registry.V26_2) {
		rules[r.Name] = r.Default
	}
	return rules
}
