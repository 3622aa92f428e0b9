package pregen

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"sync"

	"strata/pregen/plan"
	"strata/region"
)

// Map is a picture of what a run has done in one dimension: north is up, each
// chunk a square, or, in large areas, a part of one. It is safe for concurrent
// use.
type Map struct {
	mu     sync.Mutex // guards cells
	cells  []State
	bounds plan.Rect
	step   int32 // chunks a cell, each way
	w, h   int   // in cells
	scale  int   // pixels a cell, each way
}

// A map has at most maxCells cells a side; smaller ones are enlarged to about
// fewPixels.
const (
	maxCells  = 4096
	fewPixels = 512
)

// mapColors are the colours of the states.
var mapColors = color.Palette{
	Planned:  color.RGBA{},
	New:      color.RGBA{0x3c, 0xa6, 0x4b, 0xff}, // green
	Resumed:  color.RGBA{0x8f, 0xcf, 0x8a, 0xff}, // light green
	Existing: color.RGBA{0x4f, 0x7f, 0xc4, 0xff}, // blue
	Failed:   color.RGBA{0xd6, 0x2b, 0x2b, 0xff}, // red
	Rim:      color.RGBA{0xa0, 0xa0, 0xa0, 0xff}, // grey
	Left:     color.RGBA{0xd9, 0xa4, 0x2b, 0xff}, // yellow
}

// NewMap returns an empty map of a rectangle.
func NewMap(bounds plan.Rect) *Map {
	m := &Map{bounds: bounds, step: 1, scale: 1}
	if bounds.Empty() {
		return m
	}
	width, height := int64(bounds.MaxX)-int64(bounds.MinX)+1, int64(bounds.MaxZ)-int64(bounds.MinZ)+1
	m.step = int32((max(width, height) + maxCells - 1) / maxCells)
	m.w = int((width + int64(m.step) - 1) / int64(m.step))
	m.h = int((height + int64(m.step) - 1) / int64(m.step))
	m.scale = max(fewPixels/max(m.w, m.h), 1)
	m.cells = make([]State, m.w*m.h)
	return m
}

// Set paints a chunk. Where several share a cell the last one counts, but one
// that failed stays.
func (m *Map) Set(c region.ChunkPos, s State) {
	if !m.bounds.Contains(c) || int(s) >= len(mapColors) {
		return
	}
	x, z := int((c.X-m.bounds.MinX)/m.step), int((c.Z-m.bounds.MinZ)/m.step)
	m.mu.Lock()
	defer m.mu.Unlock()
	if at := &m.cells[z*m.w+x]; *at != Failed {
		*at = s
	}
}

// WritePNG writes the picture.
func (m *Map) WritePNG(w io.Writer) error {
	img := image.NewPaletted(image.Rect(0, 0, max(m.w*m.scale, 1), max(m.h*m.scale, 1)), mapColors)
	m.mu.Lock()
	for z := range m.h {
		row := img.Pix[z*m.scale*img.Stride:]
		for x := range m.w {
			for i := range m.scale {
				row[x*m.scale+i] = uint8(m.cells[z*m.w+x])
			}
		}
		for i := 1; i < m.scale; i++ {
			copy(row[i*img.Stride:], row[:img.Stride])
		}
	}
	m.mu.Unlock()
	return png.Encode(w, img)
}
