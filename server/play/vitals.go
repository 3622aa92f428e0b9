package play

import (
	"math"

	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/protocol"
	"strata/server/text"
)

// vitals are a player's health, food and experience.
type vitals struct {
	health     float32 // 0 is dead
	food       int32
	saturation float32
	level      int32
	bar        float32 // of the next level, from 0 to 1
	total      int32   // points that were ever gained
}

const (
	maxHealth = 20
	maxFood   = 20
)

// newVitals are those of a player who begins, or comes back from death.
var newVitals = vitals{health: maxHealth, food: maxFood, saturation: 5}

// Damage of those who have fallen out of the world, and how far below it that is.
const (
	voidDepth  = 64
	voidDamage = 4
	// hurtEvery is how many ticks somebody who was hurt is not hurt again.
	hurtEvery = 10
)

// deathTicks is how long a dead player is seen to fall.
const deathTicks = 20

// Events of entities.
const entityDies = 3

// damage is a kind of damage: its name in the registry, and the message of death.
type damage struct{ kind, message string }

var (
	damageKill = damage{"minecraft:generic_kill", "death.attack.genericKill"}
	damageVoid = damage{"minecraft:out_of_world", "death.attack.outOfWorld"}
)

// sendHealth tells a player's client of its vitals.
func (g *Game) sendHealth(p *Player) {
	v := &p.vitals
	p.send(&protocol.SetHealth{Health: v.health, Food: v.food, Saturation: v.saturation})
	p.send(&protocol.SetExperience{Bar: v.bar, Level: v.level, Total: v.total})
}

// dead reports whether a player waits to come back.
func (p *Player) dead() bool { return p.vitals.health <= 0 }

// tickVitals is what a tick does to a player.
func (g *Game) tickVitals(p *Player) {
	if p.dead() {
		if p.dying++; p.dying == deathTicks {
			g.hide(p)
		}
		return
	}
	p.hurt = max(p.hurt-1, 0)
	if low, _ := p.in.Height(); p.y < float64(low)-voidDepth {
		g.harm(p, voidDamage, damageVoid)
	}
}

// harm hurts a player, who may die of it.
func (g *Game) harm(p *Player, amount float32, d damage) {
	if p.dead() || p.hurt > 0 || p.awaiting {
		return
	}
	p.hurt = hurtEvery
	p.vitals.health = max(p.vitals.health-amount, 0)
	for _, other := range g.players {
		if other != p && other.seen[p.id] == nil {
			continue
		}
		if kind, ok := registry.Of("minecraft:damage_type", other.version()).ID(d.kind); ok {
			other.send(&protocol.DamageEvent{EntityID: p.id, SourceTypeID: kind})
		}
	}
	if p.dead() {
		g.die(p, d)
		return
	}
	g.sendHealth(p)
}

// Kill ends a player's life.
func (g *Game) Kill(p *Player) {
	if p.dead() {
		return
	}
	p.vitals.health = 0
	g.die(p, damageKill)
}

// die is what happens when health has reached 0.
func (g *Game) die(p *Player, d damage) {
	p.dying = 0
	g.endDig(p)
	g.shutWindow(p)
	message := text.Key(d.message, p.Display())
	g.sendHealth(p)
	p.send(&protocol.PlayerCombatKill{PlayerID: p.id, Message: message.NBT()})
	for _, other := range g.players {
		if other.seen[p.id] != nil {
			other.send(&protocol.EntityEvent{EntityID: p.id, Event: entityDies})
		}
	}
	g.options.Log.Info(message.String())
	if g.rule("minecraft:show_death_messages") != 0 {
		g.Announce(message)
	}
	at := blockOf(p.x, p.y, p.z)
	p.died = &savedPlace{p.in.ID(), []int32{at.X, at.Y, at.Z}}
	if g.rule("minecraft:keep_inventory") == 0 {
		g.dropAll(p)
	}
}

// savedPlace is where a block is, as files have it.
type savedPlace struct {
	Dimension string  `nbt:"dimension"`
	Pos       []int32 `nbt:"pos"`
}

func blockOf(x, y, z float64) chunk.BlockPos {
	return chunk.BlockPos{X: int32(math.Floor(x)), Y: int32(math.Floor(y)), Z: int32(math.Floor(z))}
}

