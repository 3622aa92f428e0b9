package underground

import (
	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// mineshaft is the structure type mineshaft.
type mineshaft struct{ wood wood }

// wood is what a mineshaft is built of. Its number is stored as MST.
type wood uint8

const (
	oakShaft     wood = iota // normal
	darkOakShaft             // mesa
)

func newMineshaft(_ *structure.Loader, document provider.Value) (structure.Layout, error) {
	member, err := document.Member("mineshaft_type")
	if err != nil {
		return nil, err
	}
	name, err := member.Text()
	if err != nil {
		return nil, err
	}
	switch name {
	case "normal":
		return mineshaft{oakShaft}, nil
	case "mesa":
		return mineshaft{darkOakShaft}, nil
	}
	return nil, member.Errorf("no mineshaft type %q", name)
}

// entryY is the height at which a mineshaft is laid out before it is moved.
const entryY = 50

// Find implements structure.Layout. Where the mineshaft will be is known only
// when it is laid out.
func (m mineshaft) Find(l *structure.Layouter) (structure.Point, bool) {
	l.Random.Double() // drawn for a chance that no longer exists
	minX, minZ := l.MinBlock()
	middleX, _ := l.MiddleBlock()
	d := &diggings{maze: maze{random: l.Random}, wood: m.wood}
	d.begin(minX+2, minZ+2)
	by := d.settle(l)
	return structure.Point{
		X: middleX, Y: entryY + by, Z: minZ,
		Pieces: func(*structure.Layouter) []structure.Piece { return d.pieces },
	}, true
}

// settle moves a mineshaft to its height, and returns by how much: under the
// sea, or, in badlands, between the sea and the ground.
func (d *diggings) settle(l *structure.Layouter) int32 {
	if d.wood != darkOakShaft {
		return d.sink(l)
	}
	x, y, z := d.box().Center()
	middle := l.SeaLevel
	if ground := l.Height(proto.WorldSurface, x, z); ground > middle {
		middle = rng.Between(l.Random, middle, ground)
	}
	d.raise(middle - y)
	return middle - y
}

// minePiece is a piece of a mineshaft, from which others branch off.
type minePiece interface {
	structure.Piece
	branch(d *diggings)
}

// mineBase is what pieces of mineshafts have.
type mineBase struct {
	structure.Base
	wood wood
}

func newMineBase(id string, box structure.Box, facing structure.Facing, depth int32, w wood) mineBase {
	return mineBase{structure.Base{ID: id, Box: box, Facing: facing, Depth: depth, Fixed: w.built}, w}
}

func readMineBase(b structure.Base, f *structure.Fields) mineBase {
	w := oakShaft
	if f.Int("MST") == int32(darkOakShaft) {
		w = darkOakShaft
	}
	b.Fixed = w.built
	return mineBase{b, w}
}

func (m *mineBase) save() nbt.Compound {
	return nbt.Compound{{Name: "MST", Value: int32(m.wood)}}
}

func (w wood) planks() block.State {
	if w == darkOakShaft {
		return block.DarkOakPlanks.Default()
	}
	return block.OakPlanks.Default()
}

func (w wood) log() block.State {
	if w == darkOakShaft {
		return block.DarkOakLog.Default()
	}
	return block.OakLog.Default()
}

func (w wood) fence() block.State {
	if w == darkOakShaft {
		return block.DarkOakFence.Default()
	}
	return block.OakFence.Default()
}

// built reports whether a block may be a part of another piece, which stays.
func (w wood) built(s block.State) bool {
	switch s.Block() {
	case w.planks().Block(), w.log().Block(), w.fence().Block(), block.IronChain:
		return true
	}
	return false
}
