package density

import (
	"encoding/json"
	"fmt"
)

// Router names the functions that terrain and biomes of a dimension are made
// from: the noise_router of noise settings.
type Router struct {
	Barrier                 Node
	FluidLevelFloodedness   Node
	FluidLevelSpread        Node
	Lava                    Node
	Temperature             Node
	Vegetation              Node
	Continents              Node
	Erosion                 Node
	Depth                   Node
	Ridges                  Node
	PreliminarySurfaceLevel Node
	FinalDensity            Node
	VeinToggle              Node
	VeinRidged              Node
	VeinGap                 Node
}

// each calls f with each field's name in the data.
func (r *Router) each(f func(name string, n *Node)) {
	f("barrier", &r.Barrier)
	f("fluid_level_floodedness", &r.FluidLevelFloodedness)
	f("fluid_level_spread", &r.FluidLevelSpread)
	f("lava", &r.Lava)
	f("temperature", &r.Temperature)
	f("vegetation", &r.Vegetation)
	f("continents", &r.Continents)
	f("erosion", &r.Erosion)
	f("depth", &r.Depth)
	f("ridges", &r.Ridges)
	f("preliminary_surface_level", &r.PreliminarySurfaceLevel)
	f("final_density", &r.FinalDensity)
	f("vein_toggle", &r.VeinToggle)
	f("vein_ridged", &r.VeinRidged)
	f("vein_gap", &r.VeinGap)
}

// Router loads the noise_router of the noise settings of an id, given its JSON
// text.
func (l *Loader) Router(id string, text []byte) (Router, error) {
	at := place{settingsRegistry, id, "noise_router"}
	value, err := decode(text)
	if err != nil {
		return Router{}, at.wrap(err)
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return Router{}, at.malformed("not an object")
	}
	var r Router
	o := &object{loader: l, at: at, fields: fields}
	r.each(func(name string, n *Node) { *n = o.function(name) })
	return r, o.err
}

// Settings loads the router and shape of an entry of worldgen/noise_settings.
func (l *Loader) Settings(id string) (Router, Shape, error) {
	at := place{settingsRegistry, id, ""}
	text, err := l.source.Document(settingsRegistry, id)
	if err != nil {
		return Router{}, Shape{}, at.wrap(err)
	}
	var document struct {
		Noise struct {
			MinY   int `json:"min_y"`
			Height int `json:"height"`
			SizeH  int `json:"size_horizontal"`
			SizeV  int `json:"size_vertical"`
		} `json:"noise"`
		Router json.RawMessage `json:"noise_router"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return Router{}, Shape{}, at.malformed("%v", err)
	}
	n := document.Noise
	shape := Shape{MinY: n.MinY, Height: n.Height, CellWidth: 4 * n.SizeH, CellHeight: 4 * n.SizeV}
	if err := shape.Validate(); err != nil {
		return Router{}, Shape{}, at.field("noise").wrap(err)
	}
	router, err := l.Router(id, document.Router)
	return router, shape, err
}

// Shape is where densities are interpolated: heights and cells in blocks.
type Shape struct {
	MinY, Height          int // multiples of 16
	CellWidth, CellHeight int // 4, 8, 12 or 16; the width divides 16
}

// Validate reports whether terrain can have the shape. Its errors wrap
// ErrFormat.
func (s Shape) Validate() error {
	switch {
	case s.MinY%16 != 0 || s.Height%16 != 0 || s.MinY < -2032 || s.Height < 0 || s.MinY+s.Height > 2032:
		return fmt.Errorf("%w: height %d from %d", ErrFormat, s.Height, s.MinY)
	case s.CellWidth != 4 && s.CellWidth != 8 && s.CellWidth != 16:
		return fmt.Errorf("%w: cells %d wide", ErrFormat, s.CellWidth)
	case s.CellHeight != 4 && s.CellHeight != 8 && s.CellHeight != 12 && s.CellHeight != 16:
		return fmt.Errorf("%w: cells %d high", ErrFormat, s.CellHeight)
	}
	return nil
}

// Cells returns how many cells a chunk has along x and z, and along y.
func (s Shape) Cells() (horizontal, vertical int) {
	return 16 / s.CellWidth, s.Height / s.CellHeight
}

// FirstY is the lowest block of the lowest cells; below MinY where the height
// of cells does not divide it.
func (s Shape) FirstY() int { return floorDiv(s.MinY, s.CellHeight) * s.CellHeight }

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
