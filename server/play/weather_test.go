package play

import (
	"testing"

	"strata/anvil/level"
	"strata/server/saved"
)

// under is a game without players under a weather.
func under(w level.Weather) *Game {
	return &Game{world: &saved.World{Weather: w, Rules: map[string]int32{"minecraft:advance_weather": 1}}}
}

func TestWeatherTurnsWhenItsTimeHasCome(t *testing.T) {
	for name, test := range map[string]struct {
		weather       level.Weather
		ticks         int
		rain, thunder bool
	}{
		"rain begins":         {level.Weather{RainTime: 3, ThunderTime: 100}, 3, true, false},
		"not before":          {level.Weather{RainTime: 3, ThunderTime: 100}, 2, false, false},
		"rain ends":           {level.Weather{Raining: true, RainTime: 3, ThunderTime: 100}, 3, false, false},
		"thunder begins":      {level.Weather{Raining: true, RainTime: 100, ThunderTime: 5}, 5, true, true},
		"clear ends it":       {level.Weather{Raining: true, Thundering: true, RainTime: 9, ThunderTime: 9, ClearTime: 50}, 1, false, false},
		"nothing while clear": {level.Weather{RainTime: 1, ThunderTime: 1, ClearTime: 50}, 50, false, false},
		"after clear rain":    {level.Weather{RainTime: 1, ThunderTime: 1, ClearTime: 50}, 51, true, true},
	} {
		g := under(test.weather)
		for range test.ticks {
			g.tickWeather()
		}
		if w := g.world.Weather; w.Raining != test.rain || w.Thundering != test.thunder {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

func TestWeatherLastsAsLongAsInTheGame(t *testing.T) {
	for range 200 {
		g := under(level.Weather{})
		g.tickWeather()
		w := &g.world.Weather
		if w.RainTime < 12_000 || w.RainTime > 180_000 || w.ThunderTime < 12_000 || w.ThunderTime > 180_000 {
			t.Fatalf("clear for %+v", *w)
		}
		*w = level.Weather{Raining: true, Thundering: true}
		g.tickWeather()
		if w.RainTime < 12_000 || w.RainTime > 24_000 || w.ThunderTime < 3_600 || w.ThunderTime > 15_600 {
			t.Fatalf("a storm for %+v", *w)
		}
	}
}

func TestLevelsRiseAndFallSlowly(t *testing.T) {
	g := under(level.Weather{})
	g.SetWeather(Thunder, 1000)
	for range 20 {
		g.tickWeather()
	}
	if g.sky.rain < 0.19 || g.sky.rain > 0.21 || g.sky.thunder != g.sky.rain {
		t.Errorf("after a second: %+v", g.sky)
	}
	for range 100 {
		g.tickWeather()
	}
	if g.sky != newSky(true, true) || g.world.Weather.RainTime != 1000-120 {
		t.Errorf("then: %+v, %+v", g.sky, g.world.Weather)
	}
	g.SetWeather(ClearWeather, -1)
	for range 120 {
		g.tickWeather()
	}
	if g.sky != newSky(false, false) {
		t.Errorf("in the end: %+v", g.sky)
	}
	g = under(level.Weather{RainTime: 1})
	g.world.Rules["minecraft:advance_weather"] = 0
	g.tickWeather()
	if g.world.Weather.Raining {
		t.Error("it turns although the rule is off")
	}
}
