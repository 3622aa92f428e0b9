package diff

import (
	"errors"
	"testing"

	"strata/region"
)

func TestHeatMapHasAPixelForEachChunk(t *testing.T) {
	var h HeatMap
	if _, _, _, err := h.Image(1); !errors.Is(err, ErrNoChunks) {
		t.Errorf("nothing to draw: %v", err)
	}
	first, second := &Region{Pos: region.Pos{X: -1}}, &Region{Pos: region.Pos{Z: 1}}
	first.Classes[0] = Equal // chunk -32,0
	first.Classes[31] = Created
	second.Classes[1023] = Modified // chunk 31,63
	second.Chunks = []Chunk{{X: 31, Z: 63, Class: Modified, Region: &Record{Blocks: 100}}}
	h.Add(first)
	h.Add(second)
	picture, corner, per, err := h.Image(3)
	if err != nil {
		t.Fatal(err)
	}
	if corner != (region.ChunkPos{X: -32}) || per != 1 || picture.Bounds().Dx() != 3*64 || picture.Bounds().Dy() != 3*64 {
		t.Errorf("from %v, %d chunks a pixel, %v", corner, per, picture.Bounds())
	}
	for _, c := range []struct {
		x, z int
		want shade
	}{{0, 0, shadeEqual}, {31, 0, shadeCreated}, {63, 63, shadeModified + 4}, {1, 0, 0}} {
		for _, d := range []int{0, 2} {
			if got := shade(picture.ColorIndexAt(c.x*3+d, c.z*3+d)); got != c.want {
				t.Errorf("chunk %d,%d: shade %d, want %d", c.x, c.z, got, c.want)
			}
		}
	}
	if wide, tall := h.Size(); wide != 64 || tall != 64 {
		t.Errorf("%d by %d", wide, tall)
	}
}

func TestALargeAreaIsDrawnSmaller(t *testing.T) {
	var h HeatMap
	for _, x := range []int32{-50000, 50000} {
		r := &Region{Pos: region.Pos{X: x}}
		r.Classes[0], r.Classes[1] = Equal, Deleted
		h.Add(r)
	}
	picture, _, per, err := h.Image(0)
	if err != nil {
		t.Fatal(err)
	}
	if wide := picture.Bounds().Dx(); wide > MaxHeatMap || wide*per < 3200000 {
		t.Errorf("%d pixels of %d chunks", wide, per)
	}
	if got := shade(picture.ColorIndexAt(0, 0)); got != shadeDeleted {
		t.Errorf("shade %d, want that of what stands out", got)
	}
	if len(heatColors) != int(shadeNoReason)+1 {
		t.Errorf("%d colours for %d shades", len(heatColors), shadeNoReason+1)
	}
}

func TestMoreBlocksAreHotter(t *testing.T) {
	last := shade(0)
	for _, blocks := range []int64{0, 1, 4, 16, 64, 256, 1024, 4096, 16384} {
		step := heat(blocks)
		if blocks > 0 && step <= last && step != heatSteps-1 || step >= heatSteps {
			t.Errorf("%d blocks: step %d after %d", blocks, step, last)
		}
		last = step
	}
	if heat(1<<40) != heatSteps-1 {
		t.Error("no end of steps")
	}
}
