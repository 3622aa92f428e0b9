package blocks

import (
	"strings"

	"strata/anvil/block"
)

// UseItem is a click with an item on a face of a block that is not a placement:
// buckets that are filled, axes, shovels, hoes, flint and steel, honeycomb.
// Filled buckets are placements: see [Place].
func UseItem(ctx Context, item string, p Pos, face block.Direction) Used {
	s, ok := ctx.Block(p)
	if !ok {
		return Used{}
	}
	short := strings.TrimPrefix(item, "minecraft:")
	k, _ := toolOf(item)
	switch {
	case short == "bucket":
		return fill(ctx, p, s)
	case short == "flint_and_steel":
		return ignite(ctx, p, s)
	case short == "honeycomb":
		to, ok := find("waxed_" + name(s))
		if !ok {
			return Used{}
		}
		return turnInto(ctx, p, s, to, EventWaxOn, Used{Done: true, Consumed: true})
	case k == block.Axe:
		return useAxe(ctx, p, s)
	case k == block.Shovel && face != block.Down:
		return useShovel(ctx, p, s)
	case k == block.Hoe && face != block.Down:
		return useHoe(ctx, p, s)
	}
	return Used{}
}

func turnInto(ctx Context, p Pos, s block.State, to block.ID, e Event, u Used) Used {
	changes := []Change{{p, withProperties(to.Default(), s)}}
	if isDoor(s) {
		other := step(p, block.Up)
		if is(s, "half", "upper") {
			other = step(p, block.Down)
		}
		changes = append(changes, Change{other, withProperties(to.Default(), at(ctx, other))})
	} else if q, ok := ChestPair(ctx, p, s); ok {
		changes = append(changes, Change{q, withProperties(to.Default(), at(ctx, q))})
	}
	Apply(ctx, changes)
	ctx.Event(p, e, int32(s))
	return u
}

func useAxe(ctx Context, p Pos, s block.State) Used {
	worn := Used{Done: true, Worn: true}
	n := name(s)
	if to, ok := find("stripped_" + n); ok {
		return turnInto(ctx, p, s, to, EventStrip, worn)
	}
	if bare, ok := strings.CutPrefix(n, "waxed_"); ok {
		if to, ok := find(bare); ok {
			return turnInto(ctx, p, s, to, EventWaxOff, worn)
		}
	}
	for _, age := range [3][2]string{
		{"oxidized_", "weathered_"}, {"weathered_", "exposed_"}, {"exposed_", ""},
	} {
		rest, ok := strings.CutPrefix(n, age[0])
		if !ok {
			continue
		}
		to, ok := find(age[1] + rest)
		if !ok {
			to, ok = find(age[1] + rest + "_block") // exposed_copper
		}
		if ok {
			return turnInto(ctx, p, s, to, EventScrape, worn)
		}
	}
	return Used{}
}

func useShovel(ctx Context, p Pos, s block.State) Used {
	if kind(s) == "campfire" && is(s, "lit", "true") {
		Apply(ctx, []Change{{p, with(s, "lit", "false")}})
		ctx.Event(p, EventExtinguish, int32(s))
		return Used{Done: true, Worn: true}
	}
	switch s.Block() {
	case block.GrassBlock, block.Dirt, block.Podzol, block.CoarseDirt, block.Mycelium, block.RootedDirt:
		if !at(ctx, step(p, block.Up)).Air() {
			return Used{}
		}
		return turnInto(ctx, p, s, block.DirtPath, EventFlatten, Used{Done: true, Worn: true})
	}
	return Used{}
}

func useHoe(ctx Context, p Pos, s block.State) Used {
	worn := Used{Done: true, Worn: true}
	if s.Block() == block.RootedDirt {
		ctx.Drop(p, Stack{Item: "minecraft:hanging_roots", Count: 1})
		return turnInto(ctx, p, s, block.Dirt, EventTill, worn)
	}
	if !at(ctx, step(p, block.Up)).Air() {
		return Used{}
	}
	switch s.Block() {
	case block.GrassBlock, block.Dirt, block.DirtPath:
		return turnInto(ctx, p, s, block.Farmland, EventTill, worn)
	case block.CoarseDirt:
		return turnInto(ctx, p, s, block.Dirt, EventTill, worn)
	}
	return Used{}
}

// ignite lights campfires and candles.
func ignite(ctx Context, p Pos, s block.State) Used {
	switch kind(s) {
	case "campfire", "candle", "candle_cake":
		if !is(s, "lit", "false") || is(s, "waterlogged", "true") {
			return Used{}
		}
		Apply(ctx, []Change{{p, with(s, "lit", "true")}})
		ctx.Event(p, EventIgnite, int32(s))
		return Used{Done: true, Worn: true}
	}
	return Used{}
}

// fill takes a source, powder snow, or the water out of a block.
func fill(ctx Context, p Pos, s block.State) Used {
	full, rest := "minecraft:water_bucket", block.Air.Default()
	switch {
	case s.Block() == block.PowderSnow:
		full = "minecraft:powder_snow_bucket"
	case s.Block() == block.Lava && s.FluidSource():
		full = "minecraft:lava_bucket"
	case s.Block() == block.Water && s.FluidSource(), s.Block() == block.BubbleColumn:
	case is(s, "waterlogged", "true"):
		rest = with(s, "waterlogged", "false")
		if !Stays(ctx, p, rest) {
			defer Notify(ctx, p)
		}
	default:
		return Used{}
	}
	Apply(ctx, []Change{{p, rest}})
	ctx.Event(p, EventFill, int32(s))
	return Used{Done: true, Swapped: true, Left: full}
}

// empty places the fluid of a bucket: into the clicked block if that can be
// waterlogged, else before it.
func empty(in Placement) Placed {
	id, ok := BlockOf(in.Item)
	if !ok {
		return Placed{Refusal: NotPlaceable}
	}
	at := in.Clicked
	there, loaded := in.View.Block(at)
	if !loaded {
		return Placed{Refusal: NotLoaded}
	}
	wet := id == block.Water
	if !(wet && floods(there)) && !there.Replaceable() {
		at = step(at, in.Face)
		if there, loaded = in.View.Block(at); !loaded {
			return Placed{Refusal: NotLoaded}
		}
	}
	if at.Y < in.Lowest || at.Y > in.Highest {
		return Placed{Refusal: OutOfWorld}
	}
	s := id.Default()
	switch {
	case wet && floods(there):
		s = with(there, "waterlogged", "true")
		if kind(s) == "campfire" || kind(s) == "candle" {
			s = with(s, "lit", "false")
		}
	case has(there, "waterlogged") && there.BlocksMotion(),
		!there.Air() && !there.Replaceable() && there.BlocksMotion():
		return Placed{Refusal: NotReplaced}
	}
	left := Placed{Left: "minecraft:bucket"}
	if wet && in.Hot {
		return left // it evaporates
	}
	left.Changes = []Change{{at, s}}
	return left
}
