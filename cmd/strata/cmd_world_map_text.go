package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"strata/anvil"
	"strata/anvil/query"
	"strata/cmd/internal/ui"
)

// mapResult is the result of strata world map.
type mapResult struct {
	Output     string         `json:"output"`
	Dimension  string         `json:"dimension"`
	Scale      int            `json:"scale"`
	Chunks     int64          `json:"chunks"`
	Half       int64          `json:"half_generated"`
	TooOld     int64          `json:"too_old"`
	Unreadable int64          `json:"unreadable"`
	MinX       int            `json:"min_x"`
	MinZ       int            `json:"min_z"`
	MaxX       int            `json:"max_x"`
	MaxZ       int            `json:"max_z"`
	Width      int            `json:"width,omitempty"`
	Height     int            `json:"height,omitempty"`
	Levels     []mapLevel     `json:"levels,omitempty"`
	Files      int            `json:"files"`
	Bytes      int64          `json:"bytes"`
	Overlay    string         `json:"overlay,omitempty"`
	Legend     []mapMark      `json:"legend,omitempty"`
	Rate       float64        `json:"chunks_per_s"`
	Duration   time.Duration  `json:"duration_ns"`
	Failed     []anvil.Failed `json:"failed"`

	first    error
	query    *query.Result
	compared []anvil.Failed // files that --diff could not read
}

type mapLevel struct {
	Scale int `json:"scale"`
	Tiles int `json:"tiles"`
}

type mapMark struct {
	Label  string `json:"label"`
	Color  string `json:"color"`
	Chunks int64  `json:"chunks"`
}

func (r *mapResult) writeText(w io.Writer) error {
	var b strings.Builder
	if r.Levels == nil {
		fmt.Fprintf(&b, "%s: %d by %d pixels, %s\n", r.Output, r.Width, r.Height, ui.FormatBytes(r.Bytes))
	} else {
		fmt.Fprintf(&b, "%s: %s, %s\n", filepath.Join(r.Output, "index.html"), countText(r.Files, "file"), ui.FormatBytes(r.Bytes))
	}
	fmt.Fprintf(&b, "%s, blocks %d,%d to %d,%d at 1:%d\n", r.Dimension, r.MinX, r.MinZ, r.MaxX, r.MaxZ, r.Scale)
	fmt.Fprintf(&b, "%s in %s, %s a second\n", countText(int(r.Chunks), "chunk"), ui.FormatDuration(r.Duration), ui.FormatCount(int64(r.Rate)))
	for _, line := range []struct {
		n    int64
		text string
	}{
		{r.Half, "half generated (hatched)"}, {r.TooOld, "from before 1.13 (gray hatching)"}, {r.Unreadable, "unreadable (red hatching)"},
	} {
		if line.n > 0 {
			fmt.Fprintf(&b, "  %s %s\n", ui.FormatCount(line.n), line.text)
		}
	}
	if len(r.Legend) > 0 {
		fmt.Fprintf(&b, "%s:\n", r.Overlay)
		for _, mark := range r.Legend {
			fmt.Fprintf(&b, "  %s  %s, %s\n", mark.Color, mark.Label, countText(int(mark.Chunks), "chunk"))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// problems is the error of a map that does not show everything.
func (r *mapResult) problems() error {
	switch {
	case r.Unreadable > 0:
		return ui.Errorf(ui.Problems, "could not be read: %s, first: %w", countText(int(r.Unreadable), "chunk"), r.first)
	case len(r.Failed) > 0:
		return ui.Errorf(ui.Problems, "could not be read: %s, first %s: %w", countText(len(r.Failed), "file"), r.Failed[0].Path, r.Failed[0].Err)
	case r.TooOld > 0:
		return ui.Errorf(ui.Problems, "not drawn: %s from before 1.13", countText(int(r.TooOld), "chunk"))
	case r.query != nil:
		return queryProblems(r.query)
	}
	return nil
}
