package server

import (
	"strata/server/command"
	"strata/server/play"
	"strata/server/protocol"
	"strata/server/saved"
)

// Rule implements command.Rules.
func (h *host) Rule(name string) int32 { return h.s.game.Rule(name) }

// SetRule implements command.Rules.
func (h *host) SetRule(name string, value int32) { h.s.game.SetRule(name, value) }

// Difficulty implements command.Settings.
func (h *host) Difficulty() int { return int(h.s.game.Difficulty()) }

// SetDifficulty implements command.Settings.
func (h *host) SetDifficulty(d int) { h.s.game.SetDifficulty(protocol.Difficulty(d)) }

// DefaultGameMode implements command.Settings.
func (h *host) DefaultGameMode() command.GameMode {
	return command.GameMode(h.s.game.DefaultGameMode())
}

// SetDefaultGameMode implements command.Settings.
func (h *host) SetDefaultGameMode(m command.GameMode) int {
	return h.s.game.SetDefaultGameMode(protocol.GameMode(m))
}

// SetWeather implements command.Settings.
func (h *host) SetWeather(w command.Weather, ticks int32) {
	h.s.game.SetWeather(play.Weather(w), ticks)
}

// Seed implements command.Settings.
func (h *host) Seed() int64 { return h.s.seed }

// SetWorldSpawn implements command.Settings.
func (h *host) SetWorldSpawn(dimension string, pos command.BlockPos, r command.Rotation) {
	h.s.game.SetWorldSpawn(dimension, pos, r.Yaw, r.Pitch)
}

// SetIdleTimeout implements command.Settings, and is not called: nobody who is idle
// is removed.
func (h *host) SetIdleTimeout(int) {}

// GameTime implements command.Clocks.
func (h *host) GameTime() int64 { return h.s.game.Time() }

// Clock implements command.Clocks.
func (h *host) Clock(name string) (command.Clock, bool) {
	c, ok := h.s.game.Clock(name)
	return command.Clock{Ticks: c.Ticks, Rate: c.Rate, Paused: c.Paused}, ok
}

// SetClock implements command.Clocks.
func (h *host) SetClock(name string, c command.Clock) {
	h.s.game.SetClock(name, saved.Clock{Ticks: c.Ticks, Rate: c.Rate, Paused: c.Paused})
}
