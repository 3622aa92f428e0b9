package tree

// A tree's edge is where what it filled meets what it did not. There the blocks
// on both sides adapt to each other.

// updateEdges lets the blocks at the tree's edge adapt: along z first, then y,
// then x, from side to side, as the game walks.
func (w *work) updateEdges() {
	size := pos{w.high.x - w.low.x + 1, w.high.y - w.low.y + 1, w.high.z - w.low.z + 1}
	for x := range size.x {
		for y := range size.y {
			w.row(w.low.offset(x, y, 0), south, size.z)
		}
	}
	for z := range size.z {
		for x := range size.x {
			w.row(w.low.offset(x, 0, z), up, size.y)
		}
	}
	for y := range size.y {
		for z := range size.z {
			w.row(w.low.offset(0, y, z), east, size.x)
		}
	}
}

// row looks for edges along a row of places within the bounds.
func (w *work) row(p pos, d direction, length int) {
	inside := false
	last := p
	for range length {
		filled := w.isFilled(p)
		if filled && !inside {
			w.meet(p, d.Opposite())
		}
		if !filled && inside {
			w.meet(last, d)
		}
		inside, last = filled, p
		p = p.toward(d, 1)
	}
	if inside {
		w.meet(last, d)
	}
}

// meet lets a block of the tree and the one beside it adapt to each other.
func (w *work) meet(p pos, d direction) {
	q := p.toward(d, 1)
	own, other := w.Block(p.x, p.y, p.z), w.Block(q.x, q.y, q.z)
	if own.Air() && other.Air() {
		return
	}
	if s := w.adapt(own, p, d, other); s != own {
		w.Set(p.x, p.y, p.z, s)
		own = s
	}
	if s := w.adapt(other, q, d.Opposite(), own); s != other {
		w.Set(q.x, q.y, q.z, s)
	}
}
