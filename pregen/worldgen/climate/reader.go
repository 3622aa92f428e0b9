package climate

import "strata/pregen/worldgen/proto"

// Sampler gives the climate of quarter cells, from a dimension's density
// functions. out[i] is that of the cell qx, qys[i], qz, in the order
// temperature, humidity, continentalness, erosion, depth, weirdness. It need
// not be safe for concurrent use.
type Sampler interface {
	Climate(qx, qz int, qys []int, out [][Parameters]float64)
}

// Reader reads biomes from a source and a sampler, for one worker.
type Reader struct {
	source  *Source
	sampler Sampler
	finder  *Finder // of multi_noise

	qys      []int // of the column that is being read
	climates [][Parameters]float64
	// points are those of the cells of a chunk whose row is not known before
	// the cells before them are; rows has -1 for them.
	points []Point
	rows   []int32
	ties   []int
}

// Reader returns a new reader. The sampler may be nil if the source does not
// need one.
func (s *Source) Reader(sampler Sampler) *Reader {
	r := &Reader{source: s, sampler: sampler}
	if s.kind == multiNoise {
		r.finder = s.table.Finder()
	}
	return r
}

// Fill sets all biomes of a chunk at its position.
func (r *Reader) Fill(c *proto.Chunk) {
	r.ties = r.ties[:0]
	switch r.source.kind {
	case multiNoise:
		r.fillMultiNoise(c)
	case theEnd:
		r.fillEnd(c)
	case fixed:
		clear(c.Biomes)
	case checkerboard:
		for z := range 4 {
			for x := range 4 {
				biome := r.source.square(int(c.X)*4+x, int(c.Z)*4+z)
				for i := z<<2 | x; i < len(c.Biomes); i += 16 {
					c.Biomes[i] = biome
				}
			}
		}
	}
}

// Ties lists the cells of the chunk filled last, as places in its Biomes, in
// which rows of different biomes were equally near: where the game itself gives
// now one and now the other. It is valid until the next Fill.
func (r *Reader) Ties() []int { return r.ties }

// At returns the biome of one quarter cell. Ties are resolved as without a
// previous look-up.
func (r *Reader) At(qx, qy, qz int) proto.Biome {
	switch r.source.kind {
	case multiNoise:
		r.sample(qx, qz, qy, 1)
		r.finder.Forget()
		return r.finder.Find(PointOf(&r.climates[0])).Biome
	case theEnd:
		chunkX, chunkZ := qx>>2, qz>>2
		r.sample(endSample(chunkX), endSample(chunkZ), qy, 1)
		return endBiome(chunkX, chunkZ, r.climates[0][Erosion])
	case checkerboard:
		return r.source.square(qx, qz)
	}
	return 0
}

// sample sets the climates of count cells of a column, from the lowest one up.
func (r *Reader) sample(qx, qz, lowest, count int) {
	if cap(r.qys) < count {
		r.qys = make([]int, count)
		r.climates = make([][Parameters]float64, count)
	}
	r.qys, r.climates = r.qys[:count], r.climates[:count]
	for i := range r.qys {
		r.qys[i] = lowest + i
	}
	r.sampler.Climate(qx, qz, r.qys, r.climates)
}

// fillMultiNoise finds the row of each cell, column by column, and then, if it
// met ties, goes through the cells in the game's order.
func (r *Reader) fillMultiNoise(c *proto.Chunk) {
	if len(r.rows) != len(c.Biomes) {
		r.rows, r.points = make([]int32, len(c.Biomes)), make([]Point, len(c.Biomes))
	}
	open := false
	for column := range 16 {
		r.sample(int(c.X)*4+column&3, int(c.Z)*4+column>>2, c.MinY>>2, c.Height>>2)
		var p Point
		for i := range r.climates {
			// Along a column the depth alone changes, mostly.
			if i > 0 && sameButDepth(&r.climates[i], &r.climates[i-1]) {
				p[Depth] = quantize(float32(r.climates[i][Depth]))
			} else {
				p = PointOf(&r.climates[i])
				r.finder.settle(&p)
			}
			row, tied := r.finder.nearest(&p)
			at := i<<4 | column
			if tied {
				row, open, r.points[at] = -1, true, p
			}
			r.rows[at] = row
		}
	}
	if open {
		r.resolve()
	}
	for i, row := range r.rows {
		c.Biomes[i] = r.source.table.rows[row]
	}
}

// sameButDepth reports whether two climates differ in nothing but the depth.
func sameButDepth(a, b *[Parameters]float64) bool {
	return a[Temperature] == b[Temperature] && a[Humidity] == b[Humidity] && a[Continentalness] == b[Continentalness] &&
		a[Erosion] == b[Erosion] && a[Weirdness] == b[Weirdness]
}

// resolve finds the rows that find left open. The game fills sections from the
// bottom up, and in a section goes first along z, then y, then x.
func (r *Reader) resolve() {
	r.finder.Forget()
	for section := 0; section < len(r.rows); section += 64 {
		for i := range 64 {
			at := section | i>>2&3<<4 | i&3<<2 | i>>4
			if r.rows[at] < 0 {
				row, differ := r.finder.resolve(&r.points[at])
				r.rows[at] = row
				if differ {
					r.ties = append(r.ties, at)
				}
			}
			r.finder.last = r.rows[at]
		}
	}
}

// fillEnd fills a chunk of the End, all of whose columns have one biome at a
// height.
func (r *Reader) fillEnd(c *proto.Chunk) {
	chunkX, chunkZ := int(c.X), int(c.Z)
	r.sample(endSample(chunkX), endSample(chunkZ), c.MinY>>2, c.Height>>2)
	for i := range r.climates {
		biome := endBiome(chunkX, chunkZ, r.climates[i][Erosion])
		for at := range 16 {
			c.Biomes[i<<4|at] = biome
		}
	}
}
