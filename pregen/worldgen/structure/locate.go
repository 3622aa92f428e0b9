package structure

import (
	"context"
	"slices"
)

// Located is a structure that Locate found.
type Located struct {
	*Start
	// BlockX and BlockZ are where the game says that it is: the corner of the
	// chunk that it starts in.
	BlockX, BlockZ int32
}

// MaxCells is how many cells of a set's grid the game looks far.
const MaxCells = 100

// Locate finds the nearest of some structures, as the game's command /locate
// does: of sets in rings the nearest place of all, of grids the nearest one of
// the first ring of cells around the start that has one, up to cells of them. What
// lies in a ring farther out may be nearer, as in the game. It reports false if
// there is none. The error is that of ctx.
func (s *Starts) Locate(ctx context.Context, wanted []*Structure, blockX, blockZ, cells int32) (nearest Located, found bool, err error) {
	look := locating{starts: s, wanted: wanted, x: blockX, z: blockZ}
	var grids []*set
	for _, set := range s.system.sets {
		if !slices.ContainsFunc(set.entries, func(e entry) bool { return slices.Contains(wanted, e.structure) }) {
			continue
		}
		if set.placement.rings == nil {
			grids = append(grids, set)
		} else if err := look.inRings(ctx, set); err != nil {
			return Located{}, false, err
		}
	}
	for ring := int32(0); ring <= cells && len(grids) > 0; ring++ {
		before := look.best
		for _, set := range grids {
			if err := look.inRing(ctx, set, ring); err != nil {
				return Located{}, false, err
			}
		}
		if look.best.Start != before.Start {
			break
		}
	}
	return look.best, look.best.Start != nil, nil
}

// locating is a search.
type locating struct {
	starts *Starts
	wanted []*Structure
	x, z   int32
	best   Located
}

// distance is the squared distance of a chunk's corner.
func (l *locating) distance(chunkX, chunkZ int32) int64 {
	dx, dz := int64(chunkX)<<4-int64(l.x), int64(chunkZ)<<4-int64(l.z)
	return dx*dx + dz*dz
}

// try looks at a chunk that a set may start in, and reports whether one of the wanted
// structures does.
func (l *locating) try(set *set, x, z int32) bool {
	for _, start := range l.starts.At(x, z) {
		of := l.starts.system.byID[start.ID]
		if !slices.Contains(l.wanted, of) || !slices.ContainsFunc(set.entries, func(e entry) bool { return e.structure == of }) {
			continue
		}
		if l.best.Start == nil || l.distance(x, z) < l.distance(l.best.X, l.best.Z) {
			l.best = Located{start, x << 4, z << 4}
		}
		return true
	}
	return false
}

// inRing looks at the cells of a grid that lie a number of cells away from the
// start.
func (l *locating) inRing(ctx context.Context, set *set, ring int32) error {
	p := set.placement
	middleX, middleZ := floorDiv(l.x>>4, p.spacing), floorDiv(l.z>>4, p.spacing)
	for dx := -ring; dx <= ring; dx++ {
		edge := dx == -ring || dx == ring
		for dz := -ring; dz <= ring; dz++ {
			if !edge && dz != -ring && dz != ring {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			x, z := p.inCell(l.starts.placing, middleX+dx, middleZ+dz)
			if p.frequent(l.starts.placing, x, z) && !p.excluded(l.starts.placing, x, z) {
				l.try(set, x, z)
			}
		}
	}
	return nil
}

// inRings looks at the places of rings, the nearest first, until one has a
// wanted structure.
func (l *locating) inRings(ctx context.Context, set *set) error {
	places, err := l.starts.placing.all(ctx, set.placement.rings)
	if err != nil {
		return err
	}
	slices.SortStableFunc(places, func(a, b chunkPos) int {
		da, db := l.distance(a.x, a.z), l.distance(b.x, b.z)
		switch {
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return 0
	})
	for _, p := range places {
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.try(set, p.x, p.z) {
			return nil
		}
	}
	return nil
}
