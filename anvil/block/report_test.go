package block

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTotals(t *testing.T) {
	want := []Info{
		{Name: "26.2", Protocol: 776, FirstDataVersion: 4903, DataVersion: 4903, Blocks: 1196, States: 32366, Native: true},
		{Name: "26.1.2", Protocol: 775, FirstDataVersion: 4786, DataVersion: 4790, Blocks: 1168, States: 29873},
	}
	if diff := cmp.Diff(want, Tables()); diff != "" {
		t.Error(diff)
	}
	if BlockCount != 1196 || StateCount != 32366 {
		t.Errorf("native table of %d blocks and %d states", BlockCount, StateCount)
	}
}

// Every state of every version against the game's own report.
func TestStatesEqualReports(t *testing.T) {
	for _, v := range Versions() {
		t.Run(v.Name, func(t *testing.T) {
			states := 0
			for name, b := range readReport(t, v.Name) {
				id, ok := Find(name)
				if !ok || id.Name() != name {
					t.Errorf("Find(%s) = %v, %t", name, id, ok)
					continue
				}
				for _, s := range b.States {
					states++
					state, ok := Resolve([]byte(name), pairs(s.Properties))
					if !ok || state.Block() != id {
						t.Errorf("Resolve(%s %v) = %v, %t", name, s.Properties, state, ok)
						continue
					}
					if back, ok := v.State(uint16(s.ID)); !ok || back != state {
						t.Errorf("State(%d) = %v, %t, want %v", s.ID, back, ok, state)
					}
					if int(v.ID(state)) != s.ID || !v.HasState(state) {
						t.Errorf("ID(%v) = %d, want %d", state, v.ID(state), s.ID)
					}
					if s.Default && id.Default() != state {
						t.Errorf("default of %s is %v, want %v", name, id.Default(), state)
					}
					if v.Native && int(state) != s.ID {
						t.Errorf("%v has number %d, want %d", state, uint16(state), s.ID)
					}
				}
			}
			if states != v.States {
				t.Errorf("report has %d states, table %d", states, v.States)
			}
			if _, ok := v.State(uint16(v.States)); ok {
				t.Error("a state beyond the last")
			}
		})
	}
}

func TestPropertiesEqualReport(t *testing.T) {
	for name, b := range readReport(t, "26.2") {
		id, _ := Find(name)
		got := map[string][]string{}
		var order []string
		for _, p := range id.Properties() {
			got[p.Name] = p.Values
			order = append(order, p.Name)
		}
		if b.Properties == nil {
			b.Properties = map[string][]string{}
		}
		if diff := cmp.Diff(b.Properties, got); diff != "" || !slices.IsSorted(order) {
			t.Errorf("%s: order %v\n%s", name, order, diff)
		}
		if kind := "minecraft:" + id.Kind(); kind != b.Definition.Type {
			t.Errorf("%s is of kind %s, want %s", name, kind, b.Definition.Type)
		}
		first, n := id.States()
		if int(first) != b.States[0].ID || n != len(b.States) {
			t.Errorf("%s has states from %d, %d of them", name, first, n)
		}
	}
}

func TestBlockNumbersEqualRegistries(t *testing.T) {
	for _, v := range Versions() {
		var registries map[string]struct {
			Entries map[string]struct {
				ID int `json:"protocol_id"`
			}
		}
		readArchive(t, reportArchives[v.Name], "reports/registries.json", &registries)
		entries := registries["minecraft:block"].Entries
		if len(entries) != v.Blocks {
			t.Errorf("%s: %d blocks, table has %d", v.Name, len(entries), v.Blocks)
		}
		for name, e := range entries {
			id, _ := Find(name)
			if int(v.BlockID(id)) != e.ID {
				t.Errorf("%s: %s has number %d, want %d", v.Name, name, v.BlockID(id), e.ID)
			}
			if back, ok := v.Block(uint16(e.ID)); !ok || back != id {
				t.Errorf("%s: number %d is %v", v.Name, e.ID, back)
			}
		}
		if _, ok := v.Block(uint16(v.Blocks)); ok {
			t.Errorf("%s: a block beyond the last", v.Name)
		}
	}
}

