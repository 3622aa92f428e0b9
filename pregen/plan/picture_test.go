package plan

import (
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/region"
)

var pictures = flag.String("pictures", "", "write a picture of every shape and order to this `folder`")

// TestDrawEveryShapeAndOrder draws, for a person to look at, the way through
// each area: from blue over green to red, rim grey, the axes and the borders of
// regions dark.
func TestDrawEveryShapeAndOrder(t *testing.T) {
	if *pictures == "" {
		t.Skip("no -pictures folder")
	}
	for _, s := range samples(t) {
		for _, order := range Orders() {
			name := strings.NewReplacer(" ", "-", ",", "-").Replace(s.name+"-"+string(order)) + ".png"
			p, err := New(s.area, Options{Order: order, Centre: region.ChunkPos{X: 2, Z: -1}, Rim: 1})
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Create(filepath.Join(*pictures, name))
			if err != nil {
				t.Fatal(err)
			}
			if err := png.Encode(f, draw(p)); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func draw(p *Plan) image.Image {
	const scale = 4
	b := p.area.Bounds().grow(2)
	img := image.NewRGBA(image.Rect(0, 0, int(b.MaxX-b.MinX+1)*scale, int(b.MaxZ-b.MinZ+1)*scale))
	paint := func(c region.ChunkPos, col color.RGBA) {
		for z := range scale {
			for x := range scale {
				img.SetRGBA(int(c.X-b.MinX)*scale+x, int(c.Z-b.MinZ)*scale+z, col)
			}
		}
	}
	total, n := p.area.Chunks(), int64(0)
	for tile := range p.Tiles() {
		tile.Rim.Slots(func(s region.Slot) { paint(tile.Region.Chunk(s), color.RGBA{160, 160, 160, 255}) })
		tile.Want.Slots(func(s region.Slot) {
			at := uint8(n * 255 / total)
			paint(tile.Region.Chunk(s), color.RGBA{at, 255 - max(at, 255-at), 255 - at, 255})
			n++
		})
	}
	for z := b.MinZ; z <= b.MaxZ; z++ {
		for x := b.MinX; x <= b.MaxX; x++ {
			if x&31 == 0 || z&31 == 0 {
				px, pz := int(x-b.MinX)*scale, int(z-b.MinZ)*scale
				for i := range scale {
					if x&31 == 0 {
						img.SetRGBA(px, pz+i, color.RGBA{0, 0, 0, 255})
					}
					if z&31 == 0 {
						img.SetRGBA(px+i, pz, color.RGBA{0, 0, 0, 255})
					}
				}
			}
		}
	}
	return img
}
