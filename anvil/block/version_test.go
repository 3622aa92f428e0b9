package block

import (
	"errors"
	"testing"
)

// A version made up of a few blocks: one as it is, one with its values in
// another order, one with a property less, and one that is not native.
func TestVersionOfOtherBlocks(t *testing.T) {
	table := get()
	boolean := func(name string) Property { return newProperty(name, []string{"false", "true"}) }
	blocks := []definition{
		{name: "poplar_log", props: []Property{newProperty("axis", []string{"x", "y", "z"})}, initial: 1},
		{name: "oak_log", props: []Property{newProperty("axis", []string{"z", "y", "x"})}, initial: 1},
		{name: "oak_slab", props: []Property{boolean("waterlogged")}},
		{name: "stone"},
	}
	substitutes := map[string]string{}
	for id := range ID(BlockCount) {
		substitutes[id.Name()[len(namespace):]] = "stone"
	}
	substitutes["birch_log"] = "oak_log"
	v, err := newVersion(table, Info{Name: "made up", Blocks: 4, States: 9}, blocks, substitutes)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]struct {
		id    uint16
		exact bool
	}{
		"oak_log[axis=z]":                     {3, true},
		"oak_log[axis=x]":                     {5, true},
		"birch_log[axis=x]":                   {5, false},
		"oak_slab[type=top,waterlogged=true]": {7, false}, // what is left of it
		"oak_slab[type=top]":                  {6, false},
		"stone":                               {8, true},
		"glass":                               {8, false},
	} {
		s := MustParse(text)
		if got := v.ID(s); got != want.id || v.HasState(s) != want.exact {
			t.Errorf("%s is %d, exact %t, want %d, %t", text, got, v.HasState(s), want.id, want.exact)
		}
		if back, ok := v.State(v.ID(s)); want.exact && (!ok || back != s) {
			t.Errorf("%s comes back as %v", text, back)
		}
	}
	for id := range uint16(3) {
		if s, ok := v.State(id); ok {
			t.Errorf("state %d, which is not native, is %v", id, s)
		}
	}
	if id, ok := v.Block(0); ok || id != Unknown {
		t.Errorf("block 0, which is not native, is %v", id)
	}
	if id, ok := v.Block(1); !ok || id != OakLog || v.BlockID(OakLog) != 1 || v.BlockID(BirchLog) != 1 || v.BlockID(Unknown) != 3 {
		t.Error("numbers of blocks")
	}

	delete(substitutes, "glass")
	if _, err := newVersion(table, Info{Blocks: 4, States: 9}, blocks, substitutes); !errors.Is(err, errFormat) {
		t.Errorf("a block without a substitute: %v", err)
	}
	for _, info := range []Info{{Blocks: 4, States: 8}, {Blocks: 4, States: 10}, {Blocks: 3, States: 9}} {
		if _, err := newVersion(table, info, blocks, substitutes); !errors.Is(err, errFormat) {
			t.Errorf("%d blocks and %d states: %v", info.Blocks, info.States, err)
		}
	}
}

func TestNoVersionForAnUnknownProtocol(t *testing.T) {
	if v := ForProtocol(5); v != nil {
		t.Errorf("protocol 5 is %s", v.Name)
	}
	if v := ForProtocol(776); v == nil || !v.Native {
		t.Error("protocol 776 is not native")
	}
}
