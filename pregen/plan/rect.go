package plan

import "strata/region"

// Rect is a rectangle of chunks, both ends included. It is empty if an end is
// before its beginning.
type Rect struct{ MinX, MinZ, MaxX, MaxZ int32 }

// Empty reports whether there is no chunk in r.
func (r Rect) Empty() bool { return r.MaxX < r.MinX || r.MaxZ < r.MinZ }

// Contains reports whether the chunk is in r.
func (r Rect) Contains(c region.ChunkPos) bool {
	return c.X >= r.MinX && c.X <= r.MaxX && c.Z >= r.MinZ && c.Z <= r.MaxZ
}

// Chunks is how many chunks r has.
func (r Rect) Chunks() int64 {
	if r.Empty() {
		return 0
	}
	return (int64(r.MaxX) - int64(r.MinX) + 1) * (int64(r.MaxZ) - int64(r.MinZ) + 1)
}

// grow moves every side of r outwards.
func (r Rect) grow(by int32) Rect {
	if r.Empty() {
		return r
	}
	return Rect{r.MinX - by, r.MinZ - by, r.MaxX + by, r.MaxZ + by}
}

// overlaps reports whether the two have a chunk in common.
func (r Rect) overlaps(o Rect) bool {
	return r.MinX <= o.MaxX && o.MinX <= r.MaxX && r.MinZ <= o.MaxZ && o.MinZ <= r.MaxZ
}

// shift is r in squares of 2^by chunks.
func (r Rect) shift(by int) Rect {
	return Rect{r.MinX >> by, r.MinZ >> by, r.MaxX >> by, r.MaxZ >> by}
}

// regionRect is the chunks of a region.
func regionRect(p region.Pos) Rect {
	x, z := p.X<<5, p.Z<<5
	return Rect{x, z, x + 31, z + 31}
}
