package play

import (
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/server/protocol"
)

// What holds for all players. It may be called on the tick goroutine alone.

// Events of a player's own entity that switch what its debug screen shows.
const (
	debugInfoReduced = 22
	debugInfoWhole   = 23
)

// rule is the value of a game rule; a switch is 0 or 1.
func (g *Game) rule(name string) int32 { return g.world.Rules[name] }

// Rule returns a game rule by its name with namespace; a switch is 0 or 1.
func (g *Game) Rule(name string) int32 { return g.rule(name) }

// SetRule sets a game rule. Clients are told of those that they have to know.
func (g *Game) SetRule(name string, value int32) {
	g.world.Rules[name] = value
	switch name {
	case "minecraft:advance_time":
		g.sendTime()
	case "minecraft:immediate_respawn":
		g.broadcast(&protocol.GameEvent{Event: protocol.GameEventKindImmediateRespawn, Value: float32(value)})
	case "minecraft:limited_crafting":
		g.broadcast(&protocol.GameEvent{Event: protocol.GameEventKindLimitedCrafting, Value: float32(value)})
	case "minecraft:reduced_debug_info":
		for _, p := range g.Online() {
			event := int8(debugInfoWhole)
			if value != 0 {
				event = debugInfoReduced
			}
			p.send(&protocol.EntityEvent{EntityID: p.id, Event: event})
		}
	}
}

// difficulties are the names of difficulties by their numbers.
var difficulties = [...]string{"peaceful", "easy", "normal", "hard"}

// difficulty is the number of the world's difficulty; that of a hardcore world is
// hard.
func (g *Game) difficulty() protocol.Difficulty {
	if g.world.Difficulty.Hardcore {
		return protocol.DifficultyHard
	}
	for i, name := range difficulties {
		if name == g.world.Difficulty.Name {
			return protocol.Difficulty(i)
		}
	}
	return protocol.DifficultyNormal
}

// Difficulty returns the difficulty, 0 peaceful to 3 hard.
func (g *Game) Difficulty() protocol.Difficulty { return g.difficulty() }

// SetDifficulty sets the difficulty, also a locked one, and tells all.
func (g *Game) SetDifficulty(d protocol.Difficulty) {
	if d < 0 || int(d) >= len(difficulties) {
		return
	}
	g.world.Difficulty.Name = difficulties[d]
	g.sendDifficulty()
}

func (g *Game) sendDifficulty() {
	g.broadcast(&protocol.ChangeDifficultyClientbound{Difficulty: g.difficulty(), DifficultyLocked: g.world.Difficulty.Locked})
}

// settingsLevel is the permission level that a client needs to change difficulty
// from its menu.
const settingsLevel = 2

func (g *Game) mayChangeSettings(p *Player) bool {
	return g.options.Commands != nil && g.options.Commands.Level(p) >= settingsLevel
}

// changeDifficulty is a difficulty chosen in a client's menu.
func (g *Game) changeDifficulty(p *Player, d protocol.Difficulty) {
	if g.mayChangeSettings(p) && !g.world.Difficulty.Locked {
		g.SetDifficulty(d)
	}
}

// lockDifficulty is a client's wish that the difficulty be locked, or not.
func (g *Game) lockDifficulty(p *Player, locked bool) {
	if g.mayChangeSettings(p) && g.world.Difficulty.Locked != locked {
		g.world.Difficulty.Locked = locked
		g.sendDifficulty()
	}
}

// DefaultGameMode returns the game mode of new players.
func (g *Game) DefaultGameMode() protocol.GameMode { return protocol.GameMode(g.world.GameMode) }

// SetDefaultGameMode sets it. Where game modes are forced all players get it; it
// returns how many had another one.
func (g *Game) SetDefaultGameMode(mode protocol.GameMode) (changed int) {
	g.world.GameMode = int32(mode)
	if !g.options.ForceGameMode {
		return 0
	}
	for _, p := range g.Online() {
		if g.SetGameMode(p, mode) {
			changed++
		}
	}
	return changed
}

// WorldSpawn returns the block where new players appear, or around which they do.
func (g *Game) WorldSpawn() (dimension string, pos chunk.BlockPos) {
	s := &g.world.Spawn
	return g.spawnDimension().ID(), chunk.BlockPos{X: s.X, Y: s.Y, Z: s.Z}
}

// SetWorldSpawn sets it, and tells all.
func (g *Game) SetWorldSpawn(dimension string, pos chunk.BlockPos, yaw, pitch float32) {
	g.world.Spawn = level.Spawn{Dimension: dimension, X: pos.X, Y: pos.Y, Z: pos.Z, Yaw: yaw, Pitch: pitch}
	g.world.Chosen = true
	g.broadcast(g.spawnPacket())
}

// spawnPacket tells clients where compasses point.
func (g *Game) spawnPacket() *protocol.SetDefaultSpawnPosition {
	dimension, pos := g.WorldSpawn()
	return &protocol.SetDefaultSpawnPosition{
		Pos: protocol.GlobalPos{DimensionName: dimension, Pos: protocol.BlockPos(pos)}, Yaw: g.world.Spawn.Yaw, Pitch: g.world.Spawn.Pitch,
	}
}

// spawnDimension is where new players appear: the first if that which the world
// says is not there.
func (g *Game) spawnDimension() *dimension {
	if d := g.dimension(g.world.Spawn.Dimension); d != nil {
		return d
	}
	return g.dimensions[0]
}
