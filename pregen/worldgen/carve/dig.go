package carve

import "math"

// protected is how many of the highest blocks are never dug out.
const protected = 7

// row is a layer of an ellipsoid: what the middle's height adds to the squared
// distance of all its blocks, in radii.
type row struct {
	y     int
	word  int // in Carved, of z 0
	away  float64
	width float64 // of canyons: the factor of the distance from the middle line
}

// digger digs a tunnel.
type digger struct {
	*Worker
	tunnel *tunnel
	ready  bool // widths are those of the tunnel
}

// floorInt rounds down as the game does: saturating at the ends of int32.
func floorInt(v float64) int32 {
	v = math.Floor(v)
	switch {
	case v >= math.MaxInt32:
		return math.MaxInt32
	case v <= math.MinInt32:
		return math.MinInt32
	case v != v:
		return 0
	}
	return int32(v)
}

// dig digs an ellipsoid. All comparisons are written as the game writes them,
// since radii of 0 make numbers of which none is true.
func (d *digger) dig(e *ellipsoid) {
	c := d.chunk
	limit := 16 + float64(e.horizontal*2)
	minX, minZ := c.X<<4, c.Z<<4
	if math.Abs(e.x-float64(minX+8)) > limit || math.Abs(e.z-float64(minZ+8)) > limit {
		return
	}
	x0 := max(floorInt(e.x-e.horizontal)-minX-1, 0)
	x1 := min(floorInt(e.x+e.horizontal)-minX, 15)
	z0 := max(floorInt(e.z-e.horizontal)-minZ-1, 0)
	z1 := min(floorInt(e.z+e.horizontal)-minZ, 15)
	if x0 > x1 || z0 > z1 {
		return
	}
	d.layers(e)
	if len(d.rows) == 0 {
		return
	}
	var squares [16]float64 // of the distance in z
	for z := z0; z <= z1; z++ {
		away := (float64(minZ+z) + 0.5 - e.z) / e.horizontal
		squares[z] = float64(away * away)
	}
	for x := x0; x <= x1; x++ {
		away := (float64(minX+x) + 0.5 - e.x) / e.horizontal
		squareX := float64(away * away)
		for z := z0; z <= z1; z++ {
			if squareX+squares[z] >= 1 {
				continue
			}
			if d.tunnel.carver.kind == canyon {
				d.canyonColumn(int(x), int(z), squareX+squares[z])
			} else {
				d.caveColumn(int(x), int(z), squareX, squares[z])
			}
		}
	}
}

// layers sets the rows that an ellipsoid may have blocks in, the highest first.
func (d *digger) layers(e *ellipsoid) {
	span, t := d.carvers.span, d.tunnel
	y0 := max(floorInt(e.y-e.vertical)-1, span.MinY+1)
	y1 := min(floorInt(e.y+e.vertical)+1, span.MinY+span.Height-1-protected)
	d.rows = d.rows[:0]
	isCanyon := t.carver.kind == canyon
	if isCanyon && !d.ready {
		widths(t.carver, t.seed, d.widths)
		d.ready = true
	}
	for y := y1; y > y0; y-- {
		away := (float64(y) - 0.5 - e.y) / e.vertical
		r := row{y: int(y), word: (int(y) - d.chunk.MinY) << 2, away: float64(away * away)}
		switch {
		case isCanyon:
			r.away /= 6
			r.width = float64(d.widths[y-span.MinY-1])
		case away <= t.floor:
			continue
		}
		d.rows = append(d.rows, r)
	}
}

// caveColumn digs a column of a tunnel or room.
func (d *digger) caveColumn(x, z int, squareX, squareZ float64) {
	word, bit := z>>2, uint64(1)<<(z&3<<4|x)
	underGrass := false
	for i := range d.rows {
		r := &d.rows[i]
		if squareX+r.away+squareZ >= 1 {
			continue
		}
		d.block(r, word, bit, x, z, &underGrass)
	}
}

// canyonColumn digs a column of a canyon.
func (d *digger) canyonColumn(x, z int, square float64) {
	word, bit := z>>2, uint64(1)<<(z&3<<4|x)
	underGrass := false
	for i := range d.rows {
		r := &d.rows[i]
		if float64(square*r.width)+r.away >= 1 {
			continue
		}
		d.block(r, word, bit, x, z, &underGrass)
	}
}

// block takes a block into the mask, and digs it out if it was not there.
func (d *digger) block(r *row, word int, bit uint64, x, z int, underGrass *bool) {
	carved := &d.chunk.Carved[r.word|word]
	if *carved&bit != 0 && d.tunnel.carver.debug == nil {
		return
	}
	*carved |= bit
	index := r.word<<6 | z<<4 | x
	state := d.chunk.Blocks[index]
	if state != 0 || d.tunnel.carver.debug != nil {
		d.fill(state, index, x, r.y, z, underGrass)
	}
}
