package block_test

import (
	"testing"

	"strata/anvil/block"
)

func TestRotateTurnsProperties(t *testing.T) {
	for _, c := range []struct {
		from     string
		rotation block.Rotation
		to       string
	}{
		{"minecraft:furnace[facing=north]", block.Clockwise90, "minecraft:furnace[facing=east]"},
		{"minecraft:furnace[facing=north]", block.Counterclockwise90, "minecraft:furnace[facing=west]"},
		{"minecraft:barrel[facing=up]", block.Clockwise90, "minecraft:barrel[facing=up]"},
		{"minecraft:oak_log[axis=x]", block.Clockwise90, "minecraft:oak_log[axis=z]"},
		{"minecraft:oak_log[axis=x]", block.Clockwise180, "minecraft:oak_log[axis=x]"},
		{"minecraft:oak_fence[north=true,west=true]", block.Clockwise90, "minecraft:oak_fence[east=true,north=true]"},
		{"minecraft:cobblestone_wall[north=tall,east=low]", block.Clockwise180, "minecraft:cobblestone_wall[south=tall,west=low]"},
		{"minecraft:oak_sign[rotation=3]", block.Clockwise90, "minecraft:oak_sign[rotation=7]"},
		{"minecraft:oak_sign[rotation=15]", block.Counterclockwise90, "minecraft:oak_sign[rotation=11]"},
		{"minecraft:rail[shape=north_east]", block.Clockwise90, "minecraft:rail[shape=south_east]"},
		{"minecraft:rail[shape=south_west]", block.Clockwise180, "minecraft:rail[shape=north_east]"},
		{"minecraft:rail[shape=east_west]", block.Clockwise90, "minecraft:rail[shape=north_south]"},
		{"minecraft:rail[shape=north_south]", block.Clockwise90, "minecraft:rail[shape=east_west]"},
		{"minecraft:powered_rail[shape=ascending_north]", block.Clockwise90, "minecraft:powered_rail[shape=ascending_east]"},
		{"minecraft:jigsaw[orientation=up_north]", block.Clockwise90, "minecraft:jigsaw[orientation=up_east]"},
		{"minecraft:jigsaw[orientation=west_up]", block.Clockwise90, "minecraft:jigsaw[orientation=north_up]"},
		{"minecraft:oak_stairs[facing=west,shape=inner_left]", block.Clockwise90, "minecraft:oak_stairs[facing=north,shape=inner_left]"},
		{"minecraft:stone", block.Clockwise90, "minecraft:stone"},
	} {
		from, to := block.MustParse(c.from), block.MustParse(c.to)
		if got := from.Rotate(c.rotation); got != to {
			t.Errorf("%s %v = %v, want %v", c.from, c.rotation, got, to)
		}
	}
}

func TestMirrorReflectsProperties(t *testing.T) {
	for _, c := range []struct {
		from   string
		mirror block.Mirror
		to     string
	}{
		{"minecraft:furnace[facing=north]", block.LeftRight, "minecraft:furnace[facing=south]"},
		{"minecraft:furnace[facing=north]", block.FrontBack, "minecraft:furnace[facing=north]"},
		{"minecraft:oak_fence[east=true]", block.FrontBack, "minecraft:oak_fence[west=true]"},
		{"minecraft:oak_door[facing=east,hinge=left]", block.LeftRight, "minecraft:oak_door[facing=east,hinge=right]"},
		{"minecraft:chest[facing=north,type=left]", block.FrontBack, "minecraft:chest[facing=north,type=right]"},
		{"minecraft:oak_sign[rotation=3]", block.FrontBack, "minecraft:oak_sign[rotation=13]"},
		{"minecraft:oak_sign[rotation=3]", block.LeftRight, "minecraft:oak_sign[rotation=5]"},
		{"minecraft:rail[shape=north_east]", block.LeftRight, "minecraft:rail[shape=south_east]"},
		{"minecraft:oak_stairs[facing=north,shape=inner_left]", block.LeftRight, "minecraft:oak_stairs[facing=south,shape=inner_right]"},
		{"minecraft:oak_stairs[facing=east,shape=inner_left]", block.LeftRight, "minecraft:oak_stairs[facing=east,shape=inner_left]"},
		{"minecraft:oak_stairs[facing=east,shape=inner_left]", block.FrontBack, "minecraft:oak_stairs[facing=west,shape=inner_left]"},
		{"minecraft:oak_stairs[facing=east,shape=outer_left]", block.FrontBack, "minecraft:oak_stairs[facing=west,shape=outer_right]"},
		{"minecraft:oak_log[axis=x]", block.LeftRight, "minecraft:oak_log[axis=x]"},
	} {
		from, to := block.MustParse(c.from), block.MustParse(c.to)
		if got := from.Mirror(c.mirror); got != to {
			t.Errorf("%s %v = %v, want %v", c.from, c.mirror, got, to)
		}
	}
}

func TestFourQuarterTurnsChangeNothing(t *testing.T) {
	for s := block.State(0); s < block.StateCount; s++ {
		turned := s
		for range 4 {
			turned = turned.Rotate(block.Clockwise90)
		}
		if turned != s {
			t.Errorf("%v is %v after four turns", s, turned)
		}
		if twice, half := s.Rotate(block.Clockwise90).Rotate(block.Clockwise90), s.Rotate(block.Clockwise180); twice != half {
			t.Errorf("%v: two quarters make %v, a half turn %v", s, twice, half)
		}
		if back := s.Rotate(block.Clockwise90).Rotate(block.Counterclockwise90); back != s {
			t.Errorf("%v is %v after a turn and back", s, back)
		}
	}
}
