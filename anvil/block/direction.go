package block

// Direction is one of the six sides of a block. The numbers are those of the
// game's protocol and files.
type Direction uint8

// The directions: y, z and x, each with its negative side first.
const (
	Down Direction = iota
	Up
	North // negative z
	South
	West // negative x
	East
)

// Opposite returns the side across.
func (d Direction) Opposite() Direction { return d ^ 1 }

// String returns the name used in properties, such as "north".
func (d Direction) String() string {
	if int(d) < len(directionNames) {
		return directionNames[d]
	}
	return "?"
}

var directionNames = [...]string{"down", "up", "north", "south", "west", "east"}
