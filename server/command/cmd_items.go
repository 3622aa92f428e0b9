package command

import (
	"strata/server/item"
	"strata/server/text"
)

// maxGiveStacks is how many full stacks the game gives at once.
const maxGiveStacks = 100

func giveCommand(*node) []*node {
	give := func(c *Context) (int, error) {
		stack, count := get[item.Stack](c, "item"), given(c, "count", int32(1))
		most := stack.MaxSize() * maxGiveStacks
		if count > most {
			return 0, failed("commands.give.failed.toomanyitems", number(most), stackName(stack))
		}
		players, err := c.players("targets")
		if err != nil {
			return 0, err
		}
		for _, p := range players {
			for left := count; left > 0; {
				n := min(left, stack.MaxSize())
				left -= n
				p.Give(stack.WithCount(n))
			}
		}
		return reportLast(c, "commands.give.success", players, number(count), stackName(stack))
	}
	return one(literal("give",
		arg("targets", playersMany,
			arg("item", itemArg{},
				arg("count", atLeast(1)).does(give),
			).does(give),
		),
	).needs(LevelGamemasters))
}

func clearCommand(*node) []*node {
	remove := func(c *Context, players []Player) (int, error) {
		test, limit := given(c, "item", itemTest{any: true}), int(given(c, "maxCount", int32(-1)))
		total := 0
		for _, p := range players {
			total += p.Clear(test.matches, limit)
		}
		switch {
		case total == 0 && len(players) == 1:
			return 0, failed("clear.failed.single", players[0].Display())
		case total == 0:
			return 0, failed("clear.failed.multiple", number(len(players)))
		}
		key := "commands.clear.success"
		if limit == 0 {
			key = "commands.clear.test"
		}
		if _, err := reportLast(c, key, players, number(total)); err != nil {
			return 0, err
		}
		return total, nil
	}
	targets := func(c *Context) (int, error) {
		players, err := c.players("targets")
		if err != nil {
			return 0, err
		}
		return remove(c, players)
	}
	return one(literal("clear",
		arg("targets", playersMany,
			arg("item", itemPredicateArg{},
				arg("maxCount", atLeast(0)).does(targets),
			).does(targets),
		).does(targets),
	).needs(LevelGamemasters).does(func(c *Context) (int, error) {
		p, err := c.player()
		if err != nil {
			return 0, err
		}
		return remove(c, []Player{p})
	}))
}

func itemCommand(*node) []*node {
	with := func(run func(*Context) (int, error)) *node {
		return literal("with",
			arg("item", itemArg{},
				arg("count", intArg{1, 99}).does(run),
			).does(run),
		)
	}
	return one(literal("item",
		literal("replace",
			literal("block", arg("pos", blockPosArg, arg("slot", slotArg{}, with(replaceBlockSlot)))),
			literal("entity", arg("targets", entityMany, arg("slot", slotArg{}, with(replaceEntitySlot)))),
		),
	).needs(LevelGamemasters))
}

// stack returns the arguments item and count.
func (c *Context) stack() (item.Stack, error) {
	stack := get[item.Stack](c, "item").WithCount(given(c, "count", int32(1)))
	if stack.Count > stack.MaxSize() {
		return stack, failed("arguments.item.overstacked", stackName(stack), number(stack.MaxSize()))
	}
	return stack, nil
}

func replaceBlockSlot(c *Context) (int, error) {
	stack, err := c.stack()
	if err != nil {
		return 0, err
	}
	pos, err := c.block(c.src.Place.Dimension, "pos")
	if err != nil {
		return 0, err
	}
	slot := get[slotName](c, "slot")
	done, container := c.h.Worlds.SetSlot(c.src.Place.Dimension, pos, slot.slot, stack)
	switch {
	case !done && !container:
		return 0, failed("commands.item.target.not_a_container", number(pos.X), number(pos.Y), number(pos.Z))
	case !done:
		return 0, failed("commands.item.target.no_such_slot", text.Plain(slot.name))
	}
	return c.ok(1, "commands.item.block.set.success", number(pos.X), number(pos.Y), number(pos.Z), stackName(stack))
}

func replaceEntitySlot(c *Context) (int, error) {
	stack, err := c.stack()
	if err != nil {
		return 0, err
	}
	targets, err := c.entities("targets")
	if err != nil {
		return 0, err
	}
	slot := get[slotName](c, "slot")
	var done []Entity
	for _, e := range targets {
		if p, ok := e.(Player); ok && p.SetSlot(slot.slot, stack) {
			done = append(done, e)
		}
	}
	if len(done) == 0 {
		return 0, failed("commands.item.target.no_changed.known_item", stackName(stack), text.Plain(slot.name))
	}
	return report(c, "commands.item.entity.set.success", done, stackName(stack))
}
