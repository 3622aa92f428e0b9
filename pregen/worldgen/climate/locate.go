package climate

import (
	"fmt"

	"strata/pregen/worldgen/proto"
)

// Query is where to look for a biome.
type Query struct {
	X, Y, Z int // block to begin at
	// MinY and Height are those of the dimension, in blocks.
	MinY, Height int
	// Radius is how far to look along x and z, in blocks, up to LimitRadius.
	// Default 6400. The cost grows with its square.
	Radius int
	// Horizontal and Vertical are the steps of the search, in blocks. Defaults
	// 32 and 64. Radius over Horizontal may be up to LimitSteps.
	Horizontal, Vertical int
}

// Limits of a Query.
const (
	LimitRadius = 60_000_000
	LimitSteps  = 20_000
)

// Place is a biome that was found, and the block at which it was.
type Place struct {
	X, Y, Z int
	Biome   proto.Biome
}

// patience is after how many columns a search begins to leave some out. What it
// takes to know which costs as much as a few hundred.
const patience = 300

// withDefaults checks a query and sets what it leaves open.
func (q Query) withDefaults() (Query, error) {
	for _, field := range []struct {
		value *int
		zero  int
	}{{&q.Radius, 6400}, {&q.Horizontal, 32}, {&q.Vertical, 64}} {
		if *field.value == 0 {
			*field.value = field.zero
		}
		if *field.value < 1 || *field.value > LimitRadius {
			return q, fmt.Errorf("radius or step %d is not within 1 and %d", *field.value, LimitRadius)
		}
	}
	if steps := q.Radius / q.Horizontal; steps > LimitSteps {
		return q, fmt.Errorf("%d steps to the rim, more than %d", steps, LimitSteps)
	}
	return q, nil
}

// heights lists the y to look at, from the start out, up before down. There are
// none if the start is outside the dimension; its top counts as inside.
func (q *Query) heights() []int {
	low, high := q.MinY+1, q.MinY+q.Height
	if q.Y < low || q.Y > high {
		return nil
	}
	list := []int{q.Y}
	for step := q.Vertical; q.Y+step <= high || q.Y-step >= low; step += q.Vertical {
		if q.Y+step <= high {
			list = append(list, q.Y+step)
		}
		if q.Y-step >= low {
			list = append(list, q.Y-step)
		}
	}
	return list
}

// Locate finds one of the wanted biomes, a set by their numbers, as the game's
// command does: by single samples in a square spiral around the start. So it is
// the nearest only as far as the steps tell. Blocks are those of quarter cells,
// without the zoom; ties are resolved as without a previous look-up. With a
// sampler that is a Partial most columns cost a part of their climate. stop, which may be nil, is asked now and then whether to
// give up. It reports false if there is none. The error is about the query.
func (r *Reader) Locate(wanted []bool, q Query, stop func() bool) (Place, bool, error) {
	q, err := q.withDefaults()
	if err != nil {
		return Place{}, false, err
	}
	possible := false
	for i := range r.source.biomes {
		possible = possible || i < len(wanted) && wanted[i]
	}
	heights := q.heights()
	if !possible || len(heights) == 0 {
		return Place{}, false, nil
	}
	search := column{reader: r, wanted: wanted, heights: heights, qys: make([]int, len(heights))}
	for i, y := range heights {
		search.qys[i] = y >> 2
	}
	search.climates = make([][Parameters]float64, len(heights))
	across := 2*(q.Radius/q.Horizontal) + 1
	spiral := spiral{}
	for i := range across * across {
		if i&1023 == 1023 && stop != nil && stop() {
			break
		}
		if i == patience && r.source.kind == multiNoise {
			search.exclude = r.source.table.excluder(wanted, r.sampler)
		}
		x, z := q.X+spiral.x*q.Horizontal, q.Z+spiral.z*q.Horizontal
		if found, ok := search.at(x, z); ok {
			return found, true, nil
		}
		spiral.next()
	}
	return Place{}, false, nil
}

// spiral goes around 0, 0: along x first, then z.
type spiral struct{ x, z, leg, walked int }

// next takes a step. Legs are 1, 1, 2, 2, 3, 3 ... long.
func (s *spiral) next() {
	switch s.leg & 3 {
	case 0:
		s.x++
	case 1:
		s.z++
	case 2:
		s.x--
	case 3:
		s.z--
	}
	if s.walked++; s.walked == s.leg/2+1 {
		s.leg, s.walked = s.leg+1, 0
	}
}

// column looks at a column of the search.
type column struct {
	reader   *Reader
	wanted   []bool
	heights  []int
	qys      []int
	climates [][Parameters]float64
	exclude  *excluder // may be nil
}

// at finds a wanted biome in the column of a block.
func (c *column) at(x, z int) (Place, bool) {
	qx, qz := x>>2, z>>2
	r := c.reader
	switch r.source.kind {
	case multiNoise:
		if c.exclude != nil && c.exclude.column(qx, qz) {
			return Place{}, false
		}
		r.sampler.Climate(qx, qz, c.qys, c.climates)
	case theEnd:
		r.sampler.Climate(endSample(qx>>2), endSample(qz>>2), c.qys, c.climates)
	}
	for i, y := range c.heights {
		var biome proto.Biome
		switch r.source.kind {
		case multiNoise:
			r.finder.Forget()
			biome = r.finder.Find(PointOf(&c.climates[i])).Biome
		case theEnd:
			biome = endBiome(qx>>2, qz>>2, c.climates[i][Erosion])
		case checkerboard:
			biome = r.source.square(qx, qz)
		}
		if int(biome) < len(c.wanted) && c.wanted[biome] {
			return Place{X: x, Y: y, Z: z, Biome: biome}, true
		}
	}
	return Place{}, false
}
