package blocks

import (
	"strings"

	"strata/anvil/block"
)

// Menu is what a block opens.
type Menu string

// The menus. They are named as the game's menu types, but for those of blocks
// that have none.
const (
	NoMenu          Menu = ""
	MenuChest       Menu = "chest" // see [ChestPair] for double ones
	MenuEnderChest  Menu = "ender_chest"
	MenuBarrel      Menu = "barrel"
	MenuShulkerBox  Menu = "shulker_box"
	MenuCrafting    Menu = "crafting"
	MenuFurnace     Menu = "furnace"
	MenuBlast       Menu = "blast_furnace"
	MenuSmoker      Menu = "smoker"
	MenuDispenser   Menu = "dispenser"
	MenuHopper      Menu = "hopper"
	MenuCrafter     Menu = "crafter_3x3"
	MenuAnvil       Menu = "anvil"
	MenuGrindstone  Menu = "grindstone"
	MenuLoom        Menu = "loom"
	MenuStonecutter Menu = "stonecutter"
	MenuSmithing    Menu = "smithing"
	MenuCartography Menu = "cartography_table"
	MenuEnchanting  Menu = "enchantment"
	MenuBrewing     Menu = "brewing_stand"
	MenuBeacon      Menu = "beacon"
	MenuSign        Menu = "sign"
)

// Used is what a click on a block leads to.
type Used struct {
	// Done says that the click was for the block: nothing is placed.
	Done bool
	Open Menu
	// Left is the item in the hand afterwards, if Swapped.
	Left    string
	Swapped bool
	// Worn says that the tool loses durability, Consumed that an item goes.
	Worn, Consumed bool
}

var menus = map[string]Menu{
	"chest": MenuChest, "trapped_chest": MenuChest, "copper_chest": MenuChest,
	"weathering_copper_chest": MenuChest, "ender_chest": MenuEnderChest,
	"barrel": MenuBarrel, "shulker_box": MenuShulkerBox,
	"crafting_table": MenuCrafting, "furnace": MenuFurnace, "blast_furnace": MenuBlast,
	"smoker": MenuSmoker, "dispenser": MenuDispenser, "dropper": MenuDispenser,
	"hopper": MenuHopper, "crafter": MenuCrafter, "anvil": MenuAnvil,
	"grindstone": MenuGrindstone, "loom": MenuLoom, "stonecutter": MenuStonecutter,
	"smithing_table": MenuSmithing, "cartography_table": MenuCartography,
	"enchantment_table": MenuEnchanting, "brewing_stand": MenuBrewing,
	"beacon": MenuBeacon, "standing_sign": MenuSign, "wall_sign": MenuSign,
	"ceiling_hanging_sign": MenuSign, "wall_hanging_sign": MenuSign,
}

