package inventory

import (
	"strings"
	"testing"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/item"
	"strata/server/protocol"
)

func do(w *Window, mode int32, slot int16, button int8) Result {
	return w.Click(&protocol.ContainerClick{ContainerID: w.id, StateID: w.state, Mode: mode, Slot: slot, Button: button}, protocol.GameModeSurvival)
}

func is(t *testing.T, s item.Stack, name string, count int32) {
	t.Helper()
	if count == 0 {
		if !s.Empty() {
			t.Errorf("%d of %s, want nothing", s.Count, s.Name())
		}
		return
	}
	if s.Name() != "minecraft:"+name || s.Count != count {
		t.Errorf("%d of %s, want %d of %s", s.Count, s.Name(), count, name)
	}
}

func TestPickupTakesHalfWithTheRightButton(t *testing.T) {
	p := &Player{}
	p.Set(0, item.Named("dirt", 7))
	w := OwnWindow(p, registry.V26_2)
	do(w, modePickup, 36, 1)
	is(t, w.Cursor(), "dirt", 4)
	is(t, p.Get(0), "dirt", 3)
	do(w, modePickup, 37, 1)
	is(t, p.Get(1), "dirt", 1)
	do(w, modePickup, outside, 1)
	is(t, w.Cursor(), "dirt", 2)
}

func TestShiftClickWearsArmor(t *testing.T) {
	p := &Player{}
	p.Set(0, item.Named("diamond_helmet", 1))
	p.Set(1, item.Named("shield", 1))
	w := OwnWindow(p, registry.V26_2)
	do(w, modeQuickMove, 36, 0)
	is(t, p.Get(Head), "diamond_helmet", 1)
	do(w, modeQuickMove, 37, 0)
	is(t, p.Get(Offhand), "shield", 1)
	do(w, modeQuickMove, 5, 0)
	is(t, p.Get(Head), "", 0)
	is(t, p.Get(9), "diamond_helmet", 1)
}

func TestQuickMoveOutOfAChestFillsTheHotbarFromTheRight(t *testing.T) {
	p := &Player{}
	c := make(Items, 27)
	c[0] = item.Named("dirt", 64)
	w, err := Open(1, Generic9x3, c, p, registry.V26_2)
	if err != nil {
		t.Fatal(err)
	}
	do(w, modeQuickMove, 0, 0)
	is(t, p.Get(8), "dirt", 64)
	do(w, modeQuickMove, 62, 0)
	is(t, c[0], "dirt", 64)
}

func TestDragSpreadsEvenly(t *testing.T) {
	p := &Player{}
	w := OwnWindow(p, registry.V26_2)
	w.SetCursor(item.Named("dirt", 10))
	do(w, modeDrag, outside, 0)
	for _, s := range []int16{9, 10, 11} {
		do(w, modeDrag, s, 1)
	}
	do(w, modeDrag, outside, 2)
	for _, i := range []int{9, 10, 11} {
		is(t, p.Get(i), "dirt", 3)
	}
	is(t, w.Cursor(), "dirt", 1)
}

func TestDoubleClickCollectsFullStacksLast(t *testing.T) {
	p := &Player{}
	p.Set(9, item.Named("dirt", 64))
	p.Set(10, item.Named("dirt", 30))
	p.Set(11, item.Named("dirt", 20))
	w := OwnWindow(p, registry.V26_2)
	w.SetCursor(item.Named("dirt", 5))
	do(w, modePickupAll, 12, 0)
	is(t, w.Cursor(), "dirt", 64)
	is(t, p.Get(9), "dirt", 55)
	is(t, p.Get(10), "", 0)
}

func TestShulkerBoxesRefuseShulkerBoxes(t *testing.T) {
	p := &Player{}
	c := make(Items, 27)
	w, err := Open(1, ShulkerBox, c, p, registry.V26_2)
	if err != nil {
		t.Fatal(err)
	}
	w.SetCursor(item.Named("red_shulker_box", 1))
	do(w, modePickup, 3, 0)
	is(t, w.Cursor(), "red_shulker_box", 1)
	p.Set(0, item.Named("shulker_box", 1))
	do(w, modeQuickMove, 54, 0)
	is(t, p.Get(0), "shulker_box", 1)
}

