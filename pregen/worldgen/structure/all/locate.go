package all

import (
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/structure"
)

// NewStarts returns what finds the structures of a dimension, and the structures
// that there may be; nil for a dimension that has none. One goroutine at a time
// may use it.
func NewStarts(d *gen.Dimension) (*structure.Starts, []*structure.Structure, error) {
	made, err := read(d, d.Templates())
	if err != nil || made == nil {
		return nil, nil, err
	}
	s := made.(*structures)
	return s.system.NewStarts(d.NewLayouter(s.templates), nil), s.system.Structures(), nil
}
