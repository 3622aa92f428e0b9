package building

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/structure"
)

// reread returns a start as it is after it was stored.
func reread(t *testing.T, start *structure.Start) *structure.Start {
	t.Helper()
	again := &structure.Start{Layout: start.Layout, X: start.X, Z: start.Z}
	for _, p := range start.Pieces {
		data, err := nbt.Marshal(structure.SavePiece(p))
		if err != nil {
			t.Fatal(err)
		}
		var c nbt.Compound
		if err := nbt.Unmarshal(data, &c); err != nil {
			t.Fatal(err)
		}
		fields := structure.NewFields(c)
		read, err := Readers()[p.Common().ID](fields.ReadBase(), fields)
		if err != nil {
			t.Fatal(err)
		}
		again.Pieces = append(again.Pieces, read)
	}
	return again
}

// portalsOf is a layout of portals with one setup.
func portalsOf(s portalSetup) *portalLayout {
	s.weight = 1
	return &portalLayout{setups: []portalSetup{s}, kept: &feature.Blocks{}}
}

// TestWhatPiecesSettleIsStored builds structures in two ways: in one go, and
// stored and read again after each chunk.
func TestWhatPiecesSettleIsStored(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many structures twice")
	}
	library := templates(t)
	for name, c := range map[string]struct {
		layout  structure.Layout
		ground  int
		flooded bool
	}{
		"pyramid": {made(t, newDesertPyramid), 70, false}, "temple": {made(t, newJungleTemple), 70, false},
		"hut": {made(t, newSwampHut), 64, false}, "igloo": {iglooLayout{}, 70, false},
		"wreck": {shipwreckLayout{}, 45, true}, "beached wreck": {shipwreckLayout{beached: true}, 66, false},
		"ruin": {oceanRuinLayout{large: 1, cluster: 1}, 45, true}, "warm ruin": {oceanRuinLayout{warm: true, large: 1, cluster: 1}, 45, true},
		"portal":        {portalsOf(portalSetup{mossiness: 0.2}), 70, false},
		"jungle portal": {portalsOf(portalSetup{mossiness: 0.8, overgrown: true, vines: true}), 70, false},
		"end city":      {endCityLayout{}, 70, false},
	} {
		for seed := range int64(2) {
			whole, broken := newSite(library, c.ground, c.flooded), newSite(library, c.ground, c.flooded)
			start := newStart(t, c.layout, seed)
			whole.build(start, seed, rank)
			other := newStart(t, c.layout, seed)
			for _, at := range chunksOf(other.PiecesBox(), rank) {
				other = reread(t, other)
				broken.place(other, seed, at[0], at[1])
			}
			if n := whole.differs(broken); n > 0 {
				t.Errorf("%s, seed %d: %d blocks differ", name, seed, n)
			}
			if a, b := whole.loot(), broken.loot(); len(a) != len(b) {
				t.Errorf("%s, seed %d: loot %v, want %v", name, seed, b, a)
			}
			for i, p := range other.Pieces {
				if p.Common().Box != start.Pieces[i].Common().Box {
					t.Errorf("%s, seed %d: piece %d is elsewhere", name, seed, i)
				}
			}
		}
	}
}

// TestDamagedPiecesAreErrors reads pieces of which something is missing or of
// another type.
func TestDamagedPiecesAreErrors(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	l := newFlatLayouter()
	for _, layout := range []structure.Layout{
		mansionLayout{}, endCityLayout{}, iglooLayout{}, shipwreckLayout{}, oceanRuinLayout{}, portalsOf(portalSetup{}),
		made(t, newDesertPyramid), made(t, newJungleTemple), made(t, newSwampHut), &monumentLayout{around: map[string]bool{"minecraft:plains": true}},
	} {
		piece := layOut(t, l, layout, 3, 0, 0)[0]
		whole := structure.SavePiece(piece)
		read := Readers()[piece.Common().ID]
		for i := range whole {
			for _, value := range []any{nil, "x", random.Int32(), int8(random.Int32()), nbt.Compound{}, []int32{1}} {
				c := append(nbt.Compound(nil), whole...)
				if c[i].Value = value; value == nil {
					c = append(c[:i:i], c[i+1:]...)
				}
				fields := structure.NewFields(c)
				again, err := read(fields.ReadBase(), fields)
				if name := whole[i].Name; err == nil && fields.Err() == nil && (name == "BB" || name == "Rot" || name == "Rotation") {
					t.Errorf("%T without %s is read as %+v", piece, name, again)
				}
			}
		}
	}
}

// TestPiecesOfAnotherSizeAreErrors reads pieces that would take long to place.
func TestPiecesOfAnotherSizeAreErrors(t *testing.T) {
	l := newFlatLayouter()
	for _, layout := range []structure.Layout{
		made(t, newDesertPyramid), made(t, newJungleTemple), made(t, newSwampHut),
		&monumentLayout{around: map[string]bool{"minecraft:plains": true}},
	} {
		piece := layOut(t, l, layout, 3, 0, 0)[0]
		for _, box := range []structure.Box{{}, structure.NewBox(-1<<31, 0, -1<<31, 1<<31-1, 10, 1<<31-1)} {
			piece.Common().Box = box
			fields := structure.NewFields(structure.SavePiece(piece))
			if _, err := Readers()[piece.Common().ID](fields.ReadBase(), fields); !errors.Is(err, structure.ErrPiece) {
				t.Errorf("%T of %v: error %v", piece, box, err)
			}
		}
	}
}

// TestPortalsChangeWhatIsAroundThem looks at the netherrack, vines and leaves.
func TestPortalsChangeWhatIsAroundThem(t *testing.T) {
	library := templates(t)
	for name, c := range map[string]struct {
		setup portalSetup
		some  []block.ID
		none  []block.ID
	}{
		"plain": {portalSetup{}, []block.ID{block.Netherrack, block.MagmaBlock, block.Obsidian}, []block.ID{block.Vine, block.JungleLeaves, block.PolishedBlackstoneBricks}},
		"jungle": {
			portalSetup{overgrown: true, vines: true, mossiness: 0.8},
			[]block.ID{block.Netherrack, block.Vine, block.JungleLeaves, block.MossyStoneBricks}, nil,
		},
		"nether": {portalSetup{blackstone: true}, []block.ID{block.PolishedBlackstoneBricks}, []block.ID{block.StoneBricks}},
	} {
		found := make(map[block.ID]int)
		for seed := range int64(6) {
			s := newSite(library, 70, false)
			start := newStart(t, portalsOf(c.setup), seed)
			s.build(start, seed, rank)
			for id, n := range s.blocks() {
				found[id] += n
			}
			if n := s.loot()["minecraft:chests/ruined_portal"]; n != 1 {
				t.Errorf("%s, seed %d: %d chests", name, seed, n)
			}
		}
		for _, id := range c.some {
			if found[id] == 0 {
				t.Errorf("%s: no %s", name, id.Name())
			}
		}
		for _, id := range c.none {
			if found[id] > 0 {
				t.Errorf("%s: %d of %s", name, found[id], id.Name())
			}
		}
	}
}
