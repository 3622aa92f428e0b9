package command

import (
	"fmt"
	"time"

	"strata/server/text"
)

func saveAllCommand(*node) []*node {
	save := func(flush bool) func(*Context) (int, error) {
		return func(c *Context) (int, error) {
			c.h.success(c.src, false, text.Key("commands.save.saving"))
			c.h.Life.Save(flush, func(err error) {
				if err != nil {
					c.src.fail(text.Key("commands.save.failed"))
					return
				}
				c.h.success(c.src, true, text.Key("commands.save.success"))
			})
			return 1, nil
		}
	}
	return one(literal("save-all", literal("flush").does(save(true))).needs(LevelOwners).does(save(false)))
}

func saveSwitch(name string, on bool, already, done string) []*node {
	return one(literal(name).needs(LevelOwners).does(func(c *Context) (int, error) {
		if c.h.Life.Autosave() == on {
			return 0, failed(already)
		}
		c.h.Life.SetAutosave(on)
		return c.ok(1, done)
	}))
}

func saveOnCommand(*node) []*node {
	return saveSwitch("save-on", true, "commands.save.alreadyOn", "commands.save.enabled")
}

func saveOffCommand(*node) []*node {
	return saveSwitch("save-off", false, "commands.save.alreadyOff", "commands.save.disabled")
}

func stopCommand(*node) []*node {
	return one(literal("stop").needs(LevelOwners).does(func(c *Context) (int, error) {
		c.h.success(c.src, true, text.Key("commands.stop.stopping"))
		c.h.Life.Stop()
		return 1, nil
	}))
}

// tenths is a number with one decimal.
func tenths(f float64) text.Component { return text.Plain(fmt.Sprintf("%.1f", f)) }

func millis(d time.Duration) text.Component { return tenths(float64(d) / 1e6) }

func tickCommand(*node) []*node {
	return one(literal("tick",
		literal("query").does(queryTicks),
		literal("rate", arg("rate", floatArg{1, 10000}).completes(func(b *builder) { b.add("20") }).does(
			func(c *Context) (int, error) {
				rate := get[float32](c, "rate")
				c.h.Ticks.SetTickRate(rate)
				return c.ok(int(rate), "commands.tick.rate.success", tenths(float64(rate)))
			})),
		literal("step",
			literal("stop").does(func(c *Context) (int, error) {
				if !c.h.Ticks.Step(0) {
					return 0, failed("commands.tick.step.stop.fail")
				}
				return c.ok(1, "commands.tick.step.stop.success")
			}),
			arg("time", timeArg{1}).completes(suggestTimes("1t", "1s")).does(stepTicks),
		).does(stepTicks),
		literal("sprint",
			literal("stop").does(func(c *Context) (int, error) {
				if !c.h.Ticks.Sprint(0, nil) {
					return 0, failed("commands.tick.sprint.stop.fail")
				}
				return c.ok(1, "commands.tick.sprint.stop.success")
			}),
			arg("time", timeArg{1}).completes(suggestTimes("60s", "1d", "3d")).does(sprintTicks),
		),
		literal("freeze").does(func(c *Context) (int, error) {
			c.h.Ticks.SetFrozen(true)
			return c.ok(1, "commands.tick.status.frozen")
		}),
		literal("unfreeze").does(func(c *Context) (int, error) {
			c.h.Ticks.SetFrozen(false)
			return c.ok(0, "commands.tick.status.running")
		}),
	).needs(LevelAdmins))
}

func suggestTimes(times ...string) func(*builder) {
	return func(b *builder) {
		for _, t := range times {
			b.add(t)
		}
	}
}

func queryTicks(c *Context) (int, error) {
	s := c.h.Ticks.TickStatus()
	say := func(key string, with ...text.Component) { c.h.success(c.src, false, text.Key(key, with...)) }
	rate := tenths(float64(s.Rate))
	switch {
	case s.Sprinting:
		say("commands.tick.status.sprinting")
		say("commands.tick.query.rate.sprinting", rate, millis(s.Mean))
	default:
		state := "running"
		switch {
		case s.Frozen:
			state = "frozen"
		case s.Lagging:
			state = "lagging"
		}
		say("commands.tick.status." + state)
		target := time.Duration(float64(time.Second) / float64(max(s.Rate, 1e-3)))
		say("commands.tick.query.rate.running", rate, millis(s.Mean), millis(target))
	}
	say("commands.tick.query.percentiles", millis(s.P50), millis(s.P95), millis(s.P99), number(s.Sample))
	return int(s.Rate), nil
}

