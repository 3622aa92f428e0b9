package cave_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/cave"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

func all() map[string]feature.Factory {
	f := feature.Core()
	maps.Copy(f, cave.Factories())
	return f
}

func load(t *testing.T, text string) feature.Feature {
	t.Helper()
	f, err := featuretest.Feature(t, all(), text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func state(text string) block.State { return block.MustParse("minecraft:" + text) }

// The cave of hollow: all of the chunk 0,0 but its rim, at these heights.
const (
	floor   = 10
	ceiling = 21
)

// hollow makes a context of a block with a cave.
func hollow(of block.ID, seed int64) *feature.Context {
	c, _ := featuretest.Flat(of.Default(), seed)
	for x := 1; x < 15; x++ {
		for z := 1; z < 15; z++ {
			for y := floor; y <= ceiling; y++ {
				c.Set(x, y, z, block.Air.Default())
			}
		}
	}
	return c
}

// find lists the blocks of a kind around the chunk 0,0.
func find(c *feature.Context, id block.ID) (list [][3]int) {
	for y := c.MinY(); y < featuretest.FlatTop; y++ {
		for x := -16; x < 32; x++ {
			for z := -16; z < 32; z++ {
				if c.Block(x, y, z).Block() == id {
					list = append(list, [3]int{x, y, z})
				}
			}
		}
	}
	return list
}

const spelConfig = `"base_block":{"Name":"sulfur"},"pointed_block":{"Name":"sulfur_spike"},"replaceable_blocks":["stone"]`

func TestSpeleothemsGrowFromBothSides(t *testing.T) {
	for name, text := range map[string]string{
		"sulfur":    `{"type":"speleothem","config":{"chance_of_taller_generation":1,` + spelConfig + `}}`,
		"dripstone": `{"type":"pointed_dripstone","config":{"chance_of_taller_dripstone":1}}`,
	} {
		f := load(t, text)
		point, base := "sulfur_spike", block.Sulfur
		if name == "dripstone" {
			point, base = "pointed_dripstone", block.DripstoneBlock
		}
		c := hollow(block.Stone, 1)
		if f.Place(c, 7, floor+3, 7) {
			t.Errorf("%s grows in the air", name)
		}
		c.Set(7, ceiling-1, 7, block.Water.Default())
		if !f.Place(c, 7, floor, 7) || !f.Place(c, 7, ceiling, 7) {
			t.Fatalf("%s does not grow", name)
		}
		for y, want := range map[int]string{
			floor: "[thickness=frustum,vertical_direction=up]", floor + 1: "[thickness=tip,vertical_direction=up]",
			ceiling: "[thickness=frustum,vertical_direction=down]", ceiling - 1: "[thickness=tip,vertical_direction=down,waterlogged=true]",
		} {
			if got := c.Block(7, y, 7); got != state(point+want) {
				t.Errorf("at %d is %v, want %s", y, got, want)
			}
		}
		if c.Block(7, floor-1, 7).Block() != base || c.Block(7, ceiling+1, 7).Block() != base || len(find(c, base)) < 4 {
			t.Errorf("%s has %d blocks of base", name, len(find(c, base)))
		}
	}
}

func TestClustersJoinFloorAndCeiling(t *testing.T) {
	names := [2][4]string{
		{"speleothem_cluster", "speleothem_block_layer_thickness", "chance_of_speleothem_at_max_distance_from_center", "max_distance_from_edge_affecting_chance_of_speleothem"},
		{"dripstone_cluster", "dripstone_block_layer_thickness", "chance_of_dripstone_column_at_max_distance_from_center", "max_distance_from_edge_affecting_chance_of_dripstone_column"},
	}
	for _, n := range names {
		text := `{"type":"` + n[0] + `","config":{"` + n[1] + `":2,"` + n[2] + `":1,"` + n[3] + `":3,` + spelConfig + `,
			"density":1.5,"wetness":0,"floor_to_ceiling_search_range":12,"height":12,"height_deviation":6,
			"max_distance_from_center_affecting_height_bias":8,"max_stalagmite_stalactite_height_diff":1,"radius":3}}`
		f := load(t, text)
		point, base := block.SulfurSpike, block.Sulfur
		if n[0] == "dripstone_cluster" {
			point, base = block.PointedDripstone, block.DripstoneBlock
		}
		c := hollow(block.Stone, 3)
		if !f.Place(c, 7, floor+5, 7) {
			t.Fatalf("no %s", n[0])
		}
		merged := 0
		for _, p := range find(c, point) {
			if p[0] < 4 || p[0] > 10 || p[2] < 4 || p[2] > 10 {
				t.Errorf("%v is outside the radius", p)
			}
			if c.Block(p[0], p[1], p[2]).Property("thickness") == "tip_merge" {
				merged++
			}
		}
		if bases := len(find(c, base)); bases != 7*7*4 || len(find(c, point)) < 50 || merged == 0 || merged%2 != 0 {
			t.Errorf("%s: %d pointed blocks, %d of base, %d merged", n[0], len(find(c, point)), bases, merged)
		}
	}
}

func TestLargeDripstoneIsInStone(t *testing.T) {
	for _, id := range []string{"26.1", "26.2"} {
		text := `{"type":"large_dripstone","config":{"column_radius":3,"height_scale":1.5,
			"max_column_radius_to_cave_height_ratio":0.5,"min_bluntness_for_wind":0.6,"min_radius_for_wind":2,
			"stalactite_bluntness":0.7,"stalagmite_bluntness":0.7,"wind_speed":0.2` +
			map[string]string{"26.1": "", "26.2": `,"replaceable_blocks":["stone"]`}[id] + `}}`
		f := load(t, text)
		c := hollow(block.Stone, 4)
		if !f.Place(c, 7, floor+5, 7) {
			t.Fatalf("%s: no large dripstone", id)
		}
		blocks := find(c, block.DripstoneBlock)
		atFloor, atCeiling := 0, 0
		for _, p := range blocks {
			if p[1] < floor || p[1] > ceiling {
				t.Errorf("%s: dripstone replaces stone at %v", id, p)
			}
			if p[1] == floor {
				atFloor++
			}
			if p[1] == ceiling {
				atCeiling++
			}
		}
		if atFloor < 5 || atCeiling < 5 || len(blocks) < 60 {
			t.Errorf("%s: %d blocks, %d at the floor, %d at the ceiling", id, len(blocks), atFloor, atCeiling)
		}
		if f.Place(hollow(block.Dirt, 4), 7, floor+5, 7) {
			t.Errorf("%s: large dripstone between dirt", id)
		}
	}
}

func TestGrowthCoversSidesAndSpreads(t *testing.T) {
	text := `{"type":"multiface_growth","config":{"can_be_placed_on":["stone"],"can_place_on_floor":true,"search_range":5,"chance_of_spreading":CHANCE}}`
	calm, wild := load(t, strings.Replace(text, "CHANCE", "0", 1)), load(t, strings.Replace(text, "CHANCE", "1", 1))
	c := hollow(block.Stone, 5)
	c.Set(7, floor, 7, block.Water.Default())
	if !calm.Place(c, 7, floor, 7) || c.Block(7, floor, 7) != state("glow_lichen[down=true,waterlogged=true]") {
		t.Errorf("on the floor is %v", c.Block(7, floor, 7))
	}
	if !calm.Place(c, 5, floor+1, 5) || c.Block(5, floor, 5) != state("glow_lichen[down=true]") {
		t.Errorf("below a place is %v", c.Block(5, floor, 5))
	}
	if calm.Place(c, 9, ceiling, 9) || calm.Place(c, 9, floor-1, 9) {
		t.Error("lichen where it may not be")
	}
	if marks := c.Center().Marks; len(marks) != 2 {
		t.Errorf("%d marks, want 2", len(marks))
	}
	if wild.Place(c, 11, floor, 11); len(find(c, block.GlowLichen)) != 4 {
		t.Errorf("%d blocks of lichen, want the two, one more and what it spread to", len(find(c, block.GlowLichen)))
	}
	if dirt := hollow(block.Dirt, 5); calm.Place(dirt, 7, floor, 7) {
		t.Error("lichen on dirt")
	}
}

func TestSculkTurnsStoneThatItsVeinsCover(t *testing.T) {
	f := load(t, `{"type":"sculk_patch","config":{"amount_per_charge":32,"catalyst_chance":1,"charge_count":10,
		"extra_rare_growths":3,"growth_rounds":0,"spread_attempts":64,"spread_rounds":1}}`)
	c := hollow(block.Stone, 6)
	if f.Place(c, 7, floor+4, 7) {
		t.Error("sculk starts in the air")
	}
	if !f.Place(c, 7, floor, 7) {
		t.Fatal("no sculk")
	}
	if c.Block(7, floor, 7).Block() != block.SculkCatalyst || len(find(c, block.Sculk)) < 50 || len(find(c, block.SculkVein)) < 20 {
		t.Errorf("%v, %d of sculk, %d of veins", c.Block(7, floor, 7), len(find(c, block.Sculk)), len(find(c, block.SculkVein)))
	}
	for _, p := range find(c, block.SculkVein) {
		s := c.Block(p[0], p[1], p[2])
		for side, d := range map[string][3]int{"down": {0, -1, 0}, "up": {0, 1, 0}, "west": {-1, 0, 0}, "east": {1, 0, 0}} {
			if on := c.Block(p[0]+d[0], p[1]+d[1], p[2]+d[2]); s.Property(side) == "true" && on.Air() {
				t.Errorf("the vein at %v covers air", p)
			}
		}
	}
	organs := len(find(c, block.SculkCatalyst)) + len(find(c, block.SculkSensor)) + len(find(c, block.SculkShrieker))
	if entities := c.Center().BlockEntities; len(entities) != organs || organs < 3 {
		t.Errorf("%d block entities of %d blocks", len(entities), organs)
	}
	wood := hollow(block.OakPlanks, 6)
	if f.Place(wood, 7, floor, 7); len(find(wood, block.Sculk)) != 0 {
		t.Error("sculk turns planks")
	}
}

func TestBadConfigsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"speleothem","config":{"base_block":{"Name":"stone"},"pointed_block":{"Name":"stone"},"replaceable_blocks":[]}}`: "no pointed block",
		`{"type":"speleothem","config":{}}`:                                                    "config.base_block: missing",
		`{"type":"pointed_dripstone","config":{"chance_of_spread_radius2":2}}`:                 "config.chance_of_spread_radius2",
		`{"type":"multiface_growth","config":{"block":"stone","can_be_placed_on":[]}}`:         "does not cover sides",
		`{"type":"multiface_growth","config":{"block":"x","can_be_placed_on":[]}}`:             "no block",
		`{"type":"multiface_growth","config":{"can_be_placed_on":["stone"],"search_range":0}}`: "config.search_range",
		`{"type":"large_dripstone","config":{"column_radius":61}}`:                             "config.column_radius",
		`{"type":"dripstone_cluster","config":{"floor_to_ceiling_search_range":0}}`:            "config.floor_to_ceiling_search_range",
	} {
		_, err := featuretest.Feature(t, all(), text)
		if _, ok := errors.AsType[*provider.ValueError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: error %v, want one about %q", text, err, want)
		}
	}
}

func TestCavesOfBothVersionsLoad(t *testing.T) {
	for _, version := range []int32{4786, 4790, featuretest.Native} {
		source, err := settings.Builtin(version)
		if err != nil {
			t.Fatal(err)
		}
		missing := map[string]bool{}
		loader := feature.NewLoader(source, all(), func(kind string) { missing[kind] = true })
		ids, err := source.IDs("worldgen/placed_feature")
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if _, err := loader.PlacedByID(id); err != nil {
				t.Errorf("%d: %v", version, err)
			}
		}
		for kind := range missing {
			if strings.Contains(kind, "dripstone") || strings.Contains(kind, "speleothem") || strings.Contains(kind, "sculk") {
				t.Errorf("%d: no factory of %s", version, kind)
			}
		}
	}
}
