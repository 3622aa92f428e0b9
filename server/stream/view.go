package stream

import (
	"cmp"
	"slices"
	"sync"

	"strata/region"
)

// MaxDistance is the greatest view distance, in chunks.
const MaxDistance = 32

// View is the chunks that a player sees: a square with round corners about the
// chunk that the player is in. The zero View has none.
type View struct {
	Center region.ChunkPos
	// Distance is the view distance, 1 to MaxDistance; what is beyond counts
	// as that, and 0 or less as a view of nothing.
	Distance int
}

// margin is how far a view reaches along the axes before distance counts: the
// game's client needs the neighbours of what it draws.
const margin = 2

func (v View) distance() int { return min(v.Distance, MaxDistance) }

// Contains reports whether a chunk is in the view.
func (v View) Contains(p region.ChunkPos) bool {
	return inView(int64(p.X)-int64(v.Center.X), int64(p.Z)-int64(v.Center.Z), int64(v.distance()))
}

func inView(dx, dz, distance int64) bool {
	if distance <= 0 {
		return false
	}
	dx, dz = max(max(dx, -dx)-margin, 0), max(max(dz, -dz)-margin, 0)
	// Neither square overflows: what is farther than this is in no view.
	return dx < distance && dz < distance && dx*dx+dz*dz < distance*distance
}

// offsets are the places of a view relative to its centre, nearest first.
var offsets [MaxDistance + 1]struct {
	once sync.Once
	list []region.ChunkPos
}

func offsetsOf(distance int) []region.ChunkPos {
	if distance <= 0 {
		return nil
	}
	o := &offsets[distance]
	o.once.Do(func() {
		reach := int32(distance + margin)
		for z := -reach; z <= reach; z++ {
			for x := -reach; x <= reach; x++ {
				if inView(int64(x), int64(z), int64(distance)) {
					o.list = append(o.list, region.ChunkPos{X: x, Z: z})
				}
			}
		}
		slices.SortStableFunc(o.list, func(a, b region.ChunkPos) int {
			return cmp.Compare(a.X*a.X+a.Z*a.Z, b.X*b.X+b.Z*b.Z)
		})
	})
	return o.list
}

// Len is how many chunks are in the view.
func (v View) Len() int { return len(offsetsOf(v.distance())) }

// Append appends the chunks of the view, nearest to its centre first.
func (v View) Append(dst []region.ChunkPos) []region.ChunkPos {
	for _, o := range offsetsOf(v.distance()) {
		dst = append(dst, v.at(o))
	}
	return dst
}

func (v View) at(o region.ChunkPos) region.ChunkPos {
	return region.ChunkPos{X: v.Center.X + o.X, Z: v.Center.Z + o.Z}
}

// Diff appends to enter the chunks that are in v and not in old, nearest to the
// centre of v first, and to leave those that are in old alone, farthest from
// the centre of old first.
func (v View) Diff(old View, enter, leave []region.ChunkPos) (_, _ []region.ChunkPos) {
	if v == old {
		return enter, leave
	}
	for _, o := range offsetsOf(v.distance()) {
		if p := v.at(o); !old.Contains(p) {
			enter = append(enter, p)
		}
	}
	list := offsetsOf(old.distance())
	for i := len(list) - 1; i >= 0; i-- {
		if p := old.at(list[i]); !v.Contains(p) {
			leave = append(leave, p)
		}
	}
	return enter, leave
}
