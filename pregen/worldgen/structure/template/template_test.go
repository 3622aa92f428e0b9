package template_test

import (
	"errors"
	"testing"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/structure/template"
)

// document makes a template: blocks are rows of x, y, z and a place in the
// palette.
func document(t testing.TB, size [3]int32, palette []string, blocks [][4]int32) []byte {
	t.Helper()
	type entry struct {
		Pos   [3]int32      `nbt:"pos,list"`
		State int32         `nbt:"state"`
		NBT   *nbt.Compound `nbt:"nbt"`
	}
	type state struct {
		Name       string
		Properties map[string]string `nbt:"Properties,omitempty"`
	}
	var d struct {
		Size     [3]int32 `nbt:"size,list"`
		Palette  []state  `nbt:"palette"`
		Blocks   []entry  `nbt:"blocks"`
		Entities []string `nbt:"entities"`
	}
	d.Size = size
	for _, text := range palette {
		s := block.MustParse(text)
		properties := map[string]string{}
		for name, value := range s.Values() {
			properties[name] = value
		}
		d.Palette = append(d.Palette, state{s.Block().Name(), properties})
	}
	for _, b := range blocks {
		e := entry{Pos: [3]int32{b[0], b[1], b[2]}, State: b[3]}
		if block.MustParse(palette[b[3]]).Block() == block.Jigsaw {
			e.NBT = &nbt.Compound{
				{Name: "name", Value: "minecraft:a"}, {Name: "target", Value: "b"}, {Name: "pool", Value: "minecraft:c"},
				{Name: "final_state", Value: "minecraft:oak_stairs[facing=east]"}, {Name: "joint", Value: "aligned"},
				{Name: "placement_priority", Value: int32(3)},
			}
		}
		d.Blocks = append(d.Blocks, e)
	}
	data, err := nbt.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t testing.TB, size [3]int32, palette []string, blocks [][4]int32) *template.Template {
	t.Helper()
	made, err := template.Read(document(t, size, palette, blocks))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestFullBlocksAreSetFirst(t *testing.T) {
	made := read(t, [3]int32{2, 2, 1}, []string{"minecraft:torch", "minecraft:stone", "minecraft:jigsaw[orientation=up_north]"},
		[][4]int32{{0, 0, 0, 2}, {1, 0, 0, 0}, {1, 1, 0, 1}, {0, 1, 0, 1}})
	want := [][3]int32{{0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 0}}
	for i, b := range made.Blocks {
		if [3]int32{b.X, b.Y, b.Z} != want[i] {
			t.Errorf("block %d is %d,%d,%d, want %v", i, b.X, b.Y, b.Z, want[i])
		}
	}
}

func TestConnectorsAreJigsawBlocks(t *testing.T) {
	made := read(t, [3]int32{1, 1, 1}, []string{"minecraft:jigsaw[orientation=west_up]"}, [][4]int32{{0, 0, 0, 0}})
	if len(made.Connectors) != 1 {
		t.Fatalf("%d connectors", len(made.Connectors))
	}
	want := template.Connector{
		Front: block.West, Top: block.Up, Name: "minecraft:a", Target: "minecraft:b", Pool: "minecraft:c",
		FinalState: "minecraft:oak_stairs[facing=east]", PlacementPriority: 3,
	}
	if made.Connectors[0] != want {
		t.Errorf("%+v, want %+v", made.Connectors[0], want)
	}
}

func TestDamagedTemplatesAreErrors(t *testing.T) {
	for name, data := range map[string][]byte{
		"empty":           {},
		"state":           document(t, [3]int32{1, 1, 1}, []string{"minecraft:stone"}, [][4]int32{{0, 0, 0, 0}})[:40],
		"negative size":   document(t, [3]int32{-1, 1, 1}, []string{"minecraft:stone"}, nil),
		"large size":      document(t, [3]int32{1 << 20, 1, 1}, []string{"minecraft:stone"}, nil),
		"state too large": badState(t),
	} {
		if _, err := template.Read(data); err == nil {
			t.Errorf("%s passes", name)
		}
	}
	if _, err := template.Read(badState(t)); !errors.Is(err, template.ErrTemplate) {
		t.Errorf("%v", err)
	}
}

// badState is a template with a block whose state is not in the palette.
func badState(t testing.TB) []byte {
	t.Helper()
	data, err := nbt.Marshal(nbt.Compound{
		{Name: "size", Value: nbt.List{Items: []any{int32(1), int32(1), int32(1)}}},
		{Name: "palette", Value: nbt.List{Items: []any{nbt.Compound{{Name: "Name", Value: "minecraft:stone"}}}}},
		{Name: "blocks", Value: nbt.List{Items: []any{nbt.Compound{
			{Name: "pos", Value: nbt.List{Items: []any{int32(0), int32(0), int32(0)}}}, {Name: "state", Value: int32(7)},
		}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func FuzzRead(f *testing.F) {
	f.Add(document(f, [3]int32{1, 1, 1}, []string{"minecraft:jigsaw[orientation=west_up]"}, [][4]int32{{0, 0, 0, 0}}))
	f.Add(badState(f))
	f.Fuzz(func(_ *testing.T, data []byte) {
		made, err := template.Read(data)
		if err != nil {
			return
		}
		for _, b := range made.Blocks {
			for _, states := range made.Palettes {
				_ = states[b.State]
			}
		}
	})
}

func TestBuiltinShapesAreThere(t *testing.T) {
	l := template.Builtin()
	igloo, ok := l.Shape("minecraft:igloo/top")
	if !ok || igloo.SizeX != 7 || igloo.SizeY != 5 || igloo.SizeZ != 8 {
		t.Errorf("igloo/top is %+v, %v", igloo, ok)
	}
	if _, ok := l.Shape("minecraft:none"); ok {
		t.Error("minecraft:none is there")
	}
	if _, err := l.Template("minecraft:igloo/top"); err == nil {
		t.Error("blocks are there without game files")
	}
	if !l.Lacks("minecraft:igloo/top") || l.Lacks("minecraft:none") {
		t.Error("what is lacking is another")
	}
}

func TestTurnTurnsAboutThePivot(t *testing.T) {
	for _, c := range []struct {
		mirror         block.Mirror
		rotation       block.Rotation
		pivotX, pivotZ int32
		x, z           int32
	}{
		{block.NoMirror, block.NoRotation, 0, 0, 2, 1},
		{block.NoMirror, block.Clockwise90, 0, 0, -1, 2},
		{block.NoMirror, block.Clockwise180, 0, 0, -2, -1},
		{block.NoMirror, block.Counterclockwise90, 0, 0, 1, -2},
		{block.NoMirror, block.Clockwise90, 2, 1, 2, 1},
		{block.LeftRight, block.NoRotation, 0, 0, 2, -1},
		{block.FrontBack, block.Clockwise90, 0, 0, -1, -2},
	} {
		x, y, z := template.Turn(2, 5, 1, c.mirror, c.rotation, c.pivotX, c.pivotZ)
		if x != c.x || y != 5 || z != c.z {
			t.Errorf("%v %v about %d,%d: %d,%d,%d, want %d,5,%d", c.mirror, c.rotation, c.pivotX, c.pivotZ, x, y, z, c.x, c.z)
		}
	}
}
