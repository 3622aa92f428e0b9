package source

import (
	"context"
	"errors"
	"time"

	"strata/region"
)

// ErrBusy is the error of a second area at a time.
var ErrBusy = errors.New("an area is being generated already")

// ErrNoGenerator is the error of a dimension where absent chunks stay absent.
var ErrNoGenerator = errors.New("there is no generator")

// background is an area that is generated when nobody waits for anything else.
type background struct {
	center region.ChunkPos
	radius int32
	rings  int32 // of tiles around that of the center
	tile   int64 // the number of the next one, in the order of a spiral
	tiles  int64
	alone  []region.ChunkPos // of a tile that has failed
	began  time.Time
	p      Progress
}

// Progress is how far the generation of an area is.
type Progress struct {
	// Chunks are those of the area, Seen of these those that were looked at, Made
	// those of them that were not there, and Failed what could not be made.
	Chunks, Seen, Made, Failed int64
	Took                       time.Duration
	Done                       bool
}

// Pregenerate has the chunks of a square around a chunk made, tile after tile
// outwards, while no chunk is wanted that is missing. It returns at once. The errors
// are ErrBusy, ErrNoGenerator and ErrClosed.
func (s *Source) Pregenerate(center region.ChunkPos, radius int32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return ErrClosed
	case !s.generates:
		return ErrNoGenerator
	case s.area != nil && !s.area.p.Done:
		return ErrBusy
	}
	side := 2*int64(radius) + 1
	rings := radius/s.opts.Tile + 1
	s.area = &background{
		center: center, radius: radius, rings: rings, tiles: (2*int64(rings) + 1) * (2*int64(rings) + 1),
		began: time.Now(), p: Progress{Chunks: side * side},
	}
	s.work.Broadcast()
	return nil
}

// EndPregeneration gives the area up; the tile that is being made is finished. It
// reports whether there was one.
func (s *Source) EndPregeneration() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.area != nil && !s.area.p.Done
	s.area = nil
	return was
}

// Pregeneration is how far the last area is that was asked for; false for none.
func (s *Source) Pregeneration() (p Progress, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.area == nil {
		return p, false
	}
	p = s.area.p
	if !p.Done {
		p.Took = time.Since(s.area.began)
	}
	return p, true
}

// spiral is the place of the nth square outwards from one, ring after ring.
func spiral(n int64) (x, z int32) {
	if n == 0 {
		return 0, 0
	}
	ring := int64(1)
	for first := int64(1); n >= first+8*ring; ring++ {
		first += 8 * ring
	}
	// The ring's sides are 2*ring long, each begins at a corner.
	n -= (2*ring - 1) * (2*ring - 1)
	side, along := n/(2*ring), n%(2*ring)
	switch side {
	case 0:
		return int32(ring), int32(-ring + along)
	case 1:
		return int32(ring - along), int32(ring)
	case 2:
		return int32(-ring), int32(ring - along)
	default:
		return int32(-ring + along), int32(-ring)
	}
}

// inArea reports whether a chunk is in the area.
func (b *background) inArea(p region.ChunkPos) bool {
	return abs(int64(p.X)-int64(b.center.X)) <= int64(b.radius) && abs(int64(p.Z)-int64(b.center.Z)) <= int64(b.radius)
}

func abs(v int64) int64 { return max(v, -v) }

// planArea takes the next tile of the area, nil if all are done. Called under mu.
func (s *Source) planArea() *job {
	b := s.area
	if b == nil || b.p.Done {
		return nil
	}
	begin := func(j *job) *job {
		j.area, j.of = &area{make(map[region.ChunkPos]bool)}, b
		j.ctx, j.cancel = context.WithCancel(s.ctx)
		s.job = j
		return j
	}
	if len(b.alone) > 0 {
		return begin(&job{ahead: b.alone[:1:1]})
	}
	for ; b.tile < b.tiles; b.tile++ {
		x, z := spiral(b.tile)
		low := s.tile(b.center)
		low.X, low.Z = low.X+x*s.opts.Tile, low.Z+z*s.opts.Tile
		j := &job{}
		for dz := range s.opts.Tile {
			for dx := range s.opts.Tile {
				p := region.ChunkPos{X: low.X + dx, Z: low.Z + dz}
				switch {
				case !b.inArea(p):
				case s.chunks[p] != nil || s.failed[p]:
					j.others++ // somebody's wish, or what cannot be had
				default:
					j.ahead = append(j.ahead, p)
				}
			}
		}
		if len(j.ahead) > 0 {
			return begin(j)
		}
		b.p.Seen += j.others
	}
	b.p.Done, b.p.Took = true, time.Since(b.began)
	return nil
}

// tileDone counts what became of a tile of an area, or of one of its chunks. Those of
// a tile that has failed are tried alone. Called under mu.
func (s *Source) tileDone(j *job, made int, failed bool) {
	b := j.of
	if b == nil {
		return
	}
	switch {
	case len(b.alone) > 0:
		b.alone = b.alone[1:]
	case failed && len(j.ahead) > 1:
		b.alone = j.ahead
		b.tile++
		b.p.Seen += j.others
		return
	default:
		b.tile++
	}
	b.p.Seen += int64(len(j.ahead)) + j.others
	b.p.Made += int64(made)
	if failed {
		b.p.Failed++
	}
}
