package jigsaw_test

import (
	"fmt"
	"testing"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/jigsaw"
	"strata/pregen/worldgen/structure/template"
)

// hills is ground that rises and falls along x.
type hills struct{ column []block.State }

func (h hills) Column(x, _ int32) []block.State {
	top := 130 + int(x>>3&7)
	for i := range h.column {
		h.column[i] = 0
		if i < top {
			h.column[i] = block.Stone.Default()
		}
	}
	return h.column
}

func (hills) Biome(int32, int32, int32) proto.Biome { return 0 }

// layouts are the structures of the package by their ids.
func layouts(t *testing.T) map[string]structure.Layout {
	t.Helper()
	source, err := settings.Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	loader := structure.NewLoader(source, template.Builtin(), nil)
	loader.Span = provider.Span{MinY: -64, Height: 384}
	factory := jigsaw.Factories()["minecraft:jigsaw"]
	all := map[string]structure.Layout{}
	ids, err := source.IDs("worldgen/structure")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		text, err := source.Document("worldgen/structure", id)
		if err != nil {
			t.Fatal(err)
		}
		v, err := provider.Parse("worldgen/structure", id, text)
		if err != nil {
			t.Fatal(err)
		}
		if member, err := v.Member("type"); err != nil {
			t.Fatal(err)
		} else if kind, _ := member.ID(); kind != "minecraft:jigsaw" {
			continue
		}
		if all[id], err = factory(loader, v); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// assembled makes a structure for a seed; nothing if it does not start.
func assembled(layout structure.Layout, seed int64) []structure.Piece {
	random := rng.NewWorldgenLegacy(0)
	random.SetLargeFeatureSeed(seed, 3, -5)
	l := &structure.Layouter{
		Ground: hills{make([]block.State, 384)}, Random: &random, Seed: seed, ChunkX: 3, ChunkZ: -5,
		MinY: -64, Tall: 384, SeaLevel: 63, Span: provider.Span{MinY: -64, Height: 384},
		Biomes: []string{"minecraft:plains"}, Templates: template.Builtin(),
	}
	point, ok := layout.Find(l)
	if !ok {
		return nil
	}
	return point.Pieces(l)
}

func TestPiecesLieApartOrInOneAnother(t *testing.T) {
	for id, layout := range layouts(t) {
		most := 0
		for seed := range int64(12) {
			pieces := assembled(layout, seed)
			most = max(most, len(pieces))
			for i, p := range pieces {
				for _, q := range pieces[:i] {
					a, b := p.Common().Box, q.Common().Box
					if a.Meets(b) && !a.Encloses(b) && !b.Encloses(a) {
						t.Errorf("%s of seed %d: %v and %v", id, seed, a, b)
					}
				}
			}
		}
		t.Logf("%s: up to %d pieces", id, most)
		if most < 2 {
			t.Errorf("%s has %d pieces", id, most)
		}
	}
}

// Each piece but the first joins another one, which knows it: where one says that
// the other begins, the other says that the first does, as much higher as it is
// lower.
func TestJunctionsComeInPairs(t *testing.T) {
	for id, layout := range layouts(t) {
		for seed := range int64(12) {
			pieces := assembled(layout, seed)
			steps := map[string]int{}
			joined := 0
			for i, p := range pieces {
				saved := p.Save()
				list, _ := saved.Get("junctions")
				junctions := list.(nbt.List).Items
				if i > 0 && len(junctions) == 0 {
					t.Errorf("%s of seed %d: piece %d joins nothing", id, seed, i)
				}
				joined += len(junctions)
				for _, j := range junctions {
					f := structure.NewFields(j.(nbt.Compound))
					step := f.Int("delta_y")
					steps[fmt.Sprint(max(step, -step))] += int(max(-1, min(1, step)))
				}
			}
			if want := 2 * (len(pieces) - 1); len(pieces) > 0 && joined != want {
				t.Errorf("%s of seed %d: %d pieces have %d junctions, want %d", id, seed, len(pieces), joined, want)
			}
			for step, n := range steps {
				if n != 0 {
					t.Errorf("%s of seed %d: %d steps of %s are not met", id, seed, n, step)
				}
			}
		}
	}
}

// With other names for its pools a structure is made of other templates.
func TestAliasesChooseTheMobsOfTrialChambers(t *testing.T) {
	layout := layouts(t)["minecraft:trial_chambers"]
	kinds := map[string]bool{}
	for seed := range int64(30) {
		here := map[string]bool{}
		for _, p := range assembled(layout, seed) {
			element, _ := p.Save().Get("pool_element")
			location, _ := element.(nbt.Compound).Get("location")
			text, _ := location.(string)
			const melee = "minecraft:trial_chambers/spawner/melee/"
			if len(text) > len(melee) && text[:len(melee)] == melee {
				here[text] = true
				kinds[text] = true
			}
		}
		if len(here) > 1 {
			t.Errorf("seed %d has %v together", seed, here)
		}
	}
	if len(kinds) != 3 {
		t.Errorf("the mobs are %v, want 3 kinds", kinds)
	}
}
