package block

import (
	"testing"
)

func TestHeightmapPredicates(t *testing.T) {
	for _, test := range []struct {
		state                              string
		surface, floor, blocking, noLeaves bool
	}{
		{"air", false, false, false, false},
		{"cave_air", false, false, false, false},
		{"stone", true, true, true, true},
		{"water", true, false, true, true},
		{"lava[level=3]", true, false, true, true},
		{"kelp", true, false, true, true},
		{"oak_leaves", true, true, true, false},
		{"cherry_leaves[waterlogged=true]", true, true, true, false},
		{"short_grass", true, false, false, false},
		{"oak_slab", true, true, true, true},
		{"oak_sign", true, true, true, true},
		{"cobweb", true, false, false, false},
		{"bamboo_sapling", true, false, false, false},
		{"bamboo", true, true, true, true},
		{"snow[layers=8]", true, false, false, false},
		{"ladder", true, false, false, false},
		{"ladder[waterlogged=true]", true, false, true, true},
		{"oak_trapdoor", true, true, true, true},
		{"white_carpet", true, false, false, false},
		{"repeater", true, false, false, false},
		{"powder_snow", true, false, false, false},
		{"sulfur_spike", true, true, true, true},
		{"cinnabar_wall", true, true, true, true},
	} {
		s := MustParse(test.state)
		if s.WorldSurface() != test.surface || s.OceanFloor() != test.floor ||
			s.MotionBlocking() != test.blocking || s.MotionBlockingNoLeaves() != test.noLeaves {
			t.Errorf("%s: %t %t %t %t", test.state, s.WorldSurface(), s.OceanFloor(), s.MotionBlocking(), s.MotionBlockingNoLeaves())
		}
	}
}

func TestOpacityOfStates(t *testing.T) {
	for state, want := range map[string]uint8{
		"air": 0, "stone": 15, "glass": 0, "tinted_glass": 15, "water": 1, "oak_leaves": 1,
		"oak_slab": 0, "oak_slab[waterlogged=true]": 1, "oak_slab[type=double]": 15,
		"snow[layers=7]": 0, "snow[layers=8]": 15, "soul_sand": 15, "farmland": 0,
		"piston[extended=false]": 15, "piston[extended=true]": 0,
		"oak_fence": 0, "oak_fence[waterlogged=true]": 1, "sea_pickle[waterlogged=false]": 0,
		"sea_pickle[waterlogged=true]": 1, "kelp": 1, "copper_grate[waterlogged=true]": 0,
		"sculk_vein[down=true]": 0, "honey_block": 1, "sculk_shrieker": 1, "cobweb": 1,
		"cinnabar": 15, "sulfur_stairs": 0, "sulfur_stairs[waterlogged=true]": 1, "mangrove_roots": 1,
	} {
		if got := MustParse(state).Opacity(); got != want {
			t.Errorf("%s has opacity %d, want %d", state, got, want)
		}
	}
}

func TestEmissionOfStates(t *testing.T) {
	for state, want := range map[string]uint8{
		"torch": 14, "lava": 15, "furnace": 0, "furnace[lit=true]": 13, "glowstone": 15, "magma_block": 3,
		"copper_bulb[lit=true]": 15, "cave_vines[berries=true]": 14, "sea_pickle[pickles=4,waterlogged=true]": 15, "stone": 0,
	} {
		if got := MustParse(state).LightEmission(); got != want {
			t.Errorf("%s emits %d, want %d", state, got, want)
		}
	}
}

func TestFacesBlockLightTogether(t *testing.T) {
	for _, test := range []struct {
		from, to string
		d        Direction
		want     bool
	}{
		{"air", "oak_slab", Up, true}, // its lower side is whole
		{"air", "oak_slab", Down, false},
		{"oak_slab[type=top]", "air", Down, false},
		{"oak_slab[type=top]", "air", Up, true},
		{"oak_slab", "oak_slab", East, false},
		{"oak_slab", "oak_slab[type=top]", East, true}, // half and half
		{"oak_slab[type=top]", "oak_slab", North, true},
		{"air", "oak_stairs[facing=north]", South, true}, // the back is to the north
		{"air", "oak_stairs[facing=north]", North, false},
		{"air", "oak_stairs[facing=south]", North, true},
		{"air", "oak_stairs[half=top]", Down, true},
		{"oak_slab[type=top]", "oak_stairs[facing=south]", South, true},
		{"air", "snow", Up, true},
		{"snow[layers=4]", "oak_slab[type=top]", West, true},
		{"snow[layers=3]", "oak_slab[type=top]", West, false},
		{"air", "farmland", Up, true},
		{"air", "farmland", Down, false},
		{"air", "lectern", Up, true},
		{"air", "piston_head[facing=up]", Down, true},
		{"air", "piston[extended=true,facing=up]", Up, true},
		{"air", "piston[extended=false]", Up, false}, // opaque, not shaped
		{"air", "oak_fence", Up, false},
		{"air", "chest", Up, false},
		{"stone", "air", Up, false},
		{"air", "oak_trapdoor", Up, false},
		{"sulfur_slab", "cinnabar_slab[type=top]", South, true},
	} {
		a, b := MustParse(test.from), MustParse(test.to)
		if got := FaceBlocksLight(a, b, test.d); got != test.want {
			t.Errorf("from %s %v to %s: %t", test.from, test.d, test.to, got)
		}
		if FaceBlocksLight(a, b, test.d) != FaceBlocksLight(b, a, test.d.Opposite()) {
			t.Errorf("between %s and %s it differs with the way", test.from, test.to)
		}
		if test.want && !a.UsesShapeForLight() && !b.UsesShapeForLight() {
			t.Errorf("between %s and %s neither uses its shape", test.from, test.to)
		}
	}
}