func TestStateMapEqualsReference(t *testing.T) {
	var ref struct {
		Shifts [][3]int `json:"26.1->26.2"`
	}
	readReference(t, "state-id-map.json", &ref)
	v := ForProtocol(775)
	next := 0
	for _, s := range ref.Shifts {
		if s[0] != next {
			t.Fatalf("reference has a gap at %d", next)
		}
		for id := s[0]; id <= s[1]; id++ {
			state, ok := v.State(uint16(id))
			if !ok || int(state) != id+s[2] {
				t.Fatalf("state %d of 26.1 is %d, %t, want %d", id, state, ok, id+s[2])
			}
		}
		next = s[1] + 1
	}
	if next != v.States {
		t.Errorf("reference covers %d of %d states", next, v.States)
	}
}

func TestLightEqualsReference(t *testing.T) {
	var ref struct {
		Blocks map[string]struct {
			Properties []string
			Light      map[string]int
		}
	}
	readReference(t, "block-light-by-state.json", &ref)
	if len(ref.Blocks) != 60 {
		t.Fatalf("%d blocks, want 60", len(ref.Blocks))
	}
	for name, l := range ref.Blocks {
		id, _ := Find(name)
		first, n := id.States()
		lit := 0
		for s := first; s < first+State(n); s++ {
			key := ""
			for i, p := range l.Properties {
				if i > 0 {
					key += ","
				}
				key += s.Property(p)
			}
			if int(s.LightEmission()) != l.Light[key] {
				t.Errorf("%v emits %d, want %d", s, s.LightEmission(), l.Light[key])
			}
			if l.Light[key] > 0 {
				lit++
			}
		}
		if lit == 0 {
			t.Errorf("no state of %s emits light", name)
		}
	}
}

func TestFluidsEqualReference(t *testing.T) {
	var fluids []struct {
		Name   string
		States []struct {
			Level   int
			IsStill bool `json:"is_still"`
			Block   int  `json:"block_state_id"`
		}
	}
	readArchive(t, "extracted-registries-26.1-26.2.tar.zst", "26.2/fluids.json", &fluids)
	kinds := map[string]Fluid{"water": WaterFluid, "flowing_water": WaterFluid, "lava": LavaFluid, "flowing_lava": LavaFluid}
	seen := map[State]bool{}
	for _, f := range fluids {
		kind, ok := kinds[f.Name]
		if !ok {
			continue
		}
		for _, s := range f.States {
			state := State(s.Block)
			if s.IsStill != (len(f.Name) < 6) {
				t.Fatalf("%s: is_still %t", f.Name, s.IsStill)
			}
			seen[state] = true
			if state.Fluid() != kind {
				t.Errorf("%v holds fluid %d, want %d", state, state.Fluid(), kind)
			}
			if s.IsStill && (!state.FluidSource() || state.FluidAmount() != s.Level) {
				t.Errorf("%v: source %t, amount %d, want a source of %d", state, state.FluidSource(), state.FluidAmount(), s.Level)
			}
			// Flowing fluid as full as a source is stored as one.
			if !s.IsStill && state.FluidSource() != (s.Level == FullFluid && !state.FluidFalling()) {
				t.Errorf("%v: source %t for flowing fluid of %d", state, state.FluidSource(), s.Level)
			}
		}
	}
	if len(seen) == 0 {
		t.Fatal("no fluid state read")
	}
	for _, name := range []string{"water", "lava"} {
		for level := range 16 {
			s := MustParse(fmt.Sprintf("%s[level=%d]", name, level))
			amount := 8 - level
			if level >= 8 {
				amount = 8
			}
			if s.FluidAmount() != amount || s.FluidFalling() != (level >= 8) || s.FluidSource() != (level == 0) {
				t.Errorf("%v: amount %d falling %t source %t", s, s.FluidAmount(), s.FluidFalling(), s.FluidSource())
			}
		}
	}
}
