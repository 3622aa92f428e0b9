package worldmap

import (
	"image/color"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/nbt"
	"strata/region"
)

func TestDimensionsWithACeilingAreCut(t *testing.T) {
	raw := func(v any) nbt.Raw {
		t.Helper()
		r, err := nbt.MarshalRaw(v)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	settings := level.GenSettings{Dimensions: map[string]level.Dimension{
		"my:hell":  {Type: raw(anvil.Nether)},
		"my:cave":  {Type: raw(map[string]any{"has_ceiling": true, "min_y": int32(0)})},
		"my:field": {Type: raw(map[string]any{"has_ceiling": false})},
		"my:odd":   {Type: raw(map[string]any{"has_ceiling": "yes"})},
		"my:land":  {Type: raw(anvil.Overworld)},
	}}
	for id, want := range map[string]bool{
		"my:hell": true, "my:cave": true, "my:field": false, "my:odd": false, "my:land": false,
		anvil.Nether: true, anvil.Overworld: false, anvil.End: false,
	} {
		if got := hasCeiling(settings, id); got != want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
}

func TestTheNetherIsSeenFromUnderItsCeiling(t *testing.T) {
	w := build(t, Area{}, func(region.ChunkPos) *chunk.Chunk { return nil })
	d, err := w.Dimension(anvil.Nether)
	if err != nil {
		t.Fatal(err)
	}
	c, err := chunk.New(testTables, region.ChunkPos{}, chunk.Options{DataVersion: anvil.NativeVersion, Sections: 16, Status: chunk.StatusFull})
	if err != nil {
		t.Fatal(err)
	}
	for z := range 16 {
		for x := range 16 {
			fill(t, c, x, z, 0, 30, "gold_block")
			fill(t, c, x, z, 110, 127, "netherrack")
		}
	}
	document, err := new(chunk.Encoder).Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	writeRegion(t, filepath.Join(d.Region, "r.0.0.mca"), map[region.Slot][]byte{0: document})
	seen := func(o Options) color.NRGBA {
		m, _ := picture(t, w, o, 1)
		return m.NRGBAAt(5, 5)
	}
	high := 200
	floor, ceiling := seen(Options{Dimension: anvil.Nether}), seen(Options{Dimension: anvil.Nether, MaxY: &high})
	if floor.G < 150 || ceiling.G > 100 {
		t.Errorf("the nether's floor of gold is %v, its ceiling %v", floor, ceiling)
	}
}
