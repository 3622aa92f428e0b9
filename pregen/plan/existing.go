package plan

import (
	"cmp"
	"maps"
	"slices"

	"strata/region"
)

// stored is the chunks that a world has.
type stored struct {
	regions map[region.Pos]Mask
	order   []region.Pos // from the middle of the world outwards
}

// NewExisting returns the area of the chunks of the masks, which it keeps:
// those that a world has. What the world gets later is not in it.
//
// The description does not name the chunks, since a run that is interrupted
// and goes on is about those that were there when it began.
func NewExisting(regions map[region.Pos]Mask) *Area {
	s := &stored{regions: regions, order: sortedRegions(regions)}
	a := &Area{shape: Existing, text: "existing chunks", stored: s, bounds: Rect{0, 0, -1, -1}}
	for p := range regions {
		r := regionRect(p)
		if a.bounds.Empty() {
			a.bounds = r
		}
		a.bounds = Rect{
			min(a.bounds.MinX, r.MinX), min(a.bounds.MinZ, r.MinZ),
			max(a.bounds.MaxX, r.MaxX), max(a.bounds.MaxZ, r.MaxZ),
		}
	}
	return a
}

// sortedRegions are the regions of the map, from the middle of the world
// outwards.
func sortedRegions(regions map[region.Pos]Mask) []region.Pos {
	return slices.SortedFunc(maps.Keys(regions), func(a, b region.Pos) int {
		return cmp.Or(cmp.Compare(ring(a.X, a.Z), ring(b.X, b.Z)), cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X))
	})
}

func (s *stored) contains(c region.ChunkPos) bool {
	m := s.regions[c.Region()]
	return m.Has(c.Slot())
}

// ring is the distance from the middle, as a king moves.
func ring(x, z int32) int64 {
	return max(int64(x), -int64(x), int64(z), -int64(z))
}
