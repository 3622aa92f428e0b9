package tree

import (
	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
)

// beehive hangs a nest of bees at the trunk, below the leaves. It looks south
// and hangs at any other side but the north of a log.
type beehive struct{ chance float32 }

var nest, _ = block.BeeNest.Default().With("facing", "south")

var hiveSides = [...]direction{block.East, block.South, block.West}

func (d beehive) decorate(w *work) {
	r := w.Random
	if len(w.logs) == 0 || r.Float() >= d.chance {
		return
	}
	y := w.nestHeight()
	w.list = w.list[:0]
	for _, p := range w.logs {
		if p.y == y {
			for _, side := range hiveSides {
				w.list = append(w.list, p.toward(side, 1))
			}
		}
	}
	shuffle(r, w.list)
	for _, p := range w.list {
		if isAir(w.Context, p) && isAir(w.Context, p.toward(block.South, 1)) {
			w.decorate(p, nest)
			w.settle(p)
			return
		}
	}
}

// nestHeight is the height of a nest: below the lowest leaves, or near the foot
// of a tree without any.
func (w *work) nestHeight() int {
	low := w.logs[0].y + 1
	if len(w.leaves) > 0 {
		return max(w.leaves[0].y-1, low)
	}
	return min(low+draw(w.Random, 3), w.logs[len(w.logs)-1].y)
}

// bee is an inhabitant of a nest as its block entity keeps it.
type bee struct {
	Entity struct {
		ID string `nbt:"id"`
	} `nbt:"entity_data"`
	Ticks int32 `nbt:"ticks_in_hive"`
	Least int32 `nbt:"min_ticks_in_hive"`
}

// minTicks is how long a bee stays in its nest at least, in ticks.
const minTicks = 600

// settle lets two or three bees live in a nest.
func (w *work) settle(p pos) {
	bees := make([]bee, 2+w.Random.IntN(2))
	for i := range bees {
		bees[i].Entity.ID = "minecraft:bee"
		bees[i].Ticks, bees[i].Least = w.Random.IntN(minTicks-1), minTicks
	}
	raw, err := nbt.MarshalRaw(bees)
	if err != nil {
		panic(err) // names and numbers have a form
	}
	w.AddBlockEntity(feature.BlockEntity{
		X: int32(p.x), Y: int32(p.y), Z: int32(p.z), ID: "minecraft:beehive",
		Extra: []feature.Member{{Name: "bees", Value: raw}},
	})
}
