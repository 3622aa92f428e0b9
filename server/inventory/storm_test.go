package inventory

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/item"
	"strata/server/protocol"
)

// uncraftable are items of which no grid makes anything, as many of each as
// there are here.
func uncraftable(rng *rand.Rand) item.Stack {
	raw := func(v any) nbt.Raw {
		r, _ := nbt.MarshalRaw(v)
		return r
	}
	switch rng.IntN(8) {
	case 0:
		return item.Named("dirt", 1+rng.Int32N(64))
	case 1:
		return item.Named("ender_pearl", 1+rng.Int32N(16))
	case 2:
		return item.Named("egg", 1+rng.Int32N(16)).With("custom_name", raw("own"))
	case 3:
		return item.Named("carved_pumpkin", 1+rng.Int32N(64))
	case 4:
		return item.Named("shulker_box", 1)
	case 5:
		return item.Named("carved_pumpkin", 1).With("enchantments", raw(nbt.Compound{{Name: "minecraft:binding_curse", Value: int32(1)}}))
	case 6:
		return item.Named("other:thing", 1+rng.Int32N(3))
	}
	return item.Named("saddle", 1)
}

type storm struct {
	rng    *rand.Rand
	window *Window
}

func key(s item.Stack) string { return fmt.Sprint(string(s.WithCount(1).NBT().Data)) }

func (st *storm) total() map[string]int {
	all := map[string]int{}
	add := func(s item.Stack) {
		if !s.Empty() {
			all[key(s)] += int(s.Count)
		}
	}
	for i := range st.window.slots {
		s := &st.window.slots[i]
		if s.in == Container(st.window.player) {
			continue
		}
		if s.role != result {
			add(s.get())
		}
	}
	for i := range PlayerSlots {
		add(st.window.player.Get(i))
	}
	add(st.window.cursor)
	return all
}

func (st *storm) click() *protocol.ContainerClick {
	r := st.rng
	p := &protocol.ContainerClick{ContainerID: st.window.id, StateID: st.window.state, Mode: r.Int32N(7), Slot: int16(r.IntN(st.window.Len()))}
	switch p.Mode {
	case modeSwap:
		p.Button = int8(r.IntN(10))
		if p.Button == 9 {
			p.Button = offhandKey
		}
	case modeDrag:
		p.Button = int8(r.IntN(3)<<2 | r.IntN(3))
	default:
		p.Button = int8(r.IntN(2))
	}
	switch r.IntN(20) {
	case 0:
		p.Slot = outside
	case 1:
		p.Slot = int16(r.Uint32())
	case 2:
		p.Button = int8(r.Uint32())
	case 3:
		p.Mode = int32(r.Uint32())
	case 4:
		p.Slot = -1
	}
	return p
}

func (st *storm) clicks() []*protocol.ContainerClick {
	if st.rng.IntN(6) != 0 {
		return []*protocol.ContainerClick{st.click()}
	}
	kind := int8(st.rng.IntN(3)) << 2
	drag := func(phase int8, slot int) *protocol.ContainerClick {
		return &protocol.ContainerClick{ContainerID: st.window.id, Slot: int16(slot), Button: kind | phase, Mode: modeDrag}
	}
	all := []*protocol.ContainerClick{drag(0, outside)}
	for range st.rng.IntN(12) {
		all = append(all, drag(1, st.rng.IntN(st.window.Len())))
	}
	return append(all, drag(2, outside))
}

func checkLimits(t *testing.T, w *Window) {
	t.Helper()
	for i := range w.slots {
		s := &w.slots[i]
		if there := s.get(); !there.Empty() && (there.Count > s.limit(there) || s.role != result && !s.mayPlace(there)) {
			t.Fatalf("slot %d has %d of %s", i, there.Count, there.Name())
		}
	}
	if c := w.cursor; !c.Empty() && c.Count > c.MaxSize() {
		t.Fatalf("the cursor has %d of %s", c.Count, c.Name())
	}
}

