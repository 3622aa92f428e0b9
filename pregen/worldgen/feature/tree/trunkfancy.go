package tree

import "math"

// fancy are trunks with branches to crowns all around, thicker in the middle.
type fancy struct{ heights }

// branch is a crown of a fancy tree and the height at which the trunk has the
// branch to it.
type branch struct {
	at   pos
	base int
}

// maxBranches bounds the branches of a tree: one for each height.
const maxBranches = 96

// trunkShare is the part of a fancy tree's height that its trunk takes.
const trunkShare = 0.618

// crownDepth is how far above its place a crown must have room.
const crownDepth = 5

func (fancy) place(w *work, height int, foot pos) {
	r := w.Random
	tall := height + 2
	trunk := floor(float64(float64(tall) * trunkShare))
	w.ground(foot.up(-1))
	top := foot.y + trunk
	var space [maxBranches]branch
	branches := append(space[:0], branch{foot.up(tall - crownDepth), top})
	// Of the game's "branches of a height" there is always one: trees are not
	// that high.
	for y := tall - crownDepth; y >= 0; y-- {
		wide := spread(tall, y)
		if wide < 0 {
			continue
		}
		length := float64(float64(wide) * (float64(r.Float()) + 0.328))
		sin, cos := sinCos(float64(float64(r.Float()*2) * math.Pi))
		p := foot.offset(floor(float64(length*sin)+0.5), y-1, floor(float64(length*cos)+0.5))
		if !w.limb(p, p.up(crownDepth), false) {
			continue
		}
		dx, dz := foot.x-p.x, foot.z-p.z
		base := float64(p.y) - float64(math.Sqrt(float64(dx*dx+dz*dz))*0.381)
		from := pos{foot.x, int(base), foot.z}
		if base > float64(top) {
			from.y = top
		}
		if w.limb(from, p, false) {
			branches = append(branches, branch{p, from.y})
		}
	}
	w.limb(foot, foot.up(trunk), true)
	for _, b := range branches {
		from := pos{foot.x, b.base, foot.z}
		if from != b.at && strong(tall, b.base-foot.y) {
			w.limb(from, b.at, true)
		}
	}
	for _, b := range branches {
		if strong(tall, b.base-foot.y) {
			w.attach(b.at, 0, false)
		}
	}
}

// strong reports whether the trunk has branches at a height.
func strong(tall, y int) bool { return float64(y) >= float64(float64(tall)*0.2) }

// spread is how far branches reach at a height, negative for none.
func spread(tall, y int) float32 {
	if float32(y) < float32(float32(tall)*0.3) {
		return -1
	}
	half := float32(float32(tall) / 2)
	off := half - float32(y)
	wide := float32(math.Sqrt(float64(float32(half*half) - float32(off*off))))
	if off == 0 {
		wide = half
	} else if float32(math.Abs(float64(off))) >= half {
		return 0
	}
	return wide * 0.5
}

// limb places logs from one place to another, both included, or looks whether
// there is room for them.
func (w *work) limb(from, to pos, place bool) bool {
	if !place && from == to {
		return true
	}
	d := pos{to.x - from.x, to.y - from.y, to.z - from.z}
	n := max(abs(d.x), abs(d.y), abs(d.z))
	if n == 0 {
		w.log(from)
		return true
	}
	stepX, stepY, stepZ := float32(d.x)/float32(n), float32(d.y)/float32(n), float32(d.z)/float32(n)
	for i := range n + 1 {
		f := float32(i)
		p := from.offset(round(f*stepX), round(f*stepY), round(f*stepZ))
		if !place {
			if !w.tree.free(at(w.Context, p)) {
				return false
			}
			continue
		}
		w.logAlong(p, mainAxis(from, p))
	}
	return true
}

// round is the nearest integer, in single precision.
func round(v float32) int { return floor(float64(0.5 + float32(v))) }

// mainAxis is the axis of a log on the way from a place.
func mainAxis(from, p pos) string {
	x, z := abs(p.x-from.x), abs(p.z-from.z)
	switch {
	case x == 0 && z == 0:
		return "y"
	case x >= z:
		return "x"
	}
	return "z"
}
