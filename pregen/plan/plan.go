package plan

import (
	"fmt"
	"iter"
	"math/bits"

	"strata/region"
)

// Tile is a square of chunks in one region.
type Tile struct {
	Region region.Pos
	// At is the north-western chunk, a multiple of Side from its region's.
	At   region.ChunkPos
	Side int
	// Want and Rim are the slots of the tile that the area has, and those that
	// its rim has.
	Want, Rim Mask
}

// Plan is an area, the order of its tiles, and its rim.
type Plan struct {
	area   *Area
	order  Order
	centre region.ChunkPos
	side   int
	rim    int
}

// Options of a plan. The zero value works.
type Options struct {
	Order Order // default ByRegion
	// Centre is the chunk that the order begins at; it may lie outside.
	Centre region.ChunkPos
	// Side of the tiles, in chunks: a power of two up to 32; default 1.
	Side int
	// Rim is how far around the area chunks count as its rim, up to 8 chunks.
	Rim int
}

// New returns a plan. The error wraps ErrOrder or ErrRange.
func New(area *Area, o Options) (*Plan, error) {
	order, err := ParseOrder(string(o.Order))
	if err != nil {
		return nil, err
	}
	side := max(o.Side, 1)
	if side > 32 || bits.OnesCount(uint(side)) != 1 {
		return nil, fmt.Errorf("tiles of %d chunks: %w", o.Side, ErrRange)
	}
	if o.Rim < 0 || o.Rim > 8 {
		return nil, fmt.Errorf("rim of %d chunks: %w", o.Rim, ErrRange)
	}
	return &Plan{area, order, o.Centre, side, o.Rim}, nil
}

// Area is the area of the plan.
func (p *Plan) Area() *Area { return p.area }

// Masks returns what a region has of the area and of its rim.
func (p *Plan) Masks(r region.Pos) (want, rim Mask) {
	want = p.area.Mask(r)
	if p.rim == 0 || want == full {
		return want, rim
	}
	near := want
	for z := int32(-1); z <= 1; z++ {
		for x := int32(-1); x <= 1; x++ {
			if o := p.area.Mask(region.Pos{X: r.X + x, Z: r.Z + z}); !o.Empty() {
				near = near.Or(spread(o, int(x)*32, int(z)*32, p.rim))
			}
		}
	}
	return want, near.Minus(want)
}

// Spread is what lies within a distance of up to 16 chunks of those of m, as
// seen from a region that lies dx, dz regions away from m's.
func Spread(m Mask, dx, dz int32, distance int) Mask {
	return spread(m, -int(dx)*32, -int(dz)*32, distance)
}

// spread is what lies within a distance of the chunks of m, as seen from a
// region that m's region is dx, dz chunks away from.
func spread(m Mask, dx, dz, distance int) (out Mask) {
	for z, row := range m {
		if row == 0 {
			continue
		}
		// 64 bits with the own region in the middle hold all that counts.
		wide := uint64(row) << 16
		for range distance {
			wide |= wide<<1 | wide>>1
		}
		shift := dx - 16
		var bits uint32
		switch {
		case shift <= -64 || shift >= 64:
		case shift < 0:
			bits = uint32(wide >> -shift)
		default:
			bits = uint32(wide << shift)
		}
		for to := max(z+dz-distance, 0); to <= min(z+dz+distance, 31); to++ {
			out[to] |= bits
		}
	}
	return out
}

// Tiles walks the tiles of the area and its rim, each once. Every chunk of both
// is in exactly one tile.
func (p *Plan) Tiles() iter.Seq[Tile] {
	return func(yield func(Tile) bool) {
		switch {
		case p.order == ByRegion || p.area.stored != nil:
			p.byRegion(yield)
		case p.order == Loop:
			r := p.cells()
			for z := r.MinZ; z <= r.MaxZ; z++ {
				if !walk(r, cell{r.MinX, z}, cell{r.MaxX, z}, p.visitor(yield)) {
					return
				}
			}
		default:
			shift := bits.TrailingZeros(uint(p.side))
			rings(p.cells(), cell{p.centre.X >> shift, p.centre.Z >> shift}, p.order == Spiral, p.visitor(yield))
		}
	}
}

// cells is the bounds in tiles, the rim included.
func (p *Plan) cells() Rect {
	return p.area.bounds.grow(int32(p.rim)).shift(bits.TrailingZeros(uint(p.side)))
}

// visitor yields the tiles of cells. It keeps the masks of the last few
// regions, since neighbours mostly lie in one.
func (p *Plan) visitor(yield func(Tile) bool) func(cell) bool {
	type masks struct {
		pos       region.Pos
		want, rim Mask
		known     bool
	}
	var kept [64]masks
	return func(c cell) bool {
		at := region.ChunkPos{X: c.x * int32(p.side), Z: c.z * int32(p.side)}
		r := at.Region()
		m := &kept[r.X&7|r.Z&7<<3]
		if !m.known || m.pos != r {
			m.want, m.rim = p.Masks(r)
			m.pos, m.known = r, true
		}
		return p.yieldTile(at, &m.want, &m.rim, yield)
	}
}

// yieldTile yields the tile at a chunk if something of the masks is in it.
func (p *Plan) yieldTile(at region.ChunkPos, want, rim *Mask, yield func(Tile) bool) bool {
	t := Tile{Region: at.Region(), At: at, Side: p.side}
	cut(&t.Want, want, at, p.side)
	cut(&t.Rim, rim, at, p.side)
	return t.Want.Empty() && t.Rim.Empty() || yield(t)
}

// cut copies the slots of a square.
func cut(to, from *Mask, at region.ChunkPos, side int) {
	columns := uint32((uint64(1)<<side - 1) << (at.X & 31))
	for z := at.Z & 31; z < at.Z&31+int32(side); z++ {
		to[z] = from[z] & columns
	}
}

func (p *Plan) byRegion(yield func(Tile) bool) {
	visit := func(c cell) bool {
		r := region.Pos{X: c.x, Z: c.z}
		want, rim := p.Masks(r)
		if want.Empty() && rim.Empty() {
			return true
		}
		bits := bits.TrailingZeros(uint(32 / p.side))
		for i := range 1 << (2 * bits) {
			x, z := hilbert(bits, i)
			at := region.ChunkPos{X: r.X<<5 + int32(x*p.side), Z: r.Z<<5 + int32(z*p.side)}
			if !p.yieldTile(at, &want, &rim, yield) {
				return false
			}
		}
		return true
	}
	if p.area.stored == nil {
		c := p.centre.Region()
		rings(p.area.bounds.grow(int32(p.rim)).shift(5), cell{c.X, c.Z}, true, visit)
		return
	}
	for _, r := range p.storedRegions() {
		if !visit(cell{r.X, r.Z}) {
			return
		}
	}
}

// storedRegions are the regions that hold chunks of the world, and those that
// the rim may reach.
func (p *Plan) storedRegions() []region.Pos {
	if p.rim == 0 {
		return p.area.stored.order
	}
	near := make(map[region.Pos]Mask)
	for r := range p.area.stored.regions {
		for z := int32(-1); z <= 1; z++ {
			for x := int32(-1); x <= 1; x++ {
				near[region.Pos{X: r.X + x, Z: r.Z + z}] = Mask{}
			}
		}
	}
	return sortedRegions(near)
}

func chunkOf(c cell) region.ChunkPos { return region.ChunkPos{X: c.x, Z: c.z} }
