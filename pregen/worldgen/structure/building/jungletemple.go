package building

import (
	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
)

func newJungleTemple(*structure.Loader, provider.Value) (structure.Layout, error) {
	return &single{sizeX: 12, sizeZ: 15, dry: true, piece: func(l *structure.Layouter) structure.Piece {
		return &junglePiece{scattered: newScattered(l, "minecraft:tejp", 12, 10, 15)}
	}}, nil
}

// junglePiece is a jungle temple.
type junglePiece struct {
	scattered
	main, hidden, trap1, trap2 bool // chests and dispensers that are there
}

// Save implements structure.Piece.
func (j *junglePiece) Save() nbt.Compound {
	c := j.scattered.Save()
	c.Set("placedMainChest", j.main)
	c.Set("placedHiddenChest", j.hidden)
	c.Set("placedTrap1", j.trap1)
	c.Set("placedTrap2", j.trap2)
	return c
}

func readJungle(b structure.Base, f *structure.Fields) (structure.Piece, error) {
	common, err := readScattered(b, f, 12, 10, 15)
	return &junglePiece{
		scattered: common, main: f.Bool("placedMainChest"), hidden: f.Bool("placedHiddenChest"),
		trap1: f.Bool("placedTrap1"), trap2: f.Bool("placedTrap2"),
	}, err
}

var junglePlans = loadPlans("jungle_temple")

// Place implements structure.Piece.
func (j *junglePiece) Place(p *structure.Placer) {
	if !j.settleOnAverage(p) {
		return
	}
	w := &builder{p: p, b: &j.Base, choose: mossyStone, mark: func(name string, x, y, z int32) { j.loot(p, name, x, y, z) }}
	w.run(junglePlans()["temple"], 0, 0, 0)
}

func mossyStone(p *structure.Placer, _ bool) block.State {
	if p.Random.Float() < 0.4 {
		return block.Cobblestone.Default()
	}
	return block.MossyCobblestone.Default()
}

func (j *junglePiece) loot(p *structure.Placer, name string, x, y, z int32) {
	const chest, trap = "minecraft:chests/jungle_temple", "minecraft:chests/jungle_temple_dispenser"
	switch {
	case name == "trap1" && !j.trap1:
		j.trap1 = j.Dispenser(p, x, y, z, block.North, trap)
	case name == "trap2" && !j.trap2:
		j.trap2 = j.Dispenser(p, x, y, z, block.West, trap)
	case name == "main" && !j.main:
		j.main = j.Chest(p, x, y, z, chest)
	case name == "hidden" && !j.hidden:
		j.hidden = j.Chest(p, x, y, z, chest)
	}
}
