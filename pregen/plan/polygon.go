package plan

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// MaxCorners is how many corners a polygon may have.
const MaxCorners = 4096

// polygon is any closed line; a point is inside if a way out of it crosses the
// line an odd number of times.
type polygon []side

type side struct{ x0, z0, x1, z1 int64 }

// regular is a shape of the table, of the radius r in blocks.
func regular(table [][2]int64, cx, cz, r int64) polygon {
	at := func(i int) (x, z int64) {
		c := table[i%len(table)]
		return cx + scaled(c[0], r), cz + scaled(c[1], r)
	}
	p := make(polygon, len(table))
	for i := range p {
		s := &p[i]
		s.x0, s.z0 = at(i)
		s.x1, s.z1 = at(i + 1)
	}
	return p
}

// scaled is a length of the table times r, to the nearest whole block.
func scaled(v, r int64) int64 {
	if v < 0 {
		return -scaled(-v, r)
	}
	return (v*r + unit/2) / unit
}

// NewPolygon returns the area in a line through the corners and back to the
// first. Where the line crosses itself, what is inside twice is outside. The
// error wraps ErrPolygon or ErrRange.
func NewPolygon(corners []Block) (*Area, error) {
	switch {
	case len(corners) < 3:
		return nil, fmt.Errorf("%w: %d corners", ErrPolygon, len(corners))
	case len(corners) > MaxCorners:
		return nil, fmt.Errorf("%w: %d corners, more than %d", ErrPolygon, len(corners), MaxCorners)
	}
	p := make(polygon, 0, len(corners))
	low, high := corners[0], corners[0]
	digest := xxhash.New()
	last := corners[len(corners)-1]
	for _, c := range corners {
		p = append(p, side{int64(last.X), int64(last.Z), int64(c.X), int64(c.Z)})
		low = Block{min(low.X, c.X), min(low.Z, c.Z)}
		high = Block{max(high.X, c.X), max(high.Z, c.Z)}
		fmt.Fprintf(digest, "%d,%d\n", c.X, c.Z)
		last = c
	}
	a := &Area{
		shape: Polygon, form: p,
		text: fmt.Sprintf("polygon of %d corners from %d,%d to %d,%d, digest %016x", len(corners), low.X, low.Z, high.X, high.Z, digest.Sum64()),
	}
	return a.within(int64(low.X), int64(low.Z), int64(high.X), int64(high.Z))
}

func (p polygon) contains(x, z int64) bool {
	in := false
	for _, s := range p {
		// Twice the area of the triangle of the side and the point: its sign
		// says on which side the point is.
		turn := (s.x1-s.x0)*(z-s.z0) - (s.z1-s.z0)*(x-s.x0)
		if turn == 0 && x >= min(s.x0, s.x1) && x <= max(s.x0, s.x1) && z >= min(s.z0, s.z1) && z <= max(s.z0, s.z1) {
			return true
		}
		// A side has its northern end and not its southern one, so that a
		// corner is crossed once.
		if s.z0 <= z && z < s.z1 && turn < 0 || s.z1 <= z && z < s.z0 && turn > 0 {
			in = !in
		}
	}
	return in
}

// uniform: if no side meets the rectangle, it is all inside or all outside.
func (p polygon) uniform(x0, z0, x1, z1 int64) bool {
	for _, s := range p {
		if max(s.x0, s.x1) < x0 || min(s.x0, s.x1) > x1 || max(s.z0, s.z1) < z0 || min(s.z0, s.z1) > z1 {
			continue
		}
		low, high := int64(1), int64(-1)
		for _, c := range [4][2]int64{{x0, z0}, {x1, z0}, {x0, z1}, {x1, z1}} {
			turn := (s.x1-s.x0)*(c[1]-s.z0) - (s.z1-s.z0)*(c[0]-s.x0)
			low, high = min(low, turn), max(high, turn)
		}
		if low <= 0 && high >= 0 {
			return false
		}
	}
	return true
}

// maxPolygonLine is how long a line of a list of corners may be, in bytes.
const maxPolygonLine = 4096

// ReadPolygon reads the corners of a polygon: a line "x,z" in blocks each.
// Empty lines, lines that begin with # and a first line of column names are
// left out. The error wraps ErrPolygon, or is r's.
func ReadPolygon(r io.Reader) ([]Block, error) {
	var corners []Block
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 256), maxPolygonLine)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		c, err := parseCorner(line)
		switch {
		case err != nil && len(corners) == 0 && isHead(line):
			continue
		case err != nil:
			return nil, fmt.Errorf("%w: line %d: %w", ErrPolygon, n, err)
		case len(corners) == MaxCorners:
			return nil, fmt.Errorf("%w: more than %d corners", ErrPolygon, MaxCorners)
		}
		corners = append(corners, c)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPolygon, err)
	}
	return corners, nil
}

// isHead reports whether a line has names and no numbers.
func isHead(line string) bool { return !strings.ContainsAny(line, "0123456789") }

func parseCorner(line string) (Block, error) {
	x, z, ok := strings.Cut(line, ",")
	if !ok {
		return Block{}, fmt.Errorf("%q is not x,z", line)
	}
	var c Block
	for _, part := range []struct {
		text string
		to   *int32
	}{{x, &c.X}, {z, &c.Z}} {
		v, err := strconv.ParseInt(strings.TrimSpace(part.text), 10, 32)
		if err != nil || v < -MaxBlock || v > MaxBlock {
			return Block{}, fmt.Errorf("%q is no coordinate in blocks", strings.TrimSpace(part.text))
		}
		*part.to = int32(v)
	}
	return c, nil
}
