package climate

import (
	"math"

	"strata/pregen/worldgen/proto"
)

// Match is the result of a look-up.
type Match struct {
	Row   int         // of the table
	Biome proto.Biome // of the row
	// Tied says that a row of another biome is exactly as near.
	Tied bool
}

// Finder looks up biomes in a table. It remembers what it found last, which
// makes it fast where climates change little from one look-up to the next.
type Finder struct {
	table *Table
	last  int32 // row that ties are resolved to, -1 for none
	// climate is that of bases, without depth.
	climate Point
	known   bool
	near    bool // as of Point.near
	bases   [maxGroups]hit
}

// Finder returns a new finder.
func (t *Table) Finder() *Finder {
	f := &Finder{table: t}
	for i := range f.bases {
		f.bases[i].item = -1
	}
	f.Forget()
	return f
}

// Forget makes the next look-up one without a previous one, as far as ties are
// concerned.
func (f *Finder) Forget() { f.last = -1 }

// Find returns the row nearest to a point. Between rows that are equally near
// it takes that of the previous look-up, or else the first one that the game
// would find.
func (f *Finder) Find(p Point) Match {
	row, tied := f.find(&p)
	differ := false
	if tied {
		row, differ = f.resolve(&p)
	}
	f.last = row
	return Match{Row: int(row), Biome: f.table.rows[row], Tied: differ}
}

// find returns the nearest row, or that there are several or it can not tell.
func (f *Finder) find(p *Point) (row int32, tied bool) {
	f.settle(p)
	return f.nearest(p)
}

// settle finds the nearest box of each group, for points that have all but the
// depth in common with this one.
func (f *Finder) settle(p *Point) {
	flat := *p
	flat[Depth] = 0
	if flat == f.climate && f.known {
		return
	}
	f.climate, f.known = flat, true
	if f.near = flat.near(); !f.near {
		return
	}
	groups := f.table.groups
	for i := range groups {
		f.bases[i] = groups[i].tree.nearest(&flat, f.bases[i].item)
	}
}

// nearest is find after settle.
func (f *Finder) nearest(p *Point) (row int32, tied bool) {
	groups := f.table.groups
	depth := p[Depth]
	if len(groups) == 0 || !f.near || depth > farthest || depth < -farthest {
		return -1, true
	}
	least := int64(math.MaxInt64)
	for i := range groups {
		g, base := &groups[i], &f.bases[i]
		for k, in := range g.intervals {
			d := max(depth-int64(in.high), int64(in.low)-depth, 0)
			switch d = base.distance + d*d; {
			case d < least:
				least, tied = d, base.tied
				row = g.rows[int(base.item)*len(g.intervals)+k]
			case d == least:
				tied = true
			}
		}
	}
	return row, tied
}

// resolve returns the row that the game takes, and whether one of another biome
// is as near.
func (f *Finder) resolve(p *Point) (row int32, differ bool) {
	t := f.table
	if p.near() {
		h := t.tree.nearest(p, f.last)
		return h.item, h.tied
	}
	row = t.tree.asGame(p, f.last)
	distance := t.tree.nodes[t.tree.leaves[row]].distance(p)
	for item, leaf := range t.tree.leaves {
		if t.rows[item] != t.rows[row] && t.tree.nodes[leaf].distance(p) == distance {
			return row, true
		}
	}
	return row, false
}