// respawn brings a dead player back.
func (g *Game) respawn(p *Player) {
	if !p.dead() {
		return
	}
	keep := p.vitals
	p.vitals = newVitals
	if g.rule("minecraft:keep_inventory") != 0 {
		p.vitals.level, p.vitals.bar, p.vitals.total = keep.level, keep.bar, keep.total
	}
	to, x, y, z, yaw, pitch := g.home(p)
	p.x, p.y, p.z, p.yaw, p.pitch = x, y, z, yaw, pitch
	p.hurt, p.onGround, p.floats = 0, false, false
	p.sneaking, p.sprinting, p.glides = false, false, false
	g.enter(p, to, 0)
	g.place(p)
}

// spawnPoint is where a player comes back, as its file has it.
type spawnPoint struct {
	Dimension string  `nbt:"dimension"`
	Pos       []int32 `nbt:"pos"`
	Yaw       float32 `nbt:"yaw"`
	Pitch     float32 `nbt:"pitch"`
	Forced    bool    `nbt:"forced"`
}

// home is where a player comes back: its own spawn point, if that is set by
// command, or the world's. A bed's counts for nothing as beds are not slept in.
func (g *Game) home(p *Player) (to *dimension, x, y, z float64, yaw, pitch float32) {
	if s := p.spawn; s != nil && s.Forced && len(s.Pos) == 3 {
		if d := g.dimension(s.Dimension); d != nil {
			return d, float64(s.Pos[0]) + 0.5, float64(s.Pos[1]) + 0.1, float64(s.Pos[2]) + 0.5, s.Yaw, s.Pitch
		}
	}
	at, ready := g.spawnSpot(p.mode)
	p.unsettled = !ready
	return g.spawnDimension(), at.x, at.y, at.z, g.world.Spawn.Yaw, g.world.Spawn.Pitch
}

// SetSpawn sets where a player comes back.
func (g *Game) SetSpawn(p *Player, dimension string, pos chunk.BlockPos, yaw, pitch float32) {
	p.spawn = &spawnPoint{dimension, []int32{pos.X, pos.Y, pos.Z}, yaw, pitch, true}
}

// Experience returns a player's levels, and its points towards the next one.
func (p *Player) Experience() (levels, points int) {
	v := &p.vitals
	return int(v.level), int(math.Round(float64(v.bar) * float64(levelPoints(v.level))))
}

// SetExperience sets them; points are fewer than the next level takes.
func (g *Game) SetExperience(p *Player, levels, points int) {
	v := &p.vitals
	v.level = int32(min(max(levels, 0), math.MaxInt32))
	v.bar = min(max(float32(points)/float32(levelPoints(v.level)), 0), 1)
	g.sendHealth(p)
}

// AddPoints gives a player points, or takes some: levels follow.
func (g *Game) AddPoints(p *Player, points int) {
	v := &p.vitals
	v.total = int32(min(max(int64(v.total)+int64(points), 0), math.MaxInt32))
	levels, have := p.Experience()
	have += points
	for have < 0 && levels > 0 {
		levels--
		have += levelPoints(int32(levels))
	}
	for have >= levelPoints(int32(levels)) && levels < math.MaxInt32 {
		have -= levelPoints(int32(levels))
		levels++
	}
	if levels == 0 && have < 0 {
		have = 0
	}
	g.SetExperience(p, levels, have)
}

// levelPoints is how many points the level after this one takes, as the game counts
// them: minecraft.wiki, "Experience".
func levelPoints(level int32) int {
	l := int(level)
	switch {
	case l >= 30:
		return 112 + (l-30)*9
	case l >= 15:
		return 37 + (l-15)*5
	default:
		return 7 + l*2
	}
}

// loadVitals reads them from a player's file. What is not there is as for those who
// begin.
func (p *Player) loadVitals(root nbt.Tag) {
	v := newVitals
	number := func(name string, to *float32, most float64) {
		if f, ok := root.Get(name).Float(); ok && f >= 0 && f <= most {
			*to = float32(f)
		}
	}
	whole := func(name string, to *int32, most int64) {
		if n, ok := root.Get(name).Int(); ok && n >= 0 && n <= most {
			*to = int32(n)
		}
	}
	number("Health", &v.health, 1024)
	whole("foodLevel", &v.food, maxFood)
	number("foodSaturationLevel", &v.saturation, maxFood)
	whole("XpLevel", &v.level, math.MaxInt32)
	number("XpP", &v.bar, 1)
	whole("XpTotal", &v.total, math.MaxInt32)
	p.vitals = v
	if tag := root.Get("respawn"); tag.Exists() {
		var s spawnPoint
		if tag.Raw().Decode(&s) == nil && len(s.Pos) == 3 {
			p.spawn = &s
		}
	}
}