func TestShiftClickOnAResultCraftsAll(t *testing.T) {
	p := &Player{}
	w, err := Open(1, Crafting, nil, p, registry.V26_2)
	if err != nil {
		t.Fatal(err)
	}
	w.SetCursor(item.Named("oak_log", 5))
	do(w, modePickup, 5, 0)
	is(t, w.Get(0), "oak_planks", 4)
	do(w, modeQuickMove, 0, 0)
	is(t, w.Get(0), "", 0)
	is(t, w.Get(5), "", 0)
	is(t, p.Get(8), "oak_planks", 20)
}

func TestRecipes(t *testing.T) {
	for _, c := range []struct {
		name   string
		width  int
		cells  []string
		result string
		count  int32
		left   int // place of a remainder, -1
	}{
		{"planks", 2, []string{"", "", "", "birch_log"}, "birch_planks", 4, -1},
		{"mirrored axe", 3, []string{"iron_ingot", "iron_ingot", "", "stick", "iron_ingot", "", "stick", "", ""}, "iron_axe", 1, -1},
		{"axe", 3, []string{"iron_ingot", "iron_ingot", "", "iron_ingot", "stick", "", "", "stick", ""}, "iron_axe", 1, -1},
		{"shapeless", 2, []string{"flint", "", "", "iron_ingot"}, "flint_and_steel", 1, -1},
		{"cake", 3, []string{"milk_bucket", "milk_bucket", "milk_bucket", "sugar", "egg", "sugar", "wheat", "wheat", "wheat"}, "cake", 1, 0},
		{"dyed box", 2, []string{"shulker_box", "red_dye", "", ""}, "red_shulker_box", 1, -1},
		{"arrows", 3, []string{"arrow", "arrow", "arrow", "arrow", "lingering_potion", "arrow", "arrow", "arrow", "arrow"}, "tipped_arrow", 8, -1},
		{"pot", 3, []string{"", "brick", "", "brick", "", "brick", "", "brick", ""}, "decorated_pot", 1, -1},
		{"dyed boots", 2, []string{"leather_boots", "red_dye", "", ""}, "leather_boots", 1, -1},
		{"rocket", 2, []string{"paper", "gunpowder", "gunpowder", ""}, "firework_rocket", 3, -1},
		{"too much fuel", 3, []string{"paper", "gunpowder", "gunpowder", "gunpowder", "gunpowder", "", "", "", ""}, "", 0, -1},
		{"star", 2, []string{"red_dye", "gunpowder", "diamond", "fire_charge"}, "firework_star", 1, -1},
		{"fade", 2, []string{"red_dye", "firework_star", "", ""}, "firework_star", 1, -1},
		{"shield", 2, []string{"red_banner", "shield", "", ""}, "shield", 1, -1},
		{"blank banners", 2, []string{"red_banner", "red_banner", "", ""}, "", 0, -1},
		{"nothing", 2, []string{"dirt", "", "", ""}, "", 0, -1},
	} {
		cells := make([]item.Stack, len(c.cells))
		for i, n := range c.cells {
			if n != "" {
				cells[i] = item.Named(n, 1)
			}
		}
		got, left := Craft(cells, c.width)
		t.Run(c.name, func(t *testing.T) {
			is(t, got, c.result, c.count)
			if c.left >= 0 && left[c.left].Name() != "minecraft:bucket" {
				t.Errorf("left %v", left)
			}
		})
	}
}

func TestRepairAddsATwentieth(t *testing.T) {
	a := item.Named("iron_sword", 1).WithInt("damage", 200) // of 250
	got, _ := Craft([]item.Stack{a, a, {}, {}}, 2)
	if got.Int("damage") != 250-50-50-12 {
		t.Errorf("damage %d", got.Int("damage"))
	}
}

