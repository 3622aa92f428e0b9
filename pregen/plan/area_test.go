package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/region"
)

func TestRadius24Is49By49(t *testing.T) {
	a, err := NewArea(Square, Block{0, 0}, Radius{X: 24, Z: 24})
	if err != nil {
		t.Fatal(err)
	}
	if n := a.Chunks(); n != 49*49 {
		t.Errorf("%d chunks, want %d", n, 49*49)
	}
	for _, c := range []region.ChunkPos{{X: -24, Z: -24}, {X: 24, Z: 24}} {
		if !a.Contains(c) {
			t.Errorf("chunk %v is not in it", c)
		}
	}
	if a.Contains(region.ChunkPos{X: 25, Z: 0}) || a.Contains(region.ChunkPos{X: 0, Z: -25}) {
		t.Error("it is too large")
	}
}

func TestABoxCoversAllOfItsBlocks(t *testing.T) {
	// A world border of 1,000 blocks around 7.5,-3: blocks -493 to 507.
	a, err := NewBox(Block{-493, -503}, Block{507, 496})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []Block{{-493, -503}, {507, 496}, {507, -503}, {0, 0}} {
		if c := (region.ChunkPos{X: b.X >> 4, Z: b.Z >> 4}); !a.Contains(c) {
			t.Errorf("block %v is not covered", b)
		}
	}
	if n := a.Chunks(); n != 63*64 {
		t.Errorf("%d chunks, want %d", n, 63*64)
	}
}

func TestTheLargestAreasAreCountedFast(t *testing.T) {
	a, err := NewArea(Circle, Block{}, Radius{X: 3_000, Z: 3_000})
	if err != nil {
		t.Fatal(err)
	}
	// pi r^2, up to what the border makes.
	if n := float64(a.Chunks()); n < 28.27e6 || n > 28.29e6 {
		t.Errorf("%.0f chunks", n)
	}
}

func TestAreasThatCannotBeAreRefused(t *testing.T) {
	if _, err := NewArea(Circle, Block{}, Radius{X: 3, Z: 4}); !errors.Is(err, ErrRadius) {
		t.Errorf("a circle with two radii: %v", err)
	}
	if _, err := NewArea("blob", Block{}, Radius{X: 3, Z: 3}); !errors.Is(err, ErrShape) {
		t.Errorf("a blob: %v", err)
	}
	if _, err := NewArea(Polygon, Block{}, Radius{X: 3, Z: 3}); !errors.Is(err, ErrShape) {
		t.Errorf("a polygon of a radius: %v", err)
	}
	if _, err := NewArea(Square, Block{29_999_990, 0}, Radius{X: 3, Z: 3}); !errors.Is(err, ErrRange) {
		t.Errorf("beyond the world: %v", err)
	}
	if _, err := NewArea(Square, Block{}, Radius{X: 1 << 30, Z: 1 << 30}); !errors.Is(err, ErrRange) {
		t.Errorf("a huge radius: %v", err)
	}
	if _, err := NewArea(Square, Block{}, Radius{X: 100_000, Z: 100_000}); !errors.Is(err, ErrRange) {
		t.Errorf("too many chunks: %v", err)
	}
	if _, err := NewPolygon([]Block{{}, {5, 5}}); !errors.Is(err, ErrPolygon) {
		t.Errorf("a line: %v", err)
	}
	if _, err := NewBox(Block{5, 0}, Block{4, 9}); !errors.Is(err, ErrRange) {
		t.Errorf("a box inside out: %v", err)
	}
	area, err := NewArea(Square, Block{}, Radius{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{Side: 3}, {Side: 64}, {Rim: 9}, {Rim: -1}} {
		if _, err := New(area, o); !errors.Is(err, ErrRange) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := New(area, Options{Order: "zigzag"}); !errors.Is(err, ErrOrder) {
		t.Errorf("zigzag: %v", err)
	}
}

func TestRadiiAreRead(t *testing.T) {
	for text, want := range map[string]Radius{
		"24": {X: 24, Z: 24}, "400b": {X: 400, Z: 400, Blocks: true}, "24,12": {X: 24, Z: 12},
		"400b, 200b": {X: 400, Z: 200, Blocks: true}, "0": {},
	} {
		got, err := ParseRadius(text)
		if err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
		if again, err := ParseRadius(got.String()); err != nil || again != got {
			t.Errorf("%v is written as %q, read as %v, %v", got, got.String(), again, err)
		}
	}
	for _, text := range []string{"", "-1", "b", "3c", "1.5", "4,4b", "9999999999", "1,2,3"} {
		if got, err := ParseRadius(text); !errors.Is(err, ErrRadius) {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
}

func TestPolygonsAreRead(t *testing.T) {
	got, err := ReadPolygon(strings.NewReader("x,z\n# a comment\n\n-5, 10\n7,-8\r\n100,200\n"))
	if diff := cmp.Diff([]Block{{-5, 10}, {7, -8}, {100, 200}}, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, text := range []string{"1,2\nx,z", "1", "1;2", "1,2,3", "99999999,0", "1,", strings.Repeat("1,1\n", MaxCorners+1), strings.Repeat(" ", 5000)} {
		if got, err := ReadPolygon(strings.NewReader(text)); !errors.Is(err, ErrPolygon) {
			t.Errorf("%.20q is read as %v, %v", text, got, err)
		}
	}
}

func TestDifferentAreasHaveDifferentDescriptions(t *testing.T) {
	seen := map[string]string{}
	for _, s := range samples(t) {
		if other, ok := seen[s.area.String()]; ok {
			t.Errorf("%s and %s are both %q", s.name, other, s.area)
		}
		seen[s.area.String()] = s.name
	}
}

// FuzzReadPolygon: any text gives corners that make an area, or an error.
func FuzzReadPolygon(f *testing.F) {
	f.Add("0,0\n100,0\n0,100\n")
	f.Add("x,z\n-5,5")
	f.Fuzz(func(t *testing.T, text string) {
		corners, err := ReadPolygon(strings.NewReader(text))
		if err != nil {
			return
		}
		area, err := NewPolygon(corners)
		if err != nil {
			return
		}
		b := area.Bounds()
		for i := range 40 {
			c := region.ChunkPos{X: b.MinX + int32(i*7919)%max(b.MaxX-b.MinX, 1), Z: b.MinZ + int32(i*104729)%max(b.MaxZ-b.MinZ, 1)}
			m := area.Mask(c.Region())
			if m.Has(c.Slot()) != area.Contains(c) {
				t.Fatalf("chunk %v of %s: the mask says otherwise", c, area)
			}
		}
	})
}
