package tree

// place places a crown. depth and radius are what was drawn for all crowns of a
// tree.
func (f *foliage) place(w *work, c crown, depth, radius int) {
	offset := int(f.offset.Sample(w.Random))
	switch f.kind {
	case blob:
		for y := offset; y >= offset-depth; y-- {
			f.layer(w, c.at, max(radius+c.wider-1-y/2, 0), y, c.large)
		}
	case fancyBlob:
		for y := offset; y >= offset-depth; y-- {
			wide := radius
			if y != offset && y != offset-depth {
				wide++
			}
			f.layer(w, c.at, wide, y, c.large)
		}
	case bush:
		for y := offset; y >= offset-depth; y-- {
			f.layer(w, c.at, radius+c.wider-1-y, y, c.large)
		}
	case acacia:
		above := c.at.up(offset)
		f.layer(w, above, radius+c.wider, -1-depth, c.large)
		f.layer(w, above, radius-1, -depth, c.large)
		f.layer(w, above, radius+c.wider-1, 0, c.large)
	case spruce:
		f.spruce(w, c, offset, depth, radius+c.wider)
	case pine:
		f.pine(w, c, offset, depth, radius+c.wider)
	case megaPine:
		f.megaPine(w, c, offset, depth, radius+c.wider)
	case jungle:
		if !c.large {
			depth = 1 + draw(w.Random, 2)
		}
		for y := offset; y >= offset-depth; y-- {
			f.layer(w, c.at, radius+c.wider+1-y, y, c.large)
		}
	case darkOakCrown:
		f.darkOak(w, c, offset, radius)
	case randomSpread:
		for range f.attempts {
			x := spreadBy(w, radius)
			y := spreadBy(w, depth)
			w.leaf(c.at.offset(x, y, spreadBy(w, radius)))
		}
	case cherryCrown:
		f.cherry(w, c, offset, depth, radius+c.wider-1)
	}
}

// spreadBy draws how far a leaf lies from the middle along an axis.
func spreadBy(w *work, n int) int {
	away := draw(w.Random, n)
	return away - draw(w.Random, n)
}

// spruce has layers that grow wider in steps, each from a narrow one.
func (f *foliage) spruce(w *work, c crown, offset, depth, widest int) {
	radius, most, least := draw(w.Random, 2), 1, 0
	for y := offset; y >= -depth; y-- {
		f.layer(w, c.at, radius, y, c.large)
		if radius >= most {
			radius, least, most = least, 1, min(most+1, widest)
		} else {
			radius++
		}
	}
}

// pine grows wider to its full radius, and narrow again at the lowest layer.
func (f *foliage) pine(w *work, c crown, offset, depth, widest int) {
	radius := 0
	for y := offset; y >= offset-depth; y-- {
		f.layer(w, c.at, radius, y, c.large)
		if radius >= 1 && y == offset-depth+1 {
			radius--
		} else if radius < widest {
			radius++
		}
	}
}

// megaPine grows from the lowest layer up, every other one of equal layers
// wider.
func (f *foliage) megaPine(w *work, c crown, offset, depth, radius int) {
	last := 0
	for y := c.at.y - depth + offset; y <= c.at.y+offset; y++ {
		below := c.at.y - y
		wide := radius + floor(float64(float32(float32(below)/float32(depth))*3.5))
		at := pos{c.at.x, y, c.at.z}
		if below > 0 && wide == last && y&1 == 0 {
			f.layer(w, at, wide+1, 0, c.large)
		} else {
			f.layer(w, at, wide, 0, c.large)
		}
		last = wide
	}
}

func (f *foliage) darkOak(w *work, c crown, offset, radius int) {
	at := c.at.up(offset)
	if !c.large {
		f.layer(w, at, radius+2, -1, false)
		f.layer(w, at, radius+1, 0, false)
		return
	}
	f.layer(w, at, radius+2, -1, true)
	f.layer(w, at, radius+3, 0, true)
	f.layer(w, at, radius+2, 1, true)
	if w.Random.Bool() {
		f.layer(w, at, radius, 2, true)
	}
}

func (f *foliage) cherry(w *work, c crown, offset, depth, radius int) {
	at := c.at.up(offset)
	f.layer(w, at, radius-2, depth-3, c.large)
	f.layer(w, at, radius-1, depth-4, c.large)
	for y := depth - 5; y >= 0; y-- {
		f.layer(w, at, radius, y, c.large)
	}
	f.layerHanging(w, at, radius, -1, c.large)
	f.layerHanging(w, at, radius-1, -2, c.large)
}

// layerHanging places a layer from whose rim leaves hang.
func (f *foliage) layerHanging(w *work, center pos, radius, y int, large bool) {
	f.layer(w, center, radius, y, large)
	wide := 0
	if large {
		wide = 1
	}
	below := center.up(-1)
	for i, side := range horizontal {
		right := horizontal[(i+1)%len(horizontal)]
		out := radius
		if s := steps[right]; s.x+s.z > 0 {
			out += wide
		}
		p := center.up(y-1).toward(right, out).toward(side, -radius)
		for n := -radius; n < radius+wide; n++ {
			if w.foliage.has(p.up(1)) && f.hang(w, below, p, f.hanging) {
				f.hang(w, below, p.up(-1), f.hangingOn)
			}
			p = p.toward(side, 1)
		}
	}
}

// hang places a leaf by chance, if it is not too far from the trunk's top.
func (f *foliage) hang(w *work, below, p pos, chance float32) bool {
	return p.apart(below) < 7 && w.Random.Float() <= chance && w.leaf(p)
}
