package blocks

import (
	"math/rand/v2"
	"testing"

	"strata/anvil/block"
	"strata/anvil/registry"
)

func TestEveryStateTakesEveryUpdate(t *testing.T) {
	w := newFake()
	p := Pos{}
	others := []block.State{
		block.Air.Default(), block.Stone.Default(), block.Water.Default(),
		block.MustParse("minecraft:oak_stairs[facing=east]"),
	}
	for i := range block.StateCount {
		s := block.State(i)
		w.Set(p, s)
		for _, n := range others {
			for _, d := range order {
				once := Shape(w, p, s, d, n)
				if !once.Native() {
					t.Fatalf("%v becomes %d", s, once)
				}
				if once == s || once.Air() || once == remains(s) || once.Block() != s.Block() {
					continue
				}
				w.Set(p, once)
				if twice := Shape(w, p, once, d, n); twice != once && twice != remains(once) {
					t.Fatalf("%v becomes %v, then %v", s, once, twice)
				}
				w.Set(p, s)
			}
		}
		w.ticks, w.waiting = nil, map[fakeTick]bool{}
	}
}

// grounds are what items are tried on, until one takes them.
var grounds = []string{
	"stone", "grass_block", "farmland[moisture=7]", "sand", "end_stone", "soul_sand",
	"jungle_log", "water", "warped_nylium", "mud",
}

func TestEveryItemWithABlockIsPlacedSomewhere(t *testing.T) {
	for _, it := range registry.Items(registry.V26_2) {
		if _, ok := BlockOf(it.Name); !ok {
			continue
		}
		if !placedSomewhere(t, it.Name) {
			t.Errorf("%s is placed nowhere", it.Name)
		}
	}
}

func placedSomewhere(t *testing.T, item string) bool {
	found := false
	for _, g := range grounds {
		for _, wet := range []bool{false, true} {
			for face := block.Down; face <= block.East; face++ {
				w := newFake()
				base := Pos{X: 8, Y: 64, Z: 8}
				w.Set(base, block.MustParse("minecraft:"+g))
				w.Set(Pos{X: 9, Y: 64, Z: 9}, block.Water.Default())
				w.Set(Pos{X: 9, Y: 64, Z: 8}, block.Water.Default())
				if wet {
					w.Set(step(base, face), block.Water.Default())
				}
				in := w.placement(item[len("minecraft:"):], base, face, 90, 0)
				out := Place(in)
				if len(out.Changes) == 0 {
					continue
				}
				found = true
				for _, c := range out.Changes {
					w.Set(c.Pos, c.State)
				}
				for _, c := range out.Changes {
					if !Stays(w, c.Pos, c.State) {
						t.Errorf("%s on %s: %v does not stay", item, g, c.State)
					}
				}
			}
		}
	}
	return found
}

// TestStormsLeaveShapesSettled places, breaks and uses at random; then what is
// derived from neighbours is what it would be computed to be.
func TestStormsLeaveShapesSettled(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var items []string
	for _, it := range registry.Items(registry.V26_2) {
		if _, ok := BlockOf(it.Name); ok {
			items = append(items, it.Name[len("minecraft:"):])
		}
	}
	shaped := []string{
		"oak_stairs", "stone_stairs", "oak_fence", "cobblestone_wall", "glass_pane",
		"oak_fence_gate", "chest", "redstone", "rail", "oak_door", "white_bed", "iron_bars",
	}
	rounds := 4000
	if testing.Short() {
		rounds = 800
	}
	w := newFake()
	w.fill(0, 63, 0, 9, 63, 9, block.GrassBlock.Default())
	for i := range rounds {
		p := Pos{X: r.Int32N(10), Y: 63 + r.Int32N(4), Z: r.Int32N(10)}
		item := items[r.IntN(len(items))]
		if r.IntN(2) == 0 {
			item = shaped[r.IntN(len(shaped))]
		}
		switch r.IntN(8) {
		case 0, 1:
			if p.Y > 63 {
				Break(w, p, "minecraft:netherite_pickaxe", r.IntN(2) == 0)
			}
		case 2:
			Use(w, p, horizontals[r.IntN(4)])
		case 3:
			UseItem(w, "minecraft:iron_axe", p, block.Up)
		default:
			in := w.placement(item, p, block.Direction(r.IntN(6)), r.Float32()*360, r.Float32()*180-90)
			in.X, in.Y, in.Z, in.Sneaking = r.Float64(), r.Float64(), r.Float64(), r.IntN(4) == 0
			Apply(w, Place(in).Changes)
		}
		w.run(2)
		if i%50 == 0 {
			settled(t, w)
		}
	}
	w.run(200)
	t.Logf("%d blocks in the end", len(w.blocks))
	settled(t, w)
}

func settled(t *testing.T, w *fake) {
	t.Helper()
	for p, s := range w.blocks {
		switch {
		case isStair(s):
			if got := stairShape(w, p, s); got != s.Property("shape") {
				t.Fatalf("at %v: %v should be %s", p, s, got)
			}
		case kind(s) == "fence", isPane(s):
			for _, d := range horizontals {
				n := at(w, step(p, d))
				join := fenceJoins(s, n, d)
				if isPane(s) {
					join = paneJoins(s, n, d)
				}
				if flag(join) != s.Property(d.String()) {
					t.Fatalf("at %v: %v beside %v", p, s, n)
				}
			}
		case kind(s) == "wall":
			if got := wallHeights(w, p, s); got != s {
				t.Fatalf("at %v: %v should be %v under %v", p, s, got, at(w, step(p, block.Up)))
			}
		case isDoor(s), kind(s) == "bed":
			q, _ := otherHalf(p, s)
			if at(w, q).Block() != s.Block() {
				t.Fatalf("at %v: %v has no other half", p, s)
			}
		case isChest(s):
			if q, ok := ChestPair(w, p, s); !is(s, "type", "single") && !ok {
				t.Fatalf("at %v: %v has no partner at %v", p, s, q)
			}
		case s.Block() == block.RedstoneWire:
			if got := wireShape(w, p, s); got != s {
				t.Fatalf("at %v: %v should be %v", p, s, got)
			}
		}
		if r := ruleOf(s); r.late == 0 && !Stays(w, p, s) && kind(s) != "rail" {
			t.Fatalf("at %v: %v does not stay", p, s)
		}
	}
}
