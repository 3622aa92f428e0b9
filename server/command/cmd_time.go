package command

import (
	"strings"

	"strata/server/text"
)

// timeline is a timeline of the game's data pack (26.2): what a clock's time
// means. Those without a period cannot be asked for repetitions.
type timeline struct {
	name, clock string
	period      int64
}

var timelines = []timeline{
	{"minecraft:day", "minecraft:overworld", 24000},
	{"minecraft:early_game", "minecraft:overworld", 0},
	{"minecraft:moon", "minecraft:overworld", 192000},
	{"minecraft:villager_schedule", "minecraft:overworld", 24000},
}

// marker is a named time of a clock; it returns every period.
type marker struct {
	name, clock   string
	ticks, period int64
	shown         bool // in completions
}

var markers = []marker{
	{"minecraft:day", "minecraft:overworld", 1000, 24000, true},
	{"minecraft:noon", "minecraft:overworld", 6000, 24000, true},
	{"minecraft:night", "minecraft:overworld", 13000, 24000, true},
	{"minecraft:midnight", "minecraft:overworld", 18000, 24000, true},
	{"minecraft:roll_village_siege", "minecraft:overworld", 18000, 24000, false},
	{"minecraft:wake_up_from_sleep", "minecraft:overworld", 0, 24000, false},
}

// next is the first time from now on at which the marker is.
func (m marker) next(now int64) int64 {
	return now + ((m.ticks-now)%m.period+m.period)%m.period
}

// defaultClock is the clock that a dimension goes by, "" for none.
func defaultClock(dimension string) string {
	switch dimension {
	case "minecraft:the_nether":
		return ""
	case "minecraft:the_end":
		return "minecraft:the_end"
	}
	return "minecraft:overworld"
}

func timeCommand(*node) []*node {
	n := clockNodes(literal("time")).needs(LevelGamemasters)
	for _, c := range n.children {
		if c.name == "query" {
			c.then(literal("gametime").does(func(c *Context) (int, error) {
				t := c.h.Clocks.GameTime()
				return c.tell(int(int32(t)), "commands.time.query.gametime", number(t))
			}))
		}
	}
	return one(n.then(literal("of", clockNodes(arg("clock", resourceArg("minecraft:world_clock"))))))
}

// clockNodes adds what can be done to the clock that was named, or that of
// the dimension.
func clockNodes(n *node) *node {
	line := resourceArg("minecraft:timeline")
	return n.then(
		literal("set",
			arg("time", timeArg{}).does(withClock(func(c *Context, name string, k Clock) (int, error) {
				k.Ticks = int64(get[int32](c, "time"))
				c.h.Clocks.SetClock(name, k)
				return c.ok(int(k.Ticks), "commands.time.set.absolute", text.Plain(name), number(k.Ticks))
			})),
			arg("timemarker", resourceLocationArg).completes(suggestMarkers).does(withClock(setMarker)),
		),
		literal("add", arg("time", timeArg{anyInt.low}).does(withClock(func(c *Context, name string, k Clock) (int, error) {
			k.Ticks += int64(get[int32](c, "time"))
			c.h.Clocks.SetClock(name, k)
			return c.ok(int(int32(k.Ticks)), "commands.time.set.absolute", text.Plain(name), number(k.Ticks))
		}))),
		literal("pause").does(withClock(func(c *Context, name string, k Clock) (int, error) {
			k.Paused = true
			c.h.Clocks.SetClock(name, k)
			return c.ok(1, "commands.time.pause", text.Plain(name))
		})),
		literal("resume").does(withClock(func(c *Context, name string, k Clock) (int, error) {
			k.Paused = false
			c.h.Clocks.SetClock(name, k)
			return c.ok(1, "commands.time.resume", text.Plain(name))
		})),
		literal("rate", arg("rate", floatArg{1e-5, 1000}).does(withClock(func(c *Context, name string, k Clock) (int, error) {
			k.Rate = get[float32](c, "rate")
			c.h.Clocks.SetClock(name, k)
			return c.ok(1, "commands.time.rate", text.Plain(name), float(k.Rate))
		}))),
		literal("query",
			literal("time").does(withClock(func(c *Context, name string, k Clock) (int, error) {
				return c.tell(int(int32(k.Ticks)), "commands.time.query.absolute", text.Plain(name), number(k.Ticks))
			})),
			arg("timeline", line,
				literal("repetition").does(withClock(queryTimeline(true))),
			).does(withClock(queryTimeline(false))),
		),
	)
}

// withClock gives a function the clock that is meant.
func withClock(run func(*Context, string, Clock) (int, error)) func(*Context) (int, error) {
	return func(c *Context) (int, error) {
		name := given(c, "clock", entries{name: defaultClock(c.src.Place.Dimension)}).name
		k, ok := c.h.Clocks.Clock(name)
		if name == "" || !ok {
			return 0, failed("commands.time.no_default_clock", text.Plain(c.src.Place.Dimension))
		}
		return run(c, name, k)
	}
}

func setMarker(c *Context, name string, k Clock) (int, error) {
	id := get[string](c, "timemarker")
	for _, m := range markers {
		if m.name == id && m.clock == name {
			k.Ticks = m.next(k.Ticks)
			c.h.Clocks.SetClock(name, k)
			return c.ok(int(int32(k.Ticks)), "commands.time.set.time_marker", text.Plain(name), text.Plain(id))
		}
	}
	return 0, failed("commands.time.no_time_marker_found", text.Plain(id), text.Plain(name))
}

// suggestMarkers completes the markers of the clock that is meant, without the
// game's own namespace as well.
func suggestMarkers(b *builder) {
	clock := defaultClock(b.src.Place.Dimension)
	if f := strings.Fields(b.input); len(f) > 2 && f[1] == "of" {
		clock = withNamespace(f[2])
	}
	for _, m := range markers {
		if m.shown && m.clock == clock {
			b.addID(m.name)
		}
	}
}

func queryTimeline(repetitions bool) func(*Context, string, Clock) (int, error) {
	return func(c *Context, clock string, k Clock) (int, error) {
		id := get[entries](c, "timeline").name
		for _, t := range timelines {
			switch {
			case t.name != id:
				continue
			case t.clock != clock:
				return 0, failed("commands.time.wrong_timeline_for_clock", text.Plain(id), text.Plain(clock))
			case repetitions && t.period > 0:
				n := k.Ticks / t.period
				return c.tell(int(int32(n)), "commands.time.query.timeline.repetitions", text.Plain(id), number(n))
			case repetitions:
				return c.tell(0, "commands.time.query.timeline.repetitions", text.Plain(id), number(0))
			}
			ticks := k.Ticks
			if t.period > 0 {
				ticks %= t.period
			}
			return c.tell(int(int32(ticks)), "commands.time.query.timeline", text.Plain(id), number(ticks))
		}
		return 0, failed("commands.time.wrong_timeline_for_clock", text.Plain(id), text.Plain(clock))
	}
}
