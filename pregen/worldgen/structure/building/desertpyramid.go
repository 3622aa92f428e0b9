package building

import (
	"cmp"
	"slices"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// pyramidLayout is the layout of desert pyramids.
type pyramidLayout struct{ single }

func newDesertPyramid(*structure.Loader, provider.Value) (structure.Layout, error) {
	return &pyramidLayout{single{sizeX: 21, sizeZ: 21, dry: true, piece: func(l *structure.Layouter) structure.Piece {
		return &pyramidPiece{scattered: newScattered(l, "minecraft:tedp", 21, 15, 21)}
	}}}, nil
}

// pyramidPiece is a desert pyramid.
type pyramidPiece struct {
	scattered
	chests [4]bool // that are there, by the number of their direction: south, west, north, east
}

var pyramidChests = [4]string{"hasPlacedChest0", "hasPlacedChest1", "hasPlacedChest2", "hasPlacedChest3"}

// Save implements structure.Piece.
func (y *pyramidPiece) Save() nbt.Compound {
	c := y.scattered.Save()
	for i, name := range pyramidChests {
		c.Set(name, y.chests[i])
	}
	return c
}

func readPyramid(b structure.Base, f *structure.Fields) (structure.Piece, error) {
	common, err := readScattered(b, f, 21, 15, 21)
	y := &pyramidPiece{scattered: common}
	for i, name := range pyramidChests {
		y.chests[i] = f.Bool(name)
	}
	return y, err
}

var pyramidPlans = loadPlans("desert_pyramid")

// Place implements structure.Piece.
func (y *pyramidPiece) Place(p *structure.Placer) {
	// The height is drawn in each chunk, though only the first one uses it.
	from := -p.Random.IntN(3)
	y.settleOnLowest(p, from)
	l := pyramidPlans()
	random := regionRandom(p)
	w := &builder{p: p, b: &y.Base, mark: func(name string, x, yy, z int32) {
		switch name {
		case "roof":
			y.roof(p, &random, x, yy, z)
		case "chest0", "chest1", "chest2", "chest3":
			if there := &y.chests[name[5]-'0']; !*there {
				*there = y.Chest(p, x, yy, z, "minecraft:chests/desert_pyramid")
			}
		}
	}}
	w.run(l["pyramid"], 0, 0, 0)
	if random.Bool() {
		w.facts = factLeft
	}
	w.run(l["stairs"], 0, 0, 0)
	w.run(l["cellar"], 0, 0, 0)
}

// cellarSide is the size of the cellar's room, in blocks.
const cellarSide = 5

// roof builds the fallen roof of the cellar.
func (y *pyramidPiece) roof(p *structure.Placer, random *rng.Xoroshiro, x0, y0, z0 int32) {
	for x := x0; x < x0+cellarSide; x++ {
		for z := z0; z < z0+cellarSide; z++ {
			s := block.Sand.Default()
			if random.Float() < 0.33 {
				s = block.Sandstone.Default()
			}
			y.Put(p, s, x, y0, z)
		}
	}
}

// sandSpots are the blocks of the world in which sand lies, and a block of the
// roof, whatever is there.
func (y *pyramidPiece) sandSpots(seed int64) (sand []spot, inRoof spot) {
	add := func(x, yy, z int32) {
		x, yy, z = y.World(x, yy, z)
		sand = append(sand, spot{x, yy, z})
	}
	mark := func(name string, x0, y0, z0 int32) {
		switch name {
		case "sand":
			for yy := y0; yy < y0+3; yy++ {
				for x := x0; x < x0+cellarSide; x++ {
					for z := z0; z < z0+cellarSide; z++ {
						add(x, yy, z)
					}
				}
			}
		case "door":
			add(x0, y0, z0)
			add(x0, y0+1, z0)
		case "roof":
			source := rng.NewLegacy(seed)
			random := source.Factory().ValueAt(y.World(x0, y0, z0))
			x := rng.Between(&random, x0, x0+cellarSide-1)
			z := rng.Between(&random, z0, z0+cellarSide-1)
			x, yy, z := y.World(x, y0, z)
			inRoof = spot{x, yy, z}
		}
	}
	for i := range pyramidPlans()["cellar"].ops {
		if o := &pyramidPlans()["cellar"].ops[i]; o.kind == opMark {
			mark(o.mark, o.at[0], o.at[1], o.at[2])
		}
	}
	return sand, inRoof
}

// Finish implements structure.Finisher: it fills in the sand of the cellar, some
// of which has something in it.
func (*pyramidLayout) Finish(p *structure.Placer) {
	for _, piece := range p.Start.Pieces {
		y, ok := piece.(*pyramidPiece)
		if !ok {
			continue
		}
		sand, inRoof := y.sandSpots(p.Seed)
		suspicious(p, inRoof)
		slices.SortFunc(sand, func(a, b spot) int {
			return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.z, b.z), cmp.Compare(a.x, b.x))
		})
		source := rng.NewLegacy(p.Seed)
		box := p.Start.PiecesBox()
		random := source.Factory().ValueAt(box.Center())
		rng.Shuffle(&random, sand)
		n := min(int32(len(sand)), rng.Range(&random, 5, 8))
		for i, at := range sand {
			if int32(i) < n {
				suspicious(p, at)
			} else {
				p.SetBlock(at.x, at.y, at.z, block.Sand.Default())
			}
		}
	}
}

// suspicious sets sand with something in it.
func suspicious(p *structure.Placer, at spot) {
	if p.SetBlock(at.x, at.y, at.z, block.SuspiciousSand.Default()) {
		p.AddBlockEntity(feature.BlockEntity{
			X: at.x, Y: at.y, Z: at.z, ID: "minecraft:brushable_block",
			LootTable: "minecraft:archaeology/desert_pyramid", LootSeed: packed(at),
		})
	}
}

// packed is the number that the game packs a block's coordinates into.
func packed(s spot) int64 {
	return int64(s.x)&(1<<26-1)<<38 | int64(s.z)&(1<<26-1)<<12 | int64(s.y)&(1<<12-1)
}
