package jigsaw

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
	"strata/pregen/worldgen/terrain"
)

// assembly puts one structure together.
type assembly struct {
	layout   *layout
	layouter *structure.Layouter
	random   *rng.Worldgen
	aliases  map[string]string
	pieces   []*piece
	waiting  queue

	own, others []template.Connector // scratch
}

// waiting pieces have connectors that were not looked at.
type open struct {
	piece *piece
	space *space
	depth int32
}

// queue has open pieces, those with the highest priority first, and among
// these the oldest.
type queue struct {
	lists map[int32][]open
	count int
}

func (q *queue) add(o open, priority int32) {
	if q.lists == nil {
		q.lists = make(map[int32][]open)
	}
	q.lists[priority] = append(q.lists[priority], o)
	q.count++
}

func (q *queue) take() (open, bool) {
	if q.count == 0 {
		return open{}, false
	}
	first, highest := true, int32(0)
	for priority, list := range q.lists {
		if len(list) > 0 && (first || priority > highest) {
			first, highest = false, priority
		}
	}
	list := q.lists[highest]
	q.lists[highest] = list[1:]
	q.count--
	return list[0], true
}

// pool returns the pool of a name, nil if there is none.
func (a *assembly) pool(id string) *pool {
	if target, ok := a.aliases[id]; ok {
		id = target
	}
	return a.layout.pools.byID[id]
}

// assemble joins pieces to the first one.
func (a *assembly) assemble(first *piece, outer structure.Box) []structure.Piece {
	a.pieces = append(a.pieces, first)
	around := &space{outer: outer}
	around.take(first.Box)
	a.extend(open{piece: first, space: around})
	for {
		next, ok := a.waiting.take()
		if !ok {
			break
		}
		a.extend(next)
	}
	pieces := make([]structure.Piece, len(a.pieces))
	for i, p := range a.pieces {
		pieces[i] = p
	}
	return pieces
}

// extend tries to join a piece to each connector of another one.
func (a *assembly) extend(o open) {
	p := o.piece
	inner := &space{outer: p.Box} // what is joined within the piece
	connectors := p.element.connectors(nil, p.x, p.y, p.z, p.rotation, a.random)
	for i := range connectors {
		c := &connectors[i]
		pool := a.pool(c.Pool)
		if !pool.usable() || !pool.fallback.usable() {
			continue
		}
		in := o.space
		if p.Box.Contains(facing(c)) {
			in = inner
		}
		a.join(&joint{open: o, connector: c, space: in}, pool)
	}
}

// joint is a connector that something is to be joined to.
type joint struct {
	open
	connector *template.Connector
	space     *space
	surface   int32 // the ground at the connector
	known     bool  // surface is known
}

// join joins the first element of a pool that fits.
func (a *assembly) join(at *joint, from *pool) {
	var candidates []*element
	if at.depth != a.layout.size {
		candidates = append(candidates, from.elements...)
		shuffle(candidates, a.random)
	}
	others := len(candidates)
	candidates = append(candidates, from.fallback.elements...)
	shuffle(candidates[others:], a.random)
	for _, e := range candidates {
		if e.kind == emptyKind {
			return
		}
		rotations := [4]block.Rotation{block.NoRotation, block.Clockwise90, block.Clockwise180, block.Counterclockwise90}
		shuffle(rotations[:], a.random)
		for _, rotation := range rotations {
			if a.joinTurned(at, e, rotation) {
				return
			}
		}
	}
}

// joinTurned joins an element that is turned, if it fits.
func (a *assembly) joinTurned(at *joint, e *element, rotation block.Rotation) bool {
	a.others = e.connectors(a.others, 0, 0, 0, rotation, a.random)
	room := int32(0)
	box := e.box(0, 0, 0, rotation)
	if _, height, _ := box.Span(); a.layout.expansion && height <= 16 {
		room = a.room(box, a.others)
	}
	for i := range a.others {
		if c := &a.others[i]; joins(at.connector, c) && a.fit(at, e, c, rotation, room) {
			return true
		}
	}
	return false
}

// room is how high the pieces are that may be joined within a box.
func (a *assembly) room(box structure.Box, connectors []template.Connector) int32 {
	room := int32(0)
	for i := range connectors {
		c := &connectors[i]
		if !box.Contains(facing(c)) {
			continue
		}
		if pool := a.pool(c.Pool); pool != nil {
			room = max(room, pool.height, pool.fallback.height)
		}
	}
	return room
}

// fit puts an element with its connector c in front of the joint, if there is
// room for it.
func (a *assembly) fit(at *joint, e *element, c *template.Connector, rotation block.Rotation, room int32) bool {
	p, own := at.piece, at.connector
	frontX, frontY, frontZ := facing(own)
	x, y, z := frontX-c.X, frontY-c.Y, frontZ-c.Z
	box := e.box(x, y, z, rotation)
	rigid, otherRigid := !p.element.matching, !e.matching
	height := own.Y - p.Box.MinY
	_, up, _ := own.Front.Step()
	step := height - c.Y + up
	var lowest int32
	if rigid && otherRigid {
		lowest = p.Box.MinY + step
	} else {
		lowest = a.surface(at) - c.Y
	}
	shift := lowest - box.MinY
	box = box.Moved(0, shift, 0)
	if room > 0 {
		box.MaxY = max(box.MaxY, box.MinY+max(room+1, box.MaxY-box.MinY))
	}
	if !at.space.free(box) {
		return false
	}
	at.space.take(box)
	delta := int32(groundDelta)
	if otherRigid {
		delta = p.groundDelta - step
	}
	joined := newPiece(e, x, y+shift, z, rotation, delta, a.layout.keepsWater)
	joined.Box = box
	var ground int32
	switch {
	case rigid:
		ground = p.Box.MinY + height
	case otherRigid:
		ground = lowest + c.Y
	default:
		ground = a.surface(at) + step/2
	}
	p.junctions = append(p.junctions, junction{
		terrain.Junction{X: frontX, GroundY: ground - height + p.groundDelta, Z: frontZ}, step, e.matching})
	joined.junctions = append(joined.junctions, junction{
		terrain.Junction{X: own.X, GroundY: ground - c.Y + delta, Z: own.Z}, -step, p.element.matching})
	a.pieces = append(a.pieces, joined)
	if at.depth+1 <= a.layout.size {
		a.waiting.add(open{joined, at.space, at.depth + 1}, own.PlacementPriority)
	}
	return true
}

// surface is the height of the ground at a joint.
func (a *assembly) surface(at *joint) int32 {
	if !at.known {
		at.surface, at.known = a.layouter.Height(proto.WorldSurface, at.connector.X, at.connector.Z), true
	}
	return at.surface
}
