package worldmap

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"
)

//go:embed page.html
var page []byte

// dataPlace is where the page has its map.
const dataPlace = "/*MAP*/null"

// pageData is what the page and map.json know of a map.
type pageData struct {
	Format    string      `json:"format"`
	Name      string      `json:"name"`
	Dimension string      `json:"dimension"`
	Overlay   string      `json:"overlay"`
	TileSide  int         `json:"tile_side"`
	MinX      int         `json:"min_x"` // blocks, and the ones after the last
	MinZ      int         `json:"min_z"`
	MaxX      int         `json:"max_x"`
	MaxZ      int         `json:"max_z"`
	Chunks    int64       `json:"chunks"`
	Levels    []pageLevel `json:"levels"`
	Legend    []pageMark  `json:"legend"`
}

type pageLevel struct {
	Scale int        `json:"scale"`
	Tiles [][2]int32 `json:"tiles"` // x, z
}

type pageMark struct {
	Label  string `json:"label"`
	Color  string `json:"color"`
	Chunks int64  `json:"chunks"`
}

const pageFormat = "strata-map-1"

// CSSColor is a mark's color as in web pages: #rrggbb.
func (m Mark) CSSColor() string { return fmt.Sprintf("#%02x%02x%02x", m.Color.R, m.Color.G, m.Color.B) }

func newPageData(p *Plan, name string, levels []Level, result *Result) *pageData {
	d := &pageData{
		Format: pageFormat, Name: name, Dimension: p.options.Dimension, TileSide: tileSide, Chunks: result.Chunks,
		MinX: int(p.Bounds.Min.X) * chunkSide, MinZ: int(p.Bounds.Min.Z) * chunkSide,
		MaxX: int(p.Bounds.Max.X+1) * chunkSide, MaxZ: int(p.Bounds.Max.Z+1) * chunkSide,
		Levels: []pageLevel{}, Legend: []pageMark{},
	}
	if p.options.Overlay != nil {
		d.Overlay = p.options.Overlay.Name
	}
	for _, level := range levels {
		tiles := make([][2]int32, len(level.Tiles))
		for i, pos := range level.Tiles {
			tiles[i] = [2]int32{pos.X, pos.Z}
		}
		d.Levels = append(d.Levels, pageLevel{level.Scale, tiles})
	}
	for _, entry := range result.Legend {
		d.Legend = append(d.Legend, pageMark{entry.Label, entry.CSSColor(), entry.Chunks})
	}
	return d
}

// isPageData reports whether a file is a map.json.
func isPageData(data []byte) bool {
	var d pageData
	return json.Unmarshal(data, &d) == nil && d.Format == pageFormat
}

// writePage writes the page and map.json. JSON as encoding/json makes it may
// stand in a script: it has no <, > or & as such.
func (t *tiler) writePage(d *pageData) error {
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		pageName: bytes.Replace(page, []byte(dataPlace), data, 1), dataName: append(data, '\n'),
	} {
		size, err := writeFile(filepath.Join(t.dir, name), func(out *bufio.Writer) error {
			_, err := out.Write(content)
			return err
		})
		if err != nil {
			return err
		}
		t.tiles.Files++
		t.tiles.Bytes += size
	}
	return nil
}
