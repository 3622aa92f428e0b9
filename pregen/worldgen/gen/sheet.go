package gen

import (
	"strata/anvil/chunk"
	"strata/pregen/plan"
	"strata/region"
)

// sheet is what a yard knows of the chunks of a region, for good: a bit each.
type sheet struct {
	known plan.Mask // work is known
	work  plan.Mask // in the area, and below the wanted status before the run
	asked plan.Mask // due is known
	due   plan.Mask // to be decorated: work, and the chunks around

	decorated plan.Mask
	running   plan.Mask // being decorated now
	blocked   plan.Mask // cannot be decorated
	left      plan.Mask // of blocked: only for want of game files

	settled plan.Mask // the caller has what becomes of it
	gone    plan.Mask // what was known of its blocks is forgotten
}

// before is what the world had in a place before the run.
type before struct {
	status chunk.Status
	err    error // why it cannot be read
}

// sheet returns that of a region. Called under mu.
func (y *yard) sheet(p region.Pos) *sheet {
	if y.last != nil && y.lastPos == p {
		return y.last
	}
	s := y.sheets[p]
	if s == nil {
		s = new(sheet)
		y.sheets[p] = s
	}
	y.last, y.lastPos = s, p
	return s
}

// square is the chunks within a distance of one.
func square(p region.ChunkPos, distance int32) plan.Rect {
	return plan.Rect{MinX: p.X - distance, MinZ: p.Z - distance, MaxX: p.X + distance, MaxZ: p.Z + distance}
}

// grow is a rectangle with so many chunks more on each side.
func grow(r plan.Rect, by int32) plan.Rect {
	return plan.Rect{MinX: r.MinX - by, MinZ: r.MinZ - by, MaxX: r.MaxX + by, MaxZ: r.MaxZ + by}
}

// each calls f with the chunks of a rectangle until it returns false, and
// reports whether it never did.
func each(r plan.Rect, f func(region.ChunkPos) bool) bool {
	for z := r.MinZ; z <= r.MaxZ; z++ {
		for x := r.MinX; x <= r.MaxX; x++ {
			if !f(region.ChunkPos{X: x, Z: z}) {
				return false
			}
		}
	}
	return true
}

// learn finds out what there is to do in a rectangle.
func (y *yard) learn(r plan.Rect) {
	var unknown []region.ChunkPos
	y.mu.Lock()
	each(grow(r, 1), func(p region.ChunkPos) bool {
		if s := y.sheet(p.Region()); !s.known.Has(p.Slot()) {
			unknown = append(unknown, p)
		}
		return true
	})
	y.mu.Unlock()
	found := make([]before, len(unknown))
	had := make([]bool, len(unknown))
	for i, p := range unknown {
		found[i], had[i] = y.look(p)
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	for i, p := range unknown {
		s := y.sheet(p.Region())
		s.known.Set(p.Slot())
		if had[i] {
			y.before[p] = found[i]
		}
		if (y.area == nil || y.area.Contains(p)) && (!had[i] || found[i].err == nil && found[i].status < y.generator.until) {
			s.work.Set(p.Slot())
		}
	}
	each(r, func(p region.ChunkPos) bool {
		if s := y.sheet(p.Region()); !s.asked.Has(p.Slot()) {
			s.asked.Set(p.Slot())
			if !each(square(p, 1), func(q region.ChunkPos) bool { return !y.work(q) }) {
				y.sheet(p.Region()).due.Set(p.Slot())
			}
		}
		return true
	})
}

// look reads what the world had in a place.
func (y *yard) look(p region.ChunkPos) (before, bool) {
	stored, err := y.stored(p)
	switch {
	case err == nil:
		return before{status: stored.Status()}, true
	case isNotStored(err):
		return before{}, false
	}
	return before{err: err}, true
}

// work reports whether a chunk is to be made. Called under mu.
func (y *yard) work(p region.ChunkPos) bool {
	s := y.sheet(p.Region())
	return s.work.Has(p.Slot())
}

// knows reports whether it is known whether chunks are to be decorated. Called
// under mu.
func (y *yard) knows(p region.ChunkPos) bool {
	s := y.sheet(p.Region())
	return s.asked.Has(p.Slot())
}

// due reports whether a chunk is to be decorated in this run. Called under mu.
func (y *yard) due(p region.ChunkPos) bool {
	s := y.sheet(p.Region())
	return s.due.Has(p.Slot()) && y.before[p].status < chunk.StatusFeatures
}

// reached reports whether what is to be decorated lies within a distance of a
// chunk. Called under mu.
func (y *yard) reached(p region.ChunkPos, distance int32) bool {
	return !each(square(p, distance), func(q region.ChunkPos) bool { return !y.due(q) })
}
