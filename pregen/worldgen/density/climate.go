package density

// Climate samples the six functions that choose biomes at the quarter cells
// qx, qys[i], qz into out[i], in the order of parameter points: temperature,
// humidity (the vegetation function), continentalness, erosion, depth and
// weirdness (ridges). out must be as long as qys.
func (c *Chunk) Climate(qx, qz int, qys []int, out [][6]float64) {
	out = out[:len(qys)]
	r := &c.program.router
	for k, n := range [...]Node{r.Temperature, r.Vegetation, r.Continents, r.Erosion, r.Depth, r.Ridges} {
		if c.program.known.flat[n] {
			v := c.points.at(n, qx<<2, 0, qz<<2)
			for i := range out {
				out[i][k] = v
			}
			continue
		}
		for i, qy := range qys {
			out[i][k] = c.points.at(n, qx<<2, qy<<2, qz<<2)
		}
	}
}
