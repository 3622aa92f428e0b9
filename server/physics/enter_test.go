package physics

import "testing"

func TestEnters(t *testing.T) {
	there := blocks{
		{X: 1, Y: 10, Z: 0}: "stone", {X: 2, Y: 10, Z: 0}: "stone", {X: 0, Y: 9, Z: 0}: "oak_fence",
		{X: 5, Y: 10, Z: 0}: "oak_stairs[facing=east,half=bottom]",
	}
	at := func(x, y float64) Box { return Around(x, y, 0.5, 0.6, 1.8) }
	for _, c := range []struct {
		name     string
		from, to Box
		want     bool
	}{
		{"free", at(0.5, 12), at(0.6, 12), false},
		{"beside the block", at(0.5, 10.5), at(0.7, 10.5), false},
		{"into the block", at(0.5, 10.5), at(0.8, 10.5), true},
		{"less than a touch into it", at(0.5, 10.5), at(0.700005, 10.5), false},
		{"deeper into it", at(0.8, 10.5), at(1, 10.5), false},
		{"out of it", at(1, 10.5), at(0.6, 10.5), false},
		{"on into the next", at(1.5, 10.5), at(1.9, 10.5), true},
		{"onto a fence", at(0.5, 10.6), at(0.5, 10.5), false},
		{"into a fence", at(0.5, 10.6), at(0.5, 10.4), true},
		{"onto the lower half of stairs", at(4.5, 11), at(5.1, 10.5), false},
		{"from there into the upper half", at(5.1, 10.5), at(5.3, 10.5), true},
		{"within stairs", at(5.1, 10.4), at(5.3, 10.4), false},
		{"into what is not loaded", at(0.5, 1), at(0.5, -0.1), true},
	} {
		var m Mover
		if got := m.Enters(there, c.from, c.to); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
