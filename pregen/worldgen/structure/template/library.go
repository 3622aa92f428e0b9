package template

// Library has the templates that structures are built of: of each its size and
// connectors, and its blocks where the user's game files are at hand. It may be
// used concurrently.
type Library struct {
	shapes map[string]*Shape
}

// Builtin returns the game's own templates without their blocks.
func Builtin() *Library { return &Library{shapes: builtinShapes()} }

// Shape returns the shape of a template, such as minecraft:igloo/top, and false
// if there is none.
func (l *Library) Shape(id string) (*Shape, bool) {
	s, ok := l.shapes[id]
	return s, ok
}
