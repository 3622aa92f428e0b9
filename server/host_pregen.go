package server

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"strata/region"
	"strata/server/source"
)

// hostPregen generates areas in the places of chunks that players wait for, while
// they wait for none.
type hostPregen struct{ s *Server }

// Start implements command.Pregen.
func (h hostPregen) Start(dimension string, x, z, radius int32) error {
	from := h.s.sources[dimension]
	if from == nil {
		return fmt.Errorf("%s is not here", dimension)
	}
	return from.Pregenerate(region.ChunkPos{X: x, Z: z}, radius)
}

// errNoArea is the error of stopping nothing.
var errNoArea = errors.New("no area is being generated")

// Stop implements command.Pregen, for all dimensions.
func (h hostPregen) Stop() error {
	stopped := false
	for _, from := range h.s.sources {
		stopped = from.EndPregeneration() || stopped
	}
	if !stopped {
		return errNoArea
	}
	return nil
}

// Status implements command.Pregen.
func (h hostPregen) Status() string {
	var lines []string
	for _, id := range dimensionIDs {
		if p, ok := h.s.sources[id].Pregeneration(); ok {
			lines = append(lines, id+": "+areaText(p))
		}
	}
	if len(lines) == 0 {
		return "No area is being generated"
	}
	return strings.Join(lines, "; ")
}

// areaText is how far an area is, for people.
func areaText(p source.Progress) string {
	text := fmt.Sprintf("%d of %d chunks, %d new", p.Seen, p.Chunks, p.Made)
	if p.Failed > 0 {
		text += fmt.Sprintf(", %d failed", p.Failed)
	}
	took := p.Took.Seconds()
	if took <= 0 || p.Seen == 0 {
		return text
	}
	rate := float64(p.Seen) / took
	text += fmt.Sprintf(", %.0f chunks/s", rate)
	if p.Done {
		return text + ", done in " + p.Took.Round(time.Second).String()
	}
	left := time.Duration(float64(p.Chunks-p.Seen) / rate * float64(time.Second))
	return text + ", " + left.Round(time.Second).String() + " left"
}
