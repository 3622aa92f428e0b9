package play

import (
	"cmp"
	"slices"

	"strata/anvil/registry"
	"strata/server/protocol"
	"strata/server/saved"
)

// timeEvery is how many ticks lie between two times that clients are told.
const timeEvery = 20

// tickTime is a tick of the world's age, and of its clocks if they run.
func (g *Game) tickTime() {
	g.world.Time++
	if !g.clocksRun() {
		return
	}
	for id, c := range g.world.Clocks {
		c.Advance()
		g.world.Clocks[id] = c
	}
}

func (g *Game) clocksRun() bool { return g.rule("minecraft:advance_time") != 0 }

// timePacket is the time of the world; the rates let clients go on by themselves.
func (g *Game) timePacket(v registry.Version) *protocol.SetTime {
	t := &protocol.SetTime{GameTime: g.world.Time}
	all := registry.Of("minecraft:world_clock", v)
	for name, c := range g.world.Clocks {
		id, known := all.ID(name)
		if !known {
			continue
		}
		k := protocol.WorldClock{ID: id, TotalTicks: c.Ticks, PartialTick: c.Part}
		if g.clocksRun() {
			k.Rate = c.Speed()
		}
		t.Clocks = append(t.Clocks, k)
	}
	slices.SortFunc(t.Clocks, func(a, b protocol.WorldClock) int { return cmp.Compare(a.ID, b.ID) })
	return t
}

// sendTime tells all the time.
func (g *Game) sendTime() {
	for _, p := range g.Online() {
		p.send(g.timePacket(p.version()))
	}
}

// Time is how many ticks the world has been played.
func (g *Game) Time() int64 { return g.world.Time }

// Clock returns a world clock by its id.
func (g *Game) Clock(id string) (saved.Clock, bool) {
	c, ok := g.world.Clocks[id]
	return c, ok
}

// SetClock sets it.
func (g *Game) SetClock(id string, c saved.Clock) {
	g.world.Clocks[id] = c
	g.sendTime()
}
