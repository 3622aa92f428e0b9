package plan

import (
	"fmt"
	"slices"
	"strings"
)

// Shape is the kind of an area.
type Shape string

// The shapes.
const (
	Square    Shape = "square"
	Rectangle Shape = "rectangle"
	Circle    Shape = "circle"
	Ellipse   Shape = "ellipse"
	Diamond   Shape = "diamond"
	Triangle  Shape = "triangle"
	Pentagon  Shape = "pentagon"
	Hexagon   Shape = "hexagon"
	Star      Shape = "star"
	// Polygon is one of any corners.
	Polygon Shape = "polygon"
	// Existing is the chunks that the world has: see [NewExisting].
	Existing Shape = "existing"
)

// Shapes lists the shapes.
func Shapes() []Shape {
	return []Shape{Square, Rectangle, Circle, Ellipse, Diamond, Triangle, Pentagon, Hexagon, Star, Polygon, Existing}
}

// ParseShape returns the shape of a name. The error wraps ErrShape and lists
// them.
func ParseShape(name string) (Shape, error) {
	if slices.Contains(Shapes(), Shape(name)) {
		return Shape(name), nil
	}
	return "", fmt.Errorf("%w %q: want one of %s", ErrShape, name, list(Shapes()))
}

func list[T ~string](all []T) string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}

// Block is a column of blocks.
type Block struct{ X, Z int32 }

// unit is a length of one in the tables below.
const unit = 1 << 30

// corners are the corners of the shapes that have some, on the unit circle
// with north (negative z) first: sine and negative cosine of equal steps of a
// turn. The star's inner corners lie where the sides of a pentagram cross.
var corners = map[Shape][][2]int64{
	Triangle: {{0, -1073741824}, {929887697, 536870912}, {-929887697, 536870912}},
	Pentagon: {
		{0, -1073741824}, {1021189159, -331804471}, {631129609, 868675383},
		{-631129609, 868675383}, {-1021189159, -331804471},
	},
	Hexagon: {
		{0, -1073741824}, {929887697, -536870912}, {929887697, 536870912},
		{0, 1073741824}, {-929887697, 536870912}, {-929887697, -536870912},
	},
	Star: {
		{0, -1073741824}, {241070059, -331804471}, {1021189159, -331804471}, {390059550, 126738030},
		{631129609, 868675383}, {0, 410132882}, {-631129609, 868675383}, {-390059550, 126738030},
		{-1021189159, -331804471}, {-241070059, -331804471},
	},
}
