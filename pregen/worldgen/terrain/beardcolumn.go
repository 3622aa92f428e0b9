package terrain

// Touches reports whether the density of some block of a box may change. Column
// then gives how much in the columns of that box.
func (b *Beard) Touches(box Box) bool {
	b.nearPieces, b.nearJunctions = b.nearPieces[:0], b.nearJunctions[:0]
	for i := range b.pieces {
		if b.pieces[i].reach.meets(&box) {
			b.nearPieces = append(b.nearPieces, &b.pieces[i])
		}
	}
	for _, j := range b.junctions {
		reach := j.reach()
		if reach.meets(&box) {
			b.nearJunctions = append(b.nearJunctions, j)
		}
	}
	return len(b.nearPieces)+len(b.nearJunctions) > 0
}

// Column writes At for the blocks from y up at x, z, which are in the box that
// Touches was last asked about.
func (b *Beard) Column(x, y, z int, sums []float64) {
	clear(sums)
	for _, p := range b.nearPieces {
		p.column(int32(x), int32(y), int32(z), sums)
	}
	for i := range b.nearJunctions {
		j := &b.nearJunctions[i]
		addThin(sums, int32(x)-j.X, int32(y)-j.GroundY, int32(z)-j.Z, 0.4)
	}
}

// column adds at for the blocks from y up.
func (p *adapted) column(x, y, z int32, sums []float64) {
	if x < p.reach.MinX || x > p.reach.MaxX || z < p.reach.MinZ || z > p.reach.MaxZ {
		return
	}
	if p.Adaptation == BeardThin {
		awayX, awayZ := max(0, p.Box.MinX-x, x-p.Box.MaxX), max(0, p.Box.MinZ-z, z-p.Box.MaxZ)
		addThin(sums, awayX, y-p.Box.MinY-p.GroundDelta, awayZ, 0.8)
		return
	}
	for i := range sums {
		sums[i] += p.at(x, y+int32(i), z)
	}
}

// addThin adds the beards of a column times a weight. It begins y above the
// ground, and x and z away.
func addThin(sums []float64, x, y, z int32, weight float64) {
	if uint32(x+kernelRadius) >= kernelSize || uint32(z+kernelRadius) >= kernelSize {
		return
	}
	row := &thin[x*x+z*z]
	first := max(0, -kernelRadius-int(y))
	end := min(len(sums), kernelRadius-int(y))
	for i := first; i < end; i++ {
		sums[i] += float64(row[int(y)+i+kernelRadius] * weight)
	}
}