func stormWindow(t *testing.T, kind Kind, p *Player) *Window {
	t.Helper()
	if kind == Own {
		return OwnWindow(p, registry.V26_2)
	}
	var c Container
	switch {
	case kind == Generic9x6:
		c = Pair{make(Items, 27), make(Items, 27)}
	case kind != Crafting:
		c = make(Items, kind.Size())
	}
	w, err := Open(1, kind, c, p, registry.V26_2)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Whatever is clicked, nothing is lost and nothing made.
func TestClicksConserveItems(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	clicks := 800
	if testing.Short() {
		clicks = 200
	}
	for kind := Own; kind <= Crafting; kind++ {
		rng := rand.New(rand.NewPCG(seed, uint64(kind)))
		p := &Player{}
		st := &storm{rng: rng, window: stormWindow(t, kind, p)}
		for range 30 {
			p.Add(uncraftable(rng))
		}
		want := st.total()
		for n := range clicks {
			for _, c := range st.clicks() {
				r := st.window.Click(c, protocol.GameModeSurvival)
				checkLimits(t, st.window)
				for _, s := range r.Dropped {
					if s.Count > s.MaxSize() || s.Empty() {
						t.Fatalf("dropped %d of %s", s.Count, s.Name())
					}
					k := p.Add(s)
					if k.Empty() {
						continue
					}
					if want[key(k)] -= int(k.Count); want[key(k)] == 0 { // no room: gone for good
						delete(want, key(k))
					}
				}
				if got := st.total(); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("kind %d, click %d %+v:\n got %v\nwant %v", kind, n, *c, got, want)
				}
			}
			if n%16 == 0 {
				st.window.Sync()
			}
		}
	}
}

// Recipes and creative mode make items; limits hold all the same.
func TestClicksKeepLimitsWhenCrafting(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	names := []string{"oak_log", "oak_planks", "stick", "iron_ingot", "milk_bucket", "sugar", "egg", "wheat", "iron_helmet", "leather_boots", "red_dye", "blue_dye", "diamond_sword", "honey_bottle"}
	for _, kind := range []Kind{Own, Crafting} {
		rng := rand.New(rand.NewPCG(seed, uint64(kind)))
		p := &Player{}
		st := &storm{rng: rng, window: stormWindow(t, kind, p)}
		crafted := 0
		for n := range 1500 {
			if n%60 == 0 {
				st.window.Forget()
				p.Clear()
			}
			s := item.Named(names[rng.IntN(len(names))], 1)
			p.Add(s.WithCount(1 + rng.Int32N(s.MaxSize())))
			mode := protocol.GameModeSurvival
			if n%5 == 0 {
				mode = protocol.GameModeCreative
			}
			for _, c := range st.clicks() {
				if !st.window.output[0].Empty() {
					crafted++
				}
				st.window.Click(c, mode)
				checkLimits(t, st.window)
			}
		}
		if crafted == 0 {
			t.Error("the storm never had a result")
		}
	}
}

// Bottles are neither lost nor made by honey that is made into blocks and back,
// though what is left of it goes to the player while slots are being changed.
func TestCraftingConservesWhatIsLeft(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for _, kind := range []Kind{Own, Crafting} {
		rng := rand.New(rand.NewPCG(seed, uint64(kind)))
		p := &Player{}
		st := &storm{rng: rng, window: stormWindow(t, kind, p)}
		bottles := func() (n int) {
			count := func(s item.Stack) {
				if name := s.Name(); !s.Empty() && (name == "minecraft:honey_bottle" || name == "minecraft:glass_bottle") {
					n += int(s.Count)
				}
			}
			for i := range PlayerSlots {
				count(p.Get(i))
			}
			for _, s := range st.window.crafting {
				count(s)
			}
			count(st.window.cursor)
			return n
		}
		crafted := 0
		for round := range 40 {
			st.window.Forget()
			p.Clear()
			for i := range st.window.crafting {
				square := i%st.window.gridWidth < 2 && i/st.window.gridWidth < 2
				if square && rng.IntN(8) != 0 {
					st.window.put(&st.window.slots[1+i], item.Named("honey_bottle", 1+rng.Int32N(16)))
				}
			}
			for range rng.IntN(40) { // a nearly full player drops what is left
				p.Add(item.Named("glass_bottle", 64))
				p.Add(item.Named("honey_bottle", 1+rng.Int32N(16)))
			}
			for i := range 4 {
				p.Set(rng.IntN(PlayerSlots-7), item.Named("honey_block", int32(1+i)))
			}
			want := bottles()
			for n := range 60 {
				for _, c := range st.clicks() {
					if rng.IntN(3) == 0 && c.Mode != modeDrag {
						c.Slot = 0
					}
					before := st.window.output[0]
					for _, s := range st.window.Click(c, protocol.GameModeSurvival).Dropped {
						if name := s.Name(); name == "minecraft:honey_bottle" || name == "minecraft:glass_bottle" {
							want -= int(s.Count)
						}
					}
					if !before.Empty() && c.Slot == 0 {
						crafted++
					}
					checkLimits(t, st.window)
					if got := bottles(); got != want {
						t.Fatalf("kind %d, round %d, click %d %+v on %d of %s: %d bottles, want %d",
							kind, round, n, *c, before.Count, before.Name(), got, want)
					}
				}
			}
		}
		if crafted == 0 {
			t.Error("nothing was crafted")
		}
	}
}
