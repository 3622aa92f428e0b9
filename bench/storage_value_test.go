package bench

import (
	"errors"
	"slices"
	"testing"

	"strata/nbt"
)

// changed is a synthetic chunk in which change has changed something.
func changed(t *testing.T, change func(root *nbt.Compound)) []byte {
	t.Helper()
	v, err := decodeAny(SyntheticChunks(1)[0])
	if err != nil {
		t.Fatal(err)
	}
	root := v.(nbt.Compound)
	change(&root)
	out, err := nbt.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func member[T any](t *testing.T, c nbt.Compound, name string) T {
	t.Helper()
	v, _ := c.Get(name)
	got, ok := v.(T)
	if !ok {
		t.Fatalf("%s is %T", name, v)
	}
	return got
}

// section is a section that has several blocks, the lowest of all.
func section(t *testing.T, root nbt.Compound) nbt.Compound {
	t.Helper()
	return member[nbt.List](t, root, "sections").Items[0].(nbt.Compound)
}

func TestTheSameChunkInOtherWordsIsTheSame(t *testing.T) {
	want := SyntheticChunks(1)[0]
	for name, change := range map[string]func(*nbt.Compound){
		"nothing":            func(*nbt.Compound) {},
		"order of members":   func(root *nbt.Compound) { slices.Reverse(*root) },
		"order of sections":  func(root *nbt.Compound) { slices.Reverse(member[nbt.List](t, *root, "sections").Items) },
		"type of a number":   func(root *nbt.Compound) { root.Set("xPos", int64(0)) },
		"another light flag": func(root *nbt.Compound) { root.Set("isLightOn", int8(5)) },
		"a hidden member":    func(root *nbt.Compound) { *root = append(nbt.Compound{{Name: "Status", Value: "x"}}, *root...) },
		"unused bits of heights": func(root *nbt.Compound) {
			maps := member[nbt.Compound](t, *root, "Heightmaps")
			longs := member[[]int64](t, maps, "OCEAN_FLOOR")
			longs[0] |= -1 << 63
			longs[36] |= 1 << 36
		},
		"an unused entry and another order of the palette": func(root *nbt.Compound) {
			states := member[nbt.Compound](t, section(t, *root), "block_states")
			palette := member[nbt.List](t, states, "palette")
			// Entry 0 also at the end; cells that are 0 become that one.
			last := len(palette.Items)
			palette.Items = append(palette.Items, palette.Items[0])
			states.Set("palette", palette)
			longs := member[[]int64](t, states, "data")
			if last > 15 {
				t.Fatalf("%d entries", last)
			}
			for i := range longs {
				for shift := 0; shift < 64; shift += 4 {
					if longs[i]>>shift&15 == 0 {
						longs[i] |= int64(last) << shift
					}
				}
			}
		},
		"properties without any": func(root *nbt.Compound) {
			states := member[nbt.Compound](t, section(t, *root), "block_states")
			palette := member[nbt.List](t, states, "palette")
			for i, e := range palette.Items {
				e := e.(nbt.Compound)
				if _, has := e.Get("Properties"); !has {
					palette.Items[i] = append(e, nbt.Member{Name: "Properties", Value: nbt.Compound{}})
				}
			}
		},
	} {
		if err := verifyValue(changed(t, change), want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnotherChunkIsAnother(t *testing.T) {
	want := SyntheticChunks(1)[0]
	for name, change := range map[string]func(*nbt.Compound){
		"a number":           func(root *nbt.Compound) { root.Set("LastUpdate", int64(1)) },
		"a text":             func(root *nbt.Compound) { root.Set("Status", "minecraft:light") },
		"a light flag":       func(root *nbt.Compound) { root.Set("isLightOn", int8(0)) },
		"a lost member":      func(root *nbt.Compound) { root.Delete("structures") },
		"a member more":      func(root *nbt.Compound) { root.Set("mod", int8(1)) },
		"an unknown's type":  func(root *nbt.Compound) { root.Set("structures", nbt.List{}) },
		"an empty list less": func(root *nbt.Compound) { root.Delete("fluid_ticks") },
		"a section less": func(root *nbt.Compound) {
			list := member[nbt.List](t, *root, "sections")
			list.Items = list.Items[1:]
			root.Set("sections", list)
		},
		"a section in another's place": func(root *nbt.Compound) {
			items := member[nbt.List](t, *root, "sections").Items
			a, b := items[0].(nbt.Compound), items[9].(nbt.Compound)
			a.Set("Y", int8(5))
			b.Set("Y", int8(-4))
		},
		"a block": func(root *nbt.Compound) {
			member[[]int64](t, member[nbt.Compound](t, section(t, *root), "block_states"), "data")[77] ^= 1
		},
		"a block's property": func(root *nbt.Compound) {
			palette := member[nbt.List](t, member[nbt.Compound](t, section(t, *root), "block_states"), "palette")
			for _, e := range palette.Items {
				if v, has := e.(nbt.Compound).Get("Properties"); has {
					properties := v.(nbt.Compound)
					properties[0].Value = "z"
					return
				}
			}
			t.Fatal("no block has properties")
		},
		"a biome": func(root *nbt.Compound) {
			palette := member[nbt.List](t, member[nbt.Compound](t, section(t, *root), "biomes"), "palette")
			palette.Items[0] = "minecraft:void"
		},
		"a height": func(root *nbt.Compound) {
			member[[]int64](t, member[nbt.Compound](t, *root, "Heightmaps"), "OCEAN_FLOOR")[36] ^= 1
		},
		"a byte of light": func(root *nbt.Compound) {
			for _, s := range member[nbt.List](t, *root, "sections").Items {
				if v, has := s.(nbt.Compound).Get("SkyLight"); has {
					v.([]byte)[9] ^= 1
					return
				}
			}
			t.Fatal("no section has light")
		},
	} {
		if err := verifyValue(changed(t, change), want); !errors.Is(err, errWrong) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if err := verifyValue(want[:len(want)-1], want); !errors.Is(err, errWrong) {
		t.Errorf("cut off: error %v", err)
	}
}

// Two longs hold an index of five bits in chunks from before DataVersion 2529,
// and its neighbours.
func TestPackedValuesMayStraddleLongs(t *testing.T) {
	document := func(version int32, longs []int64, last string) []byte {
		palette := nbt.List{Elem: nbt.TypeCompound}
		for i := range 20 {
			name := string(rune('a' + i))
			if i == 17 {
				name = last
			}
			palette.Items = append(palette.Items, nbt.Compound{{Name: "Name", Value: name}})
		}
		out, err := nbt.Marshal(nbt.Compound{
			{Name: "DataVersion", Value: version},
			{Name: "Level", Value: nbt.Compound{{Name: "Sections", Value: nbt.List{Elem: nbt.TypeCompound, Items: []any{
				nbt.Compound{{Name: "Y", Value: int8(0)}, {Name: "Palette", Value: palette}, {Name: "BlockStates", Value: longs}},
			}}}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	// Cell 12 has bits 60 to 64, and is the only one that is not 0.
	longs := make([]int64, 4096*5/64)
	longs[0], longs[1] = 1<<60, 1
	plain, other := document(1976, longs, "r"), document(1976, longs, "x")
	if err := verifyValue(plain, other); !errors.Is(err, errWrong) {
		t.Errorf("another entry 17: error %v", err)
	}
	longs[0] = 0 // now it is 16
	if err := verifyValue(document(1976, longs, "r"), document(1976, longs, "x")); err != nil {
		t.Errorf("another entry that no cell has: %v", err)
	}
}
