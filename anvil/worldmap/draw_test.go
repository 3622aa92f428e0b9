package worldmap

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/region"
)

// side chunks of hills are drawn.
const hillSide = 7

// hillWorld is a world of hills with its north-western chunk at a place.
func hillWorld(t testing.TB, x, z int32) *anvil.World {
	t.Helper()
	area := Area{region.ChunkPos{X: x, Z: z}, region.ChunkPos{X: x + hillSide - 1, Z: z + hillSide - 1}}
	return build(t, area, func(pos region.ChunkPos) *chunk.Chunk { return hills(t, pos, int(pos.X-x), int(pos.Z-z)) })
}

// The same land, cut into region files elsewhere, gives the same picture: at
// the borders of regions nothing differs from the inside.
func TestPicturesHaveNoSeamsBetweenRegions(t *testing.T) {
	whole := hillWorld(t, 4, 4) // in one region
	split := hillWorld(t, -3, 29)
	for _, scale := range []int{1, 2, 4, 16} {
		want, all := picture(t, whole, Options{}, scale)
		got, result := picture(t, split, Options{}, scale)
		if want.Rect != got.Rect || !bytes.Equal(want.Pix, got.Pix) {
			t.Errorf("1:%d: the picture differs if regions end elsewhere", scale)
		}
		if all.Chunks != result.Chunks || all.Half != result.Half || all.Half == 0 {
			t.Errorf("1:%d: %+v and %+v", scale, all, result)
		}
	}
}

func TestPicturesAreTheSameWhateverTheWorkers(t *testing.T) {
	w := hillWorld(t, -3, 29)
	one, _ := picture(t, w, Options{Workers: 1}, 1)
	many, _ := picture(t, w, Options{Workers: 4}, 1)
	if !bytes.Equal(one.Pix, many.Pix) {
		t.Error("pictures by one worker and by four differ")
	}
}

// The digests change with every change of what is drawn: then look at the
// picture (STRATA_MAP_OUT names a folder for them) before taking the new one.
func TestPicturesAreAsBefore(t *testing.T) {
	w := hillWorld(t, -3, 29)
	status := Overlays()[2]
	cut := 61
	for name, test := range map[string]struct {
		options Options
		scale   int
		want    string
	}{
		"plain":   {Options{}, 1, "25ca93d5fc08c505"},
		"small":   {Options{}, 8, "9a38503935f0cf38"},
		"cut":     {Options{MaxY: &cut}, 1, "397c6ca12f980e86"},
		"overlay": {Options{Overlay: &status}, 1, "33ab3d2a03884411"},
	} {
		m, _ := picture(t, w, test.options, test.scale)
		sum := sha256.Sum256(m.Pix)
		if got := hex.EncodeToString(sum[:8]); got != test.want {
			t.Errorf("%s: digest %s, was %s", name, got, test.want)
		}
		if dir := os.Getenv("STRATA_MAP_OUT"); dir != "" {
			savePicture(t, filepath.Join(dir, name+".png"), m)
		}
	}
}