func stepTicks(c *Context) (int, error) {
	n := given(c, "time", int32(1))
	if !c.h.Ticks.Step(n) {
		return 0, failed("commands.tick.step.fail")
	}
	return c.ok(1, "commands.tick.step.success", number(n))
}

func sprintTicks(c *Context) (int, error) {
	interrupted := c.h.Ticks.Sprint(get[int32](c, "time"), func(ticks int32, took time.Duration) {
		took = max(took, 1)
		c.h.success(c.src, true, text.Key("commands.tick.sprint.report",
			number(int64(float64(ticks)/took.Seconds())),
			text.Plain(fmt.Sprintf("%.2f", took.Seconds()*1000/float64(max(ticks, 1))))))
	})
	if interrupted {
		c.h.success(c.src, true, text.Key("commands.tick.sprint.stop.success"))
	}
	return c.ok(1, "commands.tick.status.sprinting")
}

func tpsCommand(*node) []*node {
	return one(literal("tps").needs(LevelGamemasters).does(func(c *Context) (int, error) {
		s := c.h.Ticks.TickStatus()
		return c.plain(int(s.TPS[0]), fmt.Sprintf("TPS from last 1m, 5m, 15m: %.1f, %.1f, %.1f; %.1f ms a tick (99%% below %.1f)",
			s.TPS[0], s.TPS[1], s.TPS[2], float64(s.Mean)/1e6, float64(s.P99)/1e6))
	}))
}

func memoryCommand(*node) []*node {
	return one(literal("memory").needs(LevelAdmins).does(func(c *Context) (int, error) {
		heap, system, limit := c.h.Memory.Memory()
		line := fmt.Sprintf("Memory: %d MiB in use, %d MiB from the system", heap>>20, system>>20)
		if limit > 0 {
			line += fmt.Sprintf(", limit %d MiB", limit>>20)
		}
		return c.plain(int(heap>>20), line)
	}))
}

// maxListed is how many backups are listed, the newest.
const maxListed = 20

func backupCommand(*node) []*node {
	return one(literal("backup",
		literal("create").does(func(c *Context) (int, error) {
			err := c.h.Backup.Create(func(name string, err error) {
				if err != nil {
					c.src.fail(text.Plain("Backup failed: " + err.Error()))
					return
				}
				c.h.success(c.src, true, text.Plain("Created backup "+name))
			})
			if err != nil {
				return 0, err
			}
			return c.plain(1, "Creating a backup")
		}),
		literal("list").does(func(c *Context) (int, error) {
			c.h.Backup.List(func(names []string, err error) {
				if err != nil {
					c.src.fail(text.Plain("The backups cannot be listed: " + err.Error()))
					return
				}
				for _, name := range names[max(len(names)-maxListed, 0):] {
					c.h.success(c.src, false, text.Plain(name))
				}
				c.h.success(c.src, false, text.Plain(fmt.Sprintf("%d backup(s)", len(names))))
			})
			return 1, nil
		}),
	).needs(LevelOwners))
}

// maxPregenRadius is in chunks: the whole world.
const maxPregenRadius = maxHorizontal / 16

func pregenCommand(*node) []*node {
	start := func(c *Context) (int, error) {
		at := c.src.Place.Pos.Block()
		dimension, radius := c.src.Place.Dimension, get[int32](c, "radius")
		if pos, ok := argument3(c, "center"); ok {
			at = pos.Block()
		}
		if !horizontal(at) {
			return 0, failed("argument.pos.outofbounds")
		}
		if err := c.h.Pregen.Start(dimension, at.X>>4, at.Z>>4, radius); err != nil {
			return 0, err
		}
		c.h.success(c.src, true, text.Plain(fmt.Sprintf("Generating %s, %d chunks around chunk %d, %d",
			dimension, radius, at.X>>4, at.Z>>4)))
		return 1, nil
	}
	return one(literal("pregen",
		literal("start", arg("radius", intArg{1, maxPregenRadius}, arg("center", blockPosArg).does(start)).does(start)),
		literal("stop").does(func(c *Context) (int, error) {
			if err := c.h.Pregen.Stop(); err != nil {
				return 0, err
			}
			c.h.success(c.src, true, text.Plain("Generation stopped"))
			return 1, nil
		}),
		literal("status").does(func(c *Context) (int, error) { return c.plain(1, c.h.Pregen.Status()) }),
	).needs(LevelAdmins))
}
