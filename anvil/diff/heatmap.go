package diff

import (
	"image"
	"image/color"
	"math/bits"

	"strata/region"
)

// HeatMap collects the classes of the chunks of one dimension and draws them: a
// pixel for each chunk, or a square, or where the area is large a pixel for
// several, which has the colour of the one that stands out most. It takes 1 KiB
// for each region. Not safe for concurrent use.
type HeatMap struct {
	regions map[region.Pos]*[region.Slots]shade
}

// shade is what a pixel shows: 0 for nothing.
type shade uint8

// The shades, by how much they stand out. Modified chunks have heatSteps of them,
// by how many blocks differ.
const (
	shadeEqual shade = 1 + iota
	shadeMoved
	shadeTouched
	shadeModified
	heatSteps     = 9
	shadeDeleted  = shadeModified + heatSteps
	shadeCreated  = shadeDeleted + 1
	shadeNoReason = shadeCreated + 1 // unreadable
)

// MaxHeatMap is the longest side of a picture, in pixels.
const MaxHeatMap = 4096

// heatColors are those of the shades: a dark ground, blue where little has
// happened, yellow to red where blocks differ, green and violet for what came and
// went, white for what could not be read.
var heatColors = color.Palette{
	color.RGBA{0x10, 0x12, 0x16, 0xff},
	color.RGBA{0x2c, 0x33, 0x3d, 0xff},
	color.RGBA{0x3c, 0x55, 0x6b, 0xff},
	color.RGBA{0x3f, 0x86, 0xb8, 0xff},
	color.RGBA{0xff, 0xf0, 0x9a, 0xff}, // no block differs
	color.RGBA{0xff, 0xe2, 0x6a, 0xff},
	color.RGBA{0xfe, 0xcb, 0x4c, 0xff},
	color.RGBA{0xfe, 0xb0, 0x40, 0xff},
	color.RGBA{0xfd, 0x8f, 0x3a, 0xff},
	color.RGBA{0xfa, 0x6a, 0x31, 0xff},
	color.RGBA{0xef, 0x42, 0x28, 0xff},
	color.RGBA{0xd2, 0x1f, 0x22, 0xff},
	color.RGBA{0xa1, 0x0b, 0x24, 0xff},
	color.RGBA{0xb0, 0x4c, 0xd0, 0xff},
	color.RGBA{0x4c, 0xc0, 0x5a, 0xff},
	color.RGBA{0xff, 0xff, 0xff, 0xff},
}

// Add puts a region into the picture.
func (h *HeatMap) Add(r *Region) {
	if h.regions == nil {
		h.regions = map[region.Pos]*[region.Slots]shade{}
	}
	shades := new([region.Slots]shade)
	for slot, class := range r.Classes {
		shades[slot] = classShade(class)
	}
	for i := range r.Chunks {
		if c := &r.Chunks[i]; c.Class == Modified && c.Region != nil {
			shades[c.Pos().Slot()] = shadeModified + heat(c.Region.Blocks)
		}
	}
	h.regions[r.Pos] = shades
}

func classShade(c Class) shade {
	switch c {
	case Equal:
		return shadeEqual
	case Moved:
		return shadeMoved
	case Touched:
		return shadeTouched
	case Modified:
		return shadeModified
	case Deleted:
		return shadeDeleted
	case Created:
		return shadeCreated
	case Unreadable:
		return shadeNoReason
	default:
		return 0
	}
}

// heat is a step for each factor of four: 1, 4, 16, ... 16,384 blocks.
func heat(blocks int64) shade {
	return shade(min(heatSteps-1, (bits.Len64(uint64(blocks))+1)/2))
}

// Image draws the picture. North is up. scale is how many pixels a chunk is wide;
// 0 chooses one by the size of the area; what would be longer than MaxHeatMap is
// made smaller. It returns the chunk in the upper left corner and how many chunks
// a pixel is wide, 1 where a chunk is a pixel or more. ErrNoChunks if nothing was
// added.
func (h *HeatMap) Image(scale int) (_ *image.Paletted, corner region.ChunkPos, per int, err error) {
	low, high, ok := h.bounds()
	if !ok {
		return nil, low, 0, ErrNoChunks
	}
	wide, tall := int64(high.X)-int64(low.X)+1, int64(high.Z)-int64(low.Z)+1
	longest := max(wide, tall)
	per = int((longest + MaxHeatMap - 1) / MaxHeatMap)
	if scale <= 0 {
		scale = int(min(16, max(1, 1024/longest)))
	}
	scale = int(min(int64(scale), max(1, MaxHeatMap*int64(per)/longest)))
	if per > 1 {
		scale = 1
	}
	pixels := func(n int64) int { return int((n+int64(per)-1)/int64(per)) * scale }
	picture := image.NewPaletted(image.Rect(0, 0, pixels(wide), pixels(tall)), heatColors)
	for pos, shades := range h.regions {
		for slot, s := range shades {
			if s == 0 {
				continue
			}
			c := pos.Chunk(region.Slot(slot))
			x, y := int((int64(c.X)-int64(low.X))/int64(per))*scale, int((int64(c.Z)-int64(low.Z))/int64(per))*scale
			square(picture, x, y, scale, s)
		}
	}
	return picture, low, per, nil
}

// square paints a square, unless what is there stands out more.
func square(picture *image.Paletted, x, y, size int, s shade) {
	if shade(picture.ColorIndexAt(x, y)) >= s {
		return
	}
	for dy := range size {
		row := picture.Pix[picture.PixOffset(x, y+dy):]
		for dx := range size {
			row[dx] = uint8(s)
		}
	}
}

// bounds are the outermost chunks.
func (h *HeatMap) bounds() (low, high region.ChunkPos, ok bool) {
	for pos, shades := range h.regions {
		for slot, s := range shades {
			if s == 0 {
				continue
			}
			c := pos.Chunk(region.Slot(slot))
			if !ok {
				low, high, ok = c, c, true
				continue
			}
			low.X, low.Z = min(low.X, c.X), min(low.Z, c.Z)
			high.X, high.Z = max(high.X, c.X), max(high.Z, c.Z)
		}
	}
	return low, high, ok
}

// Size is how many chunks wide and tall the area is, 0 if nothing was added.
func (h *HeatMap) Size() (wide, tall int) {
	low, high, ok := h.bounds()
	if !ok {
		return 0, 0
	}
	return int(int64(high.X) - int64(low.X) + 1), int(int64(high.Z) - int64(low.Z) + 1)
}
