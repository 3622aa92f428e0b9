package play

import (
	"math/rand/v2"

	"strata/server/protocol"
)

// Weather is what SetWeather begins.
type Weather uint8

// The kinds of weather.
const (
	ClearWeather Weather = iota
	Rain
	Thunder
)

// span is a number of ticks from one to another, both included.
type span struct{ from, to int32 }

func (s span) pick() int32 { return s.from + rand.Int32N(s.to-s.from+1) }

// How long weather lasts, in ticks: minecraft.wiki, "Weather" and "Rain".
var (
	rainLasts    = span{12_000, 24_000}
	rainPauses   = span{12_000, 180_000}
	thunderLasts = span{3_600, 15_600}
	thunderStops = span{12_000, 180_000}
)

// levelStep is how much a level changes in a tick.
const levelStep = 0.01

// rainSeen is the level from which on it rains: clients are told there.
const rainSeen = 0.2

// sky is the weather as clients see it: how hard it rains and thunders, from 0 to 1.
type sky struct {
	rain, thunder float32
}

// newSky is the sky under a weather that has lasted.
func newSky(raining, thundering bool) (s sky) {
	if raining {
		s.rain = 1
	}
	if thundering {
		s.thunder = 1
	}
	return s
}

// tickWeather is a tick of the weather, in dimensions that have a sky.
func (g *Game) tickWeather() {
	if g.rule("minecraft:advance_weather") != 0 {
		g.turnWeather()
	}
	was := g.sky
	w := &g.world.Weather
	g.sky = sky{step(was.rain, w.Raining), step(was.thunder, w.Thundering)}
	g.sendSky(was)
}

// turnWeather counts down to other weather.
func (g *Game) turnWeather() {
	w := &g.world.Weather
	if w.ClearTime > 0 {
		w.ClearTime--
		// What was there ends at once, and what comes is chosen after the clear time.
		w.ThunderTime, w.RainTime = 1, 1
		if w.Thundering {
			w.ThunderTime = 0
		}
		if w.Raining {
			w.RainTime = 0
		}
		w.Thundering, w.Raining = false, false
		return
	}
	turn(&w.Thundering, &w.ThunderTime, thunderLasts, thunderStops)
	turn(&w.Raining, &w.RainTime, rainLasts, rainPauses)
}

// turn is a tick of one of the two: a time of 0 is one that has to be chosen.
func turn(on *bool, left *int32, lasts, pauses span) {
	switch {
	case *left > 0:
		if *left--; *left == 0 {
			*on = !*on
		}
	case *on:
		*left = lasts.pick()
	default:
		*left = pauses.pick()
	}
}

func step(level float32, up bool) float32 {
	if up {
		return min(level+levelStep, 1)
	}
	return max(level-levelStep, 0)
}

// sendSky tells clients what has changed since the sky was another.
func (g *Game) sendSky(was sky) {
	if was == g.sky {
		return
	}
	for _, p := range g.Online() {
		if !p.in.HasSky() {
			continue
		}
		if rains := g.sky.rain > rainSeen; rains != (was.rain > rainSeen) {
			g.sendWholeSky(p)
			continue
		}
		if was.rain != g.sky.rain {
			p.send(&protocol.GameEvent{Event: protocol.GameEventKindRainLevelChange, Value: g.sky.rain})
		}
		if was.thunder != g.sky.thunder {
			p.send(&protocol.GameEvent{Event: protocol.GameEventKindThunderLevelChange, Value: g.sky.thunder})
		}
	}
}

// sendWholeSky tells a client whether it rains, and how hard.
func (g *Game) sendWholeSky(p *Player) {
	event := protocol.GameEventKindStopRaining
	if g.sky.rain > rainSeen {
		event = protocol.GameEventKindStartRaining
	}
	p.send(&protocol.GameEvent{Event: event})
	p.send(&protocol.GameEvent{Event: protocol.GameEventKindRainLevelChange, Value: g.sky.rain})
	p.send(&protocol.GameEvent{Event: protocol.GameEventKindThunderLevelChange, Value: g.sky.thunder})
}

// beginSky tells a client that was put into a dimension of the weather there. One
// that was told nothing sees none.
func (g *Game) beginSky(p *Player) {
	if p.in.HasSky() && g.sky.rain > rainSeen {
		g.sendWholeSky(p)
	}
}

// SetWeather begins a weather, for some ticks, or as long as the game likes if that
// is negative.
func (g *Game) SetWeather(kind Weather, ticks int32) {
	w := &g.world.Weather
	lasts := map[Weather]span{ClearWeather: rainPauses, Rain: rainLasts, Thunder: thunderLasts}[kind]
	if ticks < 0 {
		ticks = lasts.pick()
	}
	w.Raining, w.Thundering = kind != ClearWeather, kind == Thunder
	w.ClearTime, w.RainTime, w.ThunderTime = 0, ticks, ticks
	if kind == ClearWeather {
		w.ClearTime, w.RainTime, w.ThunderTime = ticks, 0, 0
	}
}
