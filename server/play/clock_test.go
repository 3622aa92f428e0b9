package play

import (
	"testing"

	"strata/anvil/registry"
	"strata/server/saved"
)

func TestClocksGoByTheirRateAndTheRule(t *testing.T) {
	w := &saved.World{Rules: map[string]int32{"minecraft:advance_time": 1}, Clocks: map[string]saved.Clock{
		saved.Overworld: {Ticks: 100, Rate: 0.25}, "minecraft:the_end": {Ticks: 5, Rate: 2}, "other:clock": {Ticks: 7, Rate: 1, Paused: true},
	}}
	g := &Game{world: w}
	tick := func(n int) {
		for range n {
			g.tickTime()
		}
	}
	want := func(age, day, end int64, rate float32) {
		t.Helper()
		if w.Time != age || w.Clocks[saved.Overworld].Ticks != day || w.Clocks["minecraft:the_end"].Ticks != end || w.Clocks["other:clock"].Ticks != 7 {
			t.Errorf("age %d, clocks %+v", w.Time, w.Clocks)
		}
		p := g.timePacket(registry.V26_2)
		if len(p.Clocks) != 2 || p.GameTime != age || p.Clocks[0].TotalTicks != day || p.Clocks[0].Rate != rate {
			t.Errorf("the packet is %+v", p)
		}
	}
	tick(8)
	want(8, 102, 21, 0.25)
	tick(2)
	if part := w.Clocks[saved.Overworld].Part; part != 0.5 {
		t.Errorf("%v of a tick", part)
	}
	w.Rules["minecraft:advance_time"] = 0
	tick(10)
	want(20, 102, 25, 0)
}
