package worldmap

import (
	"image"

	"strata/region"
)

// rim are the heights of the southern row of a region, which the region south
// of it is shaded by.
type rim [regionSide]heights

// heights are those of a column: what is seen first, and the ground.
type heights struct{ top, floor int16 }

var noHeights = heights{noHeight, noHeight}

// canvas makes pictures of regions in the order of Draw.
type canvas struct {
	image *image.NRGBA
	row   int32 // z of the regions in below
	above map[int32]*rim
	below map[int32]*rim
}

func newCanvas() *canvas {
	return &canvas{
		image: image.NewNRGBA(image.Rect(0, 0, regionSide, regionSide)),
		above: make(map[int32]*rim), below: make(map[int32]*rim),
	}
}

// paint makes the picture of a region. It is the canvas's and holds until the
// next one.
func (c *canvas) paint(pos region.Pos, d *drawn) *image.NRGBA {
	if pos.Z != c.row {
		c.above, c.below = c.below, c.above
		clear(c.below)
		if pos.Z != c.row+1 {
			clear(c.above)
		}
		c.row = pos.Z
	}
	north := c.above[pos.X]
	if north == nil {
		north = new(rim)
		for x := range north {
			north[x] = noHeights
		}
	}
	work := *north
	clear(c.image.Pix)
	for row := range region.Slot(32) {
		for x := range region.Slot(32) {
			slot := row*32 + x
			c.chunk(d, slot, (*[chunkSide]heights)(work[x*chunkSide:]))
		}
	}
	c.below[pos.X] = &work
	return c.image
}

// chunk paints a chunk. north are the heights north of it, and become those of
// its southern row.
func (c *canvas) chunk(d *drawn, slot region.Slot, north *[chunkSide]heights) {
	look := &d.chunks[slot]
	if !look.present || !look.ground {
		for x := range north {
			north[x] = noHeights
		}
	}
	if !look.present {
		return
	}
	first := firstPixel(slot)
	for z := range chunkSide {
		at := first + z*regionSide
		for x := range chunkSide {
			color, alpha := rgb(0), 0
			if look.ground {
				column := &d.columns[at+x]
				color, alpha = shaded(column, north[x]), 255
				north[x] = heights{column.top, column.floor}
			}
			if look.marked {
				color, alpha = marked(color, look), 255
			}
			if look.hatch != 0 {
				color, alpha = hatched(color, alpha, look, x, z)
			}
			pix := c.image.Pix[(at+x)*4:][:4]
			pix[0], pix[1], pix[2], pix[3] = uint8(color>>16), uint8(color>>8), uint8(color), uint8(alpha)
		}
	}
}

// shaded is the color of a column beside that north of it.
func shaded(column *column, north heights) rgb {
	if column.top == noHeight {
		return voidColor
	}
	if column.top == column.floor {
		difference := 0
		if north.top != noHeight {
			difference = int(column.top) - int(north.top)
		}
		return column.color.scaled(shade(difference))
	}
	if column.floor == noHeight {
		return under(voidColor, column.water, maxDepth)
	}
	difference := 0
	if north.floor != noHeight && north.floor != north.top {
		difference = int(column.floor) - int(north.floor)
	}
	return under(column.color.scaled(shade(difference)), column.water, int(column.top)-int(column.floor))
}

// marked is a color with that of an overlay over it: the ground stays as gray.
func marked(color rgb, look *chunkLook) rgb {
	r, g, b := color.parts()
	gray := (r*3 + g*6 + b) / 10
	if !look.ground {
		gray = 128
	}
	m := look.mark.Color
	over := toRGB(int(m.R), int(m.G), int(m.B))
	return toRGB(gray, gray, gray).mixed(over, int(m.A)*170/255)
}

// hatched draws stripes from one corner to the other, which go on from chunk to
// chunk. Where there is nothing under them there is a faint ground.
func hatched(color rgb, alpha int, look *chunkLook, x, z int) (rgb, int) {
	stripe := (x+z)&7 < 2
	switch {
	case alpha == 0 && stripe:
		return look.hatch, 255
	case alpha == 0:
		return look.hatch.scaled(130), 150
	case stripe:
		return color.mixed(look.hatch, 190), 255
	default:
		return color.mixed(look.hatch, 40), 255
	}
}