func TestFactsOfStatesAgree(t *testing.T) {
	for s := range State(StateCount) {
		if s.SolidRender() && (s.Opacity() != 15 || !s.Occludes()) {
			t.Errorf("%v is solid, with opacity %d", s, s.Opacity())
		}
		if s.Air() && (s.BlocksMotion() || s.Opacity() != 0 || len(s.Collision()) != 0) {
			t.Errorf("%v is air", s)
		}
		if (s.Fluid() == NoFluid) != (s.FluidAmount() == 0) || s.FluidAmount() > FullFluid {
			t.Errorf("%v holds %d of fluid %d", s, s.FluidAmount(), s.Fluid())
		}
		if s.Fluid() != NoFluid && s.Opacity() == 0 && s.Block().Kind() != "weathering_copper_grate" && s.Block().Kind() != "waterlogged_transparent" {
			t.Errorf("%v is in fluid, with opacity 0", s)
		}
		if s.Property("waterlogged") == "true" && !(s.Fluid() == WaterFluid && s.FluidSource()) {
			t.Errorf("%v is not in water", s)
		}
		if s.UsesShapeForLight() && !s.Occludes() {
			t.Errorf("%v has a shape for light, and hides nothing", s)
		}
		for _, b := range s.Collision() {
			if b.MinX > b.MaxX || b.MinY > b.MaxY || b.MinZ > b.MaxZ || b.MinX < -1 || b.MaxY > 2 {
				t.Errorf("%v has the box %v", s, b)
			}
		}
	}
}

func TestSubstitutesHaveTheSameShape(t *testing.T) {
	v := ForProtocol(775)
	lacking := 0
	for s := range State(StateCount) {
		shown, ok := v.State(v.ID(s))
		if !ok {
			t.Fatalf("%v is shown as number %d, which is none", s, v.ID(s))
		}
		if v.HasState(s) {
			if shown != s {
				t.Errorf("%v is shown as %v", s, shown)
			}
			continue
		}
		lacking++
		if shown.CollisionShape() != s.CollisionShape() || shown.Fluid() != s.Fluid() {
			t.Errorf("%v is shown as %v, of another shape", s, shown)
		}
		for name, value := range s.Values() {
			if other := shown.Property(name); other != "" && other != value {
				t.Errorf("%v is shown as %v", s, shown)
			}
		}
		if wire, _ := v.Block(v.BlockID(s.Block())); wire != shown.Block() {
			t.Errorf("%v is shown as %v, its block as %v", s, shown, wire)
		}
	}
	if want := StateCount - v.States; lacking != want {
		t.Errorf("%d states are substituted, want %d", lacking, want)
	}
}

func TestFactsOfBlocks(t *testing.T) {
	if h, r := Obsidian.Hardness(), Obsidian.BlastResistance(); h != 50 || r != 1200 {
		t.Errorf("obsidian %v, %v", h, r)
	}
	if Bedrock.Hardness() != -1 || Cinnabar.Hardness() != 1.5 || Cinnabar.BlastResistance() != 6 {
		t.Error("hardness of bedrock or cinnabar")
	}
	if DiamondOre.Tool() != Pickaxe || DiamondOre.Tier() != IronTier || !DiamondOre.NeedsTool() || Dirt.NeedsTool() ||
		Dirt.Tool() != Shovel || Sulfur.Tool() != Pickaxe || !Sulfur.NeedsTool() {
		t.Error("tools")
	}
	if Ice.Friction() != 0.98 || Stone.Friction() != 0.6 || SoulSand.SpeedFactor() != 0.4 || HoneyBlock.JumpFactor() != 0.5 {
		t.Error("motion")
	}
	if !Ladder.Climbable() || Stone.Climbable() {
		t.Error("climbing")
	}
	if Obsidian.Push() != PushBlocked || Stone.Push() != PushMoves || OakDoor.Push() != PushDestroys ||
		SeaLantern.Push() != PushMoves || Chest.Push() != PushBlocked || RedGlazedTerracotta.Push() != PushOnlyMoves {
		t.Error("pistons")
	}
	if ignite, burn := OakPlanks.Flammability(); ignite != 5 || burn != 20 {
		t.Errorf("planks burn with %d, %d", ignite, burn)
	}
	if ignite, _ := CrimsonPlanks.Flammability(); ignite != 0 {
		t.Error("crimson planks burn")
	}
	if !MustParse("snow").Replaceable() || MustParse("snow[layers=2]").Replaceable() || !MustParse("short_grass").Replaceable() {
		t.Error("replaceable")
	}
}

func TestMapColors(t *testing.T) {
	for state, want := range map[string]uint32{
		"air": 0, "grass_block": 0x7FB238, "water": 0x4040FF, "stone": 0x707070, "oak_log": 0x8F7748,
		"oak_log[axis=x]": 0x815631, "white_bed[part=head]": 0xC7C7C7, "cinnabar": 0x993333, "warped_stem": 0x3A8E8C,
	} {
		if got := MustParse(state).MapColor().RGB(); got != want {
			t.Errorf("%s is %06X on maps, want %06X", state, got, want)
		}
	}
	if MapColor(255).RGB() != 0 {
		t.Error("a color beyond the last")
	}
}