func TestSyncSendsWhatDiffersAndNoMore(t *testing.T) {
	for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
		p := &Player{}
		p.Set(0, item.Named("iron_sword", 1).WithInt("damage", 5))
		w := OwnWindow(p, v)
		if n := len(w.Sync()); n != 1 {
			t.Fatalf("%d packets at first", n)
		}
		if n := len(w.Sync()); n != 0 {
			t.Fatalf("%d packets for no change", n)
		}
		sword := item.Hashed(p.Get(0), v)
		c := &protocol.ContainerClick{StateID: w.state, Slot: 36, Carried: sword, Changed: []protocol.ChangedSlot{{Slot: 36}}}
		w.Click(c, protocol.GameModeSurvival)
		if packets := w.Sync(); len(packets) != 0 {
			t.Errorf("%v: a client that is right is sent %v", v, packets)
		}
		// It believes that the sword went on nowhere.
		w.Click(&protocol.ContainerClick{StateID: w.state, Slot: 37}, protocol.GameModeSurvival)
		if n := len(w.Sync()); n != 1 {
			t.Errorf("%v: %d packets for a client that missed a slot", v, n)
		}
		w.Click(&protocol.ContainerClick{StateID: w.state - 1, Slot: outside}, protocol.GameModeSurvival)
		if _, all := w.Sync()[0].(*protocol.ContainerSetContent); !all {
			t.Error("an old state is not answered by all slots")
		}
	}
}

func TestPlayerSurvivesItsFile(t *testing.T) {
	p := &Player{}
	p.Set(3, item.Named("dirt", 3))
	p.Set(Head, item.Named("other:hat", 1))
	p.Set(Saddle, item.Named("saddle", 1))
	inv, worn := p.Save()
	var q Player
	if err := q.Load(inv, worn); err != nil {
		t.Fatal(err)
	}
	for i := range PlayerSlots {
		if !q.Get(i).Equal(p.Get(i)) {
			t.Errorf("slot %d differs", i)
		}
	}
}

func TestCreativeTakesOnlyWhatIsAllowed(t *testing.T) {
	w := OwnWindow(&Player{}, registry.V26_2)
	id, _ := registry.Of("item", registry.V26_2).ID("dirt")
	stack := func(slot int16, n int32) *protocol.SetCreativeModeSlot {
		return &protocol.SetCreativeModeSlot{Slot: slot, Item: protocol.UntrustedItem{ID: id, Count: n}}
	}
	var th Throttle
	for _, c := range []struct {
		p    *protocol.SetCreativeModeSlot
		mode protocol.GameMode
		ok   bool
	}{
		{stack(36, 64), protocol.GameModeSurvival, false},
		{stack(36, 64), protocol.GameModeCreative, true},
		{stack(36, 65), protocol.GameModeCreative, false},
		{stack(36, -1), protocol.GameModeCreative, false},
		{stack(0, 1), protocol.GameModeCreative, false},
		{stack(46, 1), protocol.GameModeCreative, false},
		{stack(-1, 1), protocol.GameModeCreative, true},
	} {
		if _, err := w.Creative(c.p, c.mode, &th, 0); (err == nil) != c.ok {
			t.Errorf("slot %d, %d items: %v", c.p.Slot, c.p.Item.Count, err)
		}
	}
	thrown := 0
	for range 100 {
		if s, err := w.Creative(stack(-1, 1), protocol.GameModeCreative, &th, 0); err == nil && !s.Empty() {
			thrown++
		}
	}
	if thrown != 73 { // one was thrown above
		t.Errorf("%d thrown in a tick", thrown)
	}
}

func TestCopiedBooksStay(t *testing.T) {
	raw := func(v any) nbt.Raw {
		r, err := nbt.MarshalRaw(v)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	book := item.Named("written_book", 1).With("written_book_content", raw(nbt.Compound{{Name: "title", Value: "t"}, {Name: "author", Value: "a"}}))
	banner := item.Named("red_banner", 1).With("banner_patterns", raw(nbt.List{Items: []any{
		nbt.Compound{{Name: "pattern", Value: "minecraft:cross"}, {Name: "color", Value: "blue"}},
	}}))
	for _, c := range []struct {
		from     item.Stack
		material string
	}{{book, "writable_book"}, {banner, "red_banner"}} {
		p := &Player{}
		w := OwnWindow(p, registry.V26_2)
		w.put(&w.slots[1], c.from)
		w.put(&w.slots[2], item.Named(c.material, 1))
		do(w, modePickup, 0, 0)
		is(t, w.Cursor(), strings.TrimPrefix(c.from.Name(), "minecraft:"), 1)
		if !w.Get(1).Equal(c.from) || !w.Get(2).Empty() {
			t.Errorf("%s: left %s, %s", c.from.Name(), w.Get(1).Name(), w.Get(2).Name())
		}
	}
}