func savePicture(t *testing.T, path string, m *image.NRGBA) {
	t.Helper()
	var out bytes.Buffer
	p := newPNGWriter(&out, m.Rect.Dx(), m.Rect.Dy())
	for y := range m.Rect.Dy() {
		if err := p.row(m.Pix[y*m.Stride:][:m.Rect.Dx()*4]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(p.close(), os.WriteFile(path, out.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// plane is a chunk of stone up to y 63, but for its columns that change sets.
func plane(t testing.TB, pos region.ChunkPos, change func(c *chunk.Chunk)) *chunk.Chunk {
	t.Helper()
	c := empty(t, pos, chunk.StatusFull)
	for z := range 16 {
		for x := range 16 {
			fill(t, c, x, z, 0, 63, "stone")
		}
	}
	if change != nil {
		change(c)
	}
	return c
}

// oneChunk draws a world of one chunk.
func oneChunk(t testing.TB, o Options, change func(c *chunk.Chunk)) *image.NRGBA {
	t.Helper()
	area := Area{}
	w := build(t, area, func(pos region.ChunkPos) *chunk.Chunk { return plane(t, pos, change) })
	m, _ := picture(t, w, o, 1)
	return m
}

func luma(m *image.NRGBA, x, z int) int {
	c := m.NRGBAAt(x, z)
	return int(c.R)*3 + int(c.G)*6 + int(c.B)
}

func TestSlopesToTheNorthAreLightAndToTheSouthDark(t *testing.T) {
	m := oneChunk(t, Options{}, func(c *chunk.Chunk) { fill(t, c, 8, 8, 64, 66, "stone") })
	flat, top, behind := luma(m, 8, 7), luma(m, 8, 8), luma(m, 8, 9)
	if top <= flat || behind >= flat || luma(m, 7, 8) != flat {
		t.Errorf("on top %d, south of it %d, flat %d, beside it %d", top, behind, flat, luma(m, 7, 8))
	}
}

func TestWaterShowsTheGroundWhereItIsShallow(t *testing.T) {
	m := oneChunk(t, Options{}, func(c *chunk.Chunk) {
		for z := range 16 {
			for x := range 16 {
				fill(t, c, x, z, 63-x, 63, "water")
				fill(t, c, x, z, 62-x, 62-x, []string{"sand", "redstone_block"}[z&1])
			}
		}
	})
	difference := func(x int) int {
		a, b := m.NRGBAAt(x, 4), m.NRGBAAt(x, 5)
		return abs(int(a.R)-int(b.R)) + abs(int(a.G)-int(b.G)) + abs(int(a.B)-int(b.B))
	}
	for x := 1; x < 16; x++ {
		if difference(x) > difference(x-1)+3 || luma(m, x, 4) > luma(m, x-1, 4)+10 {
			t.Errorf("water of depth %d shows more of its ground than that of %d", x+1, x)
		}
	}
	if difference(0) < 60 || difference(15) > 60 {
		t.Errorf("ground under 1 block of water %d, under 16 %d", difference(0), difference(15))
	}
	if c := m.NRGBAAt(15, 4); c.B <= c.R || c.B <= c.G {
		t.Errorf("deep water is %v", c)
	}
}

func TestTheCutGoesToTheHighestAirBelow(t *testing.T) {
	cut := 40
	m := oneChunk(t, Options{MaxY: &cut}, func(c *chunk.Chunk) {
		fill(t, c, 1, 1, 30, 35, "air")           // a cave below the cut
		fill(t, c, 1, 1, 29, 29, "gold_block")    // and its ground
		fill(t, c, 2, 1, 38, 45, "air")           // a cave through it
		fill(t, c, 2, 1, 37, 37, "diamond_block") //
		fill(t, c, 3, 1, 50, 60, "air")           // one above it
		fill(t, c, 4, 1, 40, 40, "emerald_block") // nothing under it
		fill(t, c, 5, 1, 0, 63, "air")            // no ground
		fill(t, c, 6, 1, 33, 35, "water")         // water in the ground
	})
	base := func(x int, name string) {
		t.Helper()
		want := oneChunk(t, Options{}, func(c *chunk.Chunk) {
			for z := range 16 {
				fill(t, c, 0, z, 63, 63, name)
			}
		}).NRGBAAt(0, 0)
		got := m.NRGBAAt(x, 1)
		// The same color at another brightness.
		if a, b := int(got.R)*int(want.G), int(got.G)*int(want.R); abs(a-b) > 700 {
			t.Errorf("column %d is %v, not of %s: %v", x, got, name, want)
		}
	}
	base(1, "gold_block")
	base(2, "diamond_block")
	base(3, "stone")
	base(4, "emerald_block")
	if got, want := m.NRGBAAt(5, 1), opaque(voidColor); got != want {
		t.Errorf("a column without ground is %v, not %v", got, want)
	}
	if c := m.NRGBAAt(6, 1); c.B <= c.R {
		t.Errorf("water below the cut is %v", c)
	}
}

func TestAbsentAndUnpickedChunksAreTransparent(t *testing.T) {
	area := Area{Max: region.ChunkPos{X: 2}}
	w := build(t, area, func(pos region.ChunkPos) *chunk.Chunk {
		if pos.X == 1 {
			return nil
		}
		return plane(t, pos, nil)
	})
	m, _ := picture(t, w, Options{}, 1)
	if m.NRGBAAt(24, 3) != (color.NRGBA{}) || m.NRGBAAt(8, 3).A != 255 || m.NRGBAAt(40, 3).A != 255 {
		t.Error("an absent chunk is not transparent, or another one is")
	}
	m, result := picture(t, w, Options{Area: &area, Pick: func(pos region.ChunkPos) bool { return pos.X == 2 }}, 1)
	if m.NRGBAAt(8, 3) != (color.NRGBA{}) || m.NRGBAAt(40, 3).A != 255 || m.Rect.Dx() != 48 || result.Chunks != 1 {
		t.Errorf("a chunk that is not picked is drawn, or the picture is not of the area: %v, %+v", m.Rect, result)
	}
	m, _ = picture(t, w, Options{Pick: func(pos region.ChunkPos) bool { return pos.X == 2 }}, 1)
	if m.Rect.Dx() != 16 {
		t.Errorf("a picture of one chunk is %v", m.Rect)
	}
}

func TestChunksThatCannotBeDrawnAreHatchedAndCounted(t *testing.T) {
	area := Area{Max: region.ChunkPos{X: 3}}
	w := build(t, area, func(pos region.ChunkPos) *chunk.Chunk {
		if pos.X == 3 {
			return plane(t, pos, nil)
		}
		return nil
	})
	d, err := w.Dimension(anvil.Overworld)
	if err != nil {
		t.Fatal(err)
	}
	old := []byte("\x0a\x00\x00\x03\x00\x0bDataVersion\x00\x00\x05\x3f\x00") // 1343, which is 1.12.2
	full, err := new(chunk.Encoder).Encode(nil, plane(t, region.ChunkPos{X: 3}, nil))
	if err != nil {
		t.Fatal(err)
	}
	writeRegion(t, filepath.Join(d.Region, "r.0.0.mca"), map[region.Slot][]byte{
		0: old, 1: full[:len(full)/2], 2: []byte("\x09\x00\x00\x00"), 3: full,
	})
	status := Overlays()[2]
	for _, o := range []Options{{}, {Overlay: &status}} {
		m, result := picture(t, w, o, 1)
		got := [...]int64{result.Chunks, result.Half, result.TooOld, result.Unreadable}
		if diff := cmp.Diff([...]int64{4, 0, 1, 2}, got); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
		if result.First == nil || len(result.Failed) > 0 {
			t.Errorf("first error %v, failed %v", result.First, result.Failed)
		}
		for x, want := range []rgb{tooOldColor, unreadableColor, unreadableColor} {
			if o.Overlay == nil && m.NRGBAAt(x*16, 0) != opaque(want) {
				t.Errorf("stripes of chunk %d are %v", x, m.NRGBAAt(x*16, 0))
			}
		}
	}
}

func TestAFileThatIsNoRegionFileFailsAlone(t *testing.T) {
	w := build(t, Area{}, func(pos region.ChunkPos) *chunk.Chunk { return plane(t, pos, nil) })
	d, err := w.Dimension(anvil.Overworld)
	if err != nil {
		t.Fatal(err)
	}
	// A folder by the name of a region file can be listed, not read.
	if err := os.Mkdir(filepath.Join(d.Region, "r.1.0.mca"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, result := picture(t, w, Options{}, 1)
	if result.Chunks != 1 || len(result.Failed) != 1 {
		t.Errorf("%d chunks, failed: %v", result.Chunks, result.Failed)
	}
}

func TestPlansRefuseWhatCannotBeDrawn(t *testing.T) {
	w := build(t, Area{}, func(pos region.ChunkPos) *chunk.Chunk { return plane(t, pos, nil) })
	far := Area{region.ChunkPos{X: 10}, region.ChunkPos{X: 20}}
	upside := Area{region.ChunkPos{X: 1}, region.ChunkPos{}}
	huge := Area{region.ChunkPos{X: -MaxChunk}, region.ChunkPos{X: MaxChunk}}
	beyond := Area{region.ChunkPos{}, region.ChunkPos{X: MaxChunk + 1}}
	for _, test := range []struct {
		options Options
		scale   int
		want    error
	}{
		{Options{Dimension: "Not A Name"}, 1, anvil.ErrNoDimension},
		{Options{Dimension: anvil.End}, 1, ErrEmpty},
		{Options{Area: &far}, 1, ErrEmpty},
		{Options{Area: &upside}, 1, ErrArea},
		{Options{Area: &beyond}, 1, ErrArea},
		{Options{Area: &huge}, 1, ErrTooLarge},
		{Options{}, 3, ErrScale},
		{Options{}, 0, ErrScale},
		{Options{}, 1024, ErrScale},
	} {
		p, err := NewPlan(w, test.options)
		if err == nil {
			_, err = p.WritePNG(t.Context(), &bytes.Buffer{}, test.scale)
		}
		if !errors.Is(err, test.want) {
			t.Errorf("%+v at %d: %v, want %v", test.options, test.scale, err, test.want)
		}
	}
	p, err := NewPlan(w, Options{Area: &huge})
	if err != nil {
		t.Fatal(err)
	}
	if scale := p.FitScale(MaxSide); scale != 512 {
		t.Errorf("an area of %d chunks fits at 1:%d", 2*MaxChunk, scale)
	}
}

func TestDrawEndsWithTheErrorOfTheCallerOrItsContext(t *testing.T) {
	w := hillWorld(t, -3, 29)
	p, err := NewPlan(w, Options{})
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	if _, err := p.Draw(t.Context(), func(*Region) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("the error is %v", err)
	}
}