// Use is a click on a block with nothing that the block cares for, by somebody
// who looks in a horizontal direction. The caller leaves it out for players who
// sneak with something in a hand.
func Use(ctx Context, p Pos, heading block.Direction) Used {
	s, ok := ctx.Block(p)
	if !ok {
		return Used{}
	}
	if m := menus[kind(s)]; m != NoMenu {
		if m == MenuChest && chestShut(ctx, p, s) || m == MenuEnderChest && covered(ctx, p) {
			return Used{Done: true}
		}
		return Used{Done: true, Open: m}
	}
	switch kind(s) {
	case "door", "weathering_copper_door", "trapdoor", "weathering_copper_trapdoor":
		if strings.HasPrefix(name(s), "iron_") {
			return Used{}
		}
		toggle(ctx, p, s)
	case "fence_gate":
		if is(s, "open", "false") && facing(s) == heading.Opposite() {
			s = with(s, "facing", heading.String()) // it opens away from them
		}
		toggle(ctx, p, s)
	case "lever":
		on := is(s, "powered", "false")
		Apply(ctx, []Change{{p, with(s, "powered", flag(on))}})
		ctx.Event(p, clickEvent(on), int32(s))
	case "button":
		if is(s, "powered", "false") {
			Apply(ctx, []Change{{p, with(s, "powered", "true")}})
			ctx.ScheduleBlock(p, s.Block(), buttonTicks(s))
			ctx.Event(p, EventClickOn, int32(s))
		}
	case "repeater":
		Apply(ctx, []Change{{p, withNumber(s, "delay", number(s, "delay")%4+1)}})
	case "comparator":
		to := "subtract"
		if is(s, "mode", to) {
			to = "compare"
		}
		Apply(ctx, []Change{{p, with(s, "mode", to)}})
		ctx.Event(p, clickEvent(to == "subtract"), int32(s))
	case "daylight_detector":
		Apply(ctx, []Change{{p, with(s, "inverted", flag(is(s, "inverted", "false")))}})
	case "redstone_wire":
		return useWire(ctx, p, s)
	case "candle", "candle_cake":
		if is(s, "lit", "false") {
			return Used{}
		}
		Apply(ctx, []Change{{p, with(s, "lit", "false")}})
		ctx.Event(p, EventExtinguish, int32(s))
	case "cave_vines", "cave_vines_plant":
		if is(s, "berries", "false") {
			return Used{}
		}
		Apply(ctx, []Change{{p, with(s, "berries", "false")}})
		ctx.Drop(p, Stack{Item: "minecraft:glow_berries", Count: 1})
	case "sweet_berry_bush":
		age := number(s, "age")
		if age < 2 {
			return Used{}
		}
		Apply(ctx, []Change{{p, with(s, "age", "1")}})
		ctx.Drop(p, Stack{Item: "minecraft:sweet_berries", Count: age - 1 + ctx.Random(2)})
	default:
		return Used{}
	}
	return Used{Done: true}
}

func clickEvent(on bool) Event {
	if on {
		return EventClickOn
	}
	return EventClickOff
}

// toggle opens or closes.
func toggle(ctx Context, p Pos, s block.State) {
	open := is(s, "open", "false")
	Apply(ctx, []Change{{p, with(s, "open", flag(open))}})
	e := EventClose
	if open {
		e = EventOpen
	}
	ctx.Event(p, e, int32(s))
}

// buttonTicks is how long a button stays pressed.
func buttonTicks(s block.State) int {
	if tagged(s, "wooden_buttons") {
		return 30
	}
	return 20
}

func buttonTick(ctx Context, p Pos, s block.State) {
	if is(s, "powered", "true") {
		Apply(ctx, []Change{{p, with(s, "powered", "false")}})
		ctx.Event(p, EventClickOff, int32(s))
	}
}

// useWire turns a cross without connections into a dot and back.
func useWire(ctx Context, p Pos, s block.State) Used {
	dot, cross := true, true
	for _, d := range horizontals {
		dot = dot && is(s, d.String(), "none")
		cross = cross && !is(s, d.String(), "none")
	}
	if !dot && !cross {
		return Used{}
	}
	to := "side"
	if cross {
		to = "none"
	}
	t := s
	for _, d := range horizontals {
		if wireSide(ctx, p, d) != "none" {
			return Used{}
		}
		t = with(t, d.String(), to)
	}
	Apply(ctx, []Change{{p, t}})
	return Used{Done: true}
}

// covered reports whether a chest cannot be opened for what is on it.
func covered(v View, p Pos) bool {
	above := at(v, step(p, block.Up))
	return above.Occludes() && above.FullCollision()
}

func chestShut(v View, p Pos, s block.State) bool {
	if covered(v, p) {
		return true
	}
	q, ok := ChestPair(v, p, s)
	return ok && covered(v, q)
}

// ChestPair returns the position of the other half of a double chest. The half
// of type "right" has the upper three rows.
func ChestPair(v View, p Pos, s block.State) (Pos, bool) {
	if !isChest(s) || is(s, "type", "single") {
		return p, false
	}
	q := step(p, chestOther(s))
	return q, chestsJoin(s, at(v, q))
}
