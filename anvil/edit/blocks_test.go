package edit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/nbt/snbt"
	"strata/region/codec"
	"strata/region/vfs"
)

// cellsText is the SNBT of a section in the form of a version.
func cellsText(version int32, palette []string, cells []uint16) string {
	p := packing{sectionCells, 4, version >= alignedVersion}
	longs := string(snbt.Append(nil, tagOf(longArray(p.pack(cells, len(palette)))), snbt.Compact))
	states := "[" + strings.Join(palette, ",") + "]"
	if version >= rootVersion {
		return fmt.Sprintf(`{Y:-1b,block_states:{palette:%s,data:%s},k:1}`, states, longs)
	}
	return fmt.Sprintf(`{Y:-1b,Palette:%s,BlockStates:%s,k:1}`, states, longs)
}

// tagOf is a tag with a value.
func tagOf(value nbt.Raw) nbt.Tag {
	var tape nbt.Tape
	data := append([]byte{10, 0, 0, byte(value.Type), 0, 1, 'a'}, value.Data...)
	if err := tape.Parse(append(data, 0)); err != nil {
		panic(err)
	}
	return tape.Root().Get("a")
}

// statesOf reads the blocks of a chunk's only section.
func statesOf(t *testing.T, r *record) []string {
	t.Helper()
	holder, palette, longs := blockPalette(r, sections(r)[0])
	var packed []byte
	if array, ok := holder.Get(longs).LongArray(); ok {
		packed = array.Bytes()
	}
	cells, ok := packing{sectionCells, 4, r.version >= alignedVersion}.unpack(packed, palette.Len())
	if !ok {
		t.Fatalf("the cells do not go with the palette: %s", text(r))
	}
	all := make([]string, len(cells))
	for i, c := range cells {
		all[i] = string(snbt.Append(nil, palette.At(int(c)), snbt.Compact))
	}
	seen := map[string]bool{}
	for _, e := range palette.Elements() {
		s := string(snbt.Append(nil, e, snbt.Compact))
		if seen[s] {
			t.Errorf("the palette has %s twice", s)
		}
		seen[s] = true
	}
	return all
}

func TestBlocksAreReplacedCellByCellInEveryForm(t *testing.T) {
	const (
		stone = `{Name:"minecraft:stone"}`
		dirt  = `{Name:"minecraft:dirt"}`
		own   = `{Name:"my:block",Properties:{a:"1"}}`
		oakN  = `{Name:"minecraft:oak_stairs",Properties:{facing:"north",half:"top",shape:"straight",waterlogged:"true"}}`
		oakS  = `{Name:"minecraft:oak_stairs",Properties:{facing:"south",half:"bottom",shape:"straight",waterlogged:"false"}}`
		log   = `{Name:"minecraft:birch_log",Properties:{axis:"x"}}`
	)
	palette := []string{stone, dirt, own, oakN, oakS, log}
	birch := func(s string) string { return strings.Replace(s, "oak", "birch", 1) }
	for i := range 14 { // more than 16 entries: 5 bits a cell
		palette = append(palette, fmt.Sprintf(`{Name:"my:%d"}`, i))
	}
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	for _, version := range []int32{1631, 2586, 3700, 4903} {
		for _, c := range []struct {
			field string
			want  map[string]string
		}{
			{"replace_blocks=stone=dirt", map[string]string{stone: dirt}},
			{"replace_blocks=oak_stairs=birch_stairs", map[string]string{oakN: birch(oakN), oakS: birch(oakS)}},
			{"replace_blocks=*_stairs[facing=north]=birch_stairs[facing=east]", map[string]string{
				oakN: strings.Replace(birch(oakN), "north", "east", 1)}},
			{"replace_blocks=#logs=my:log[x=1]", map[string]string{log: `{Name:"my:log",Properties:{x:"1"}}`}},
			{"replace_blocks=my:*=stone", func() map[string]string {
				m := map[string]string{own: stone}
				for _, p := range palette[6:] {
					m[p] = stone
				}
				return m
			}()},
			{"replace_blocks=oak_stairs=stone", map[string]string{oakN: stone, oakS: stone}},
			{"replace_blocks=diamond_block=stone", nil},
		} {
			cells := make([]uint16, sectionCells)
			for i := range cells {
				cells[i] = uint16(rng.IntN(len(palette)))
			}
			cells[0x010], cells[0x021] = 0, 5 // x 0, z 1: stone; x 1, z 2: a log
			// Block entities in the cells with the numbers 0x010 and 0x021.
			here := `{x:160,y:-16,z:-47,id:"a"},{x:161,y:-16,z:-46,id:"b"},{x:161,y:16,z:-46,id:"c"}`
			doc := fmt.Sprintf(`{DataVersion:%d,sections:[%s],block_entities:[%s],isLightOn:1b}`, version, cellsText(version, palette, cells), here)
			if version < rootVersion {
				doc = fmt.Sprintf(`{DataVersion:%d,Level:{Sections:[%s],TileEntities:[%s],isLightOn:1b}}`, version, cellsText(version, palette, cells), here)
			}
			r := recordOf(t, 0, doc)
			becomes := map[string]string{}
			kept := []string{"a", "b", "c"}
			for from, to := range c.want {
				becomes[normalState(t, from)] = normalState(t, to)
				switch from {
				case stone:
					kept = slices.DeleteFunc(kept, func(k string) bool { return k == "a" })
				case log:
					kept = slices.DeleteFunc(kept, func(k string) bool { return k == "b" })
				}
			}
			want := statesOf(t, r)
			for i := range want {
				want[i] = normalState(t, want[i])
				if to, ok := becomes[want[i]]; ok {
					want[i] = to
				}
			}
			if err := fieldsOf(t, c.field).apply(r); err != nil && version != 4903 {
				t.Errorf("%s in %d: %v", c.field, version, err)
				continue
			} else if err != nil { // heightmaps need a whole chunk
				t.Logf("%s in %d: %v", c.field, version, err)
			}
			got := statesOf(t, r)
			for i := range got {
				got[i] = normalState(t, got[i])
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s in %d: %s", c.field, version, d)
			}
			list := r.level().Get("block_entities")
			if version < rootVersion {
				list = r.level().Get("TileEntities")
			}
			var left []string
			for _, e := range list.Elements() {
				id, _ := e.Get("id").Text()
				left = append(left, id)
			}
			if d := cmp.Diff(kept, left); d != "" {
				t.Errorf("%s in %d: block entities: %s", c.field, version, d)
			}
			if r.changed != (c.want != nil) {
				t.Errorf("%s in %d: changed %v", c.field, version, r.changed)
			}
		}
	}
}

