package feature

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
)

// simpleBlock is the feature simple_block.
type simpleBlock struct {
	state    Provider
	tick     bool
	survival *Survival
}

func newSimpleBlock(l *Loader, config provider.Value) (Feature, error) {
	f := simpleBlock{}
	var err error
	if f.state, err = l.MemberProvider(config, "to_place"); err != nil {
		return nil, err
	}
	if member, ok, _ := config.Optional("schedule_tick"); ok {
		if f.tick, err = member.Bool(); err != nil {
			return nil, err
		}
	}
	f.survival, err = l.Survival()
	return f, err
}

func (f simpleBlock) Place(c *Context, x, y, z int) bool {
	state, ok := f.state.State(c, x, y, z)
	if !ok || !f.survival.Survives(c.View, state, x, y, z) {
		return false
	}
	switch {
	case doublePlant(state.Block()):
		if !c.Block(x, y+1, z).Air() {
			return false
		}
		for i, half := range [...]string{"lower", "upper"} {
			part, _ := state.With("half", half)
			c.Set(x, y+i, z, wet(part, c.Block(x, y+i, z)))
		}
	case state.Block() == block.PaleMossCarpet:
		placeCarpet(c, x, y, z)
	default:
		c.Set(x, y, z, state)
	}
	if f.tick {
		c.TickBlock(x, y, z, 1)
	}
	return true
}

// doublePlant reports whether a block is a plant of two blocks.
func doublePlant(id block.ID) bool {
	switch id {
	case block.Sunflower, block.Lilac, block.RoseBush, block.Peony, block.TallGrass, block.LargeFern,
		block.PitcherPlant, block.SmallDripleaf, block.TallSeagrass:
		return true
	}
	return false
}

// wet gives a state the water that was there before, if it can hold it.
func wet(state, before block.State) block.State {
	value := "false"
	if before.Fluid() == block.WaterFluid && before.FluidAmount() == block.FullFluid {
		value = "true"
	}
	if with, ok := state.With("waterlogged", value); ok {
		return with
	}
	return state
}

// column is the feature block_column: layers of blocks on each other.
type column struct {
	layers  []columnLayer
	allowed Predicate
	step    [3]int
	tip     bool // cut off the foot, not the tip, if there is no room
}

type columnLayer struct {
	height provider.Int
	state  Provider
}

// steps are the directions as vectors.
var steps = [...][3]int{{0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}

// maxLayers bounds the layers of a column.
const maxLayers = 64

func newColumn(l *Loader, config provider.Value) (Feature, error) {
	f := column{}
	side, err := readDirection(config, "direction")
	if err != nil {
		return nil, err
	}
	f.step = steps[side]
	if f.allowed, err = l.MemberPredicate(config, "allowed_placement"); err != nil {
		return nil, err
	}
	member, err := config.Member("prioritize_tip")
	if err != nil {
		return nil, err
	}
	if f.tip, err = member.Bool(); err != nil {
		return nil, err
	}
	if member, err = config.Member("layers"); err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok || len(list) > maxLayers {
		return nil, member.Errorf("not a list of at most %d", maxLayers)
	}
	for _, element := range list {
		layer := columnLayer{}
		if layer.height, err = l.Int(element, "height", 0, 4096); err != nil {
			return nil, err
		}
		if layer.state, err = l.MemberProvider(element, "provider"); err != nil {
			return nil, err
		}
		f.layers = append(f.layers, layer)
	}
	return f, nil
}

func (f column) Place(c *Context, x, y, z int) bool {
	var heights [maxLayers]int
	total := 0
	for i := range f.layers {
		heights[i] = int(f.layers[i].height.Sample(c.Random))
		total += heights[i]
	}
	if total == 0 {
		return false
	}
	px, py, pz := x, y, z
	for free := range total {
		px, py, pz = px+f.step[0], py+f.step[1], pz+f.step[2]
		if !f.allowed.Test(c.View, px, py, pz) {
			f.cut(heights[:len(f.layers)], total-free)
			break
		}
	}
	for i, layer := range f.layers {
		for range heights[i] {
			if state, ok := layer.state.State(c, x, y, z); ok {
				c.Set(x, y, z, state)
			}
			x, y, z = x+f.step[0], y+f.step[1], z+f.step[2]
		}
	}
	return true
}

// cut takes a number of blocks from the layers, from the last or the first on.
func (f column) cut(heights []int, excess int) {
	for i := range heights {
		if !f.tip {
			i = len(heights) - 1 - i
		}
		less := min(heights[i], excess)
		heights[i] -= less
		excess -= less
	}
}