// normalState is a state with its properties in one order.
func normalState(t *testing.T, s string) string {
	t.Helper()
	value, err := snbt.Parse(s, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Name       string
		Properties map[string]string
	}
	if err := value.Decode(&state); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(state.Name, state.Properties)
}

func TestCellsThatDoNotGoWithTheirPaletteAreRefused(t *testing.T) {
	for _, section := range []string{
		`{Y:0b,block_states:{palette:[{Name:"minecraft:stone"},{Name:"minecraft:dirt"}],data:[L;1L]}}`,
		`{Y:0b,block_states:{palette:[{Name:"minecraft:stone"},{Name:"minecraft:dirt"}],data:[I;1]}}`,
	} {
		r := recordOf(t, 0, `{DataVersion:4903,sections:[`+section+`]}`)
		if err := fieldsOf(t, "replace_blocks=stone=air").apply(r); err == nil {
			t.Errorf("%s: taken: %s", section, text(r))
		}
	}
}

func TestBlocksAreFoundAndSetInEveryForm(t *testing.T) {
	const base = 16 * -1 // y of the section's lowest blocks
	for _, version := range []int32{1631, 2586, 3700} {
		m := vfs.NewMem(vfs.MemOptions{})
		s := openWorld(t, newWorld(t, m, "w"))
		palette := []string{`{Name:"minecraft:air"}`, `{Name:"minecraft:chest",Properties:{type:"single",facing:"east",waterlogged:"false"}}`}
		cells := make([]uint16, sectionCells)
		cells[cellAt(3, 5, 7)], cells[cellAt(3, 6, 7)] = 1, 1
		doc := fmt.Sprintf(`{DataVersion:%d,xPos:-2,zPos:4,sections:[%s],block_entities:[{x:-29,y:-11,z:71,id:"chest"}]}`, version, cellsText(version, palette, cells))
		if version < rootVersion {
			doc = fmt.Sprintf(`{DataVersion:%d,Level:{xPos:-2,zPos:4,Sections:[%s],TileEntities:[{x:-29,y:-11,z:71,id:"chest"}]}}`, version, cellsText(version, palette, cells))
		}
		put(t, s, store.Chunks, at(-2, 4), doc, codec.Zlib)
		read := func() *Document {
			d, err := Read(s, store.Ref{Pos: at(-2, 4)})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		pos := chunk.BlockPos{X: -29, Y: base + 5, Z: 71}
		const chest = "minecraft:chest[facing=east,type=single,waterlogged=false]"
		d := read()
		if b, err := d.BlockAt(pos); err != nil || b.State != chest || b.Properties["facing"] != "east" || b.Name != "minecraft:chest" {
			t.Errorf("%d: %+v, %v", version, b, err)
		}
		if !d.BlockEntityAt(pos).Get("id").Is("chest") {
			t.Errorf("%d: no block entity", version)
		}
		if _, err := d.BlockAt(chunk.BlockPos{X: -29, Y: 0, Z: 71}); !errors.Is(err, ErrAbsent) {
			t.Errorf("%d: above: %v", version, err)
		}
		runs, err := d.Column(-29, 71)
		want := []Run{{base + 7, base + 15, "minecraft:air"}, {base + 5, base + 6, chest}, {base, base + 4, "minecraft:air"}}
		if diff := cmp.Diff(want, runs); diff != "" || err != nil {
			t.Errorf("%d: %v %s", version, err, diff)
		}
		counts, err := d.Palette()
		if diff := cmp.Diff([]Count{{"minecraft:air", sectionCells - 2}, {chest, 2}}, counts); diff != "" || err != nil {
			t.Errorf("%d: %v %s", version, err, diff)
		}
		if err := d.SetBlock(pos, chest); err != nil || d.Changed() {
			t.Errorf("%d: set to what it is: changed %v, %v", version, d.Changed(), err)
		}
		if err := d.SetBlock(pos, "oak_log[axis=z]"); err != nil || !d.Changed() {
			t.Errorf("%d: set: changed %v, %v", version, d.Changed(), err)
		}
		changeWorld(t, s, func(c *undo.Change) error { return d.Write(ctx, c) })
		d = read()
		if b, err := d.BlockAt(pos); err != nil || b.State != "minecraft:oak_log[axis=z]" || d.BlockEntityAt(pos).Exists() {
			t.Errorf("%d: %+v, %v", version, b, err)
		}
		if b, err := d.BlockAt(chunk.BlockPos{X: -29, Y: base + 6, Z: 71}); err != nil || b.State != chest {
			t.Errorf("%d: the block above is %+v, %v", version, b, err)
		}
		closeWorld(t, s)
	}
}
