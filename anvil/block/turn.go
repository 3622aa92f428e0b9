package block

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Rotation is a turn about the y axis, seen from above.
type Rotation uint8

// The rotations, in the order in which the game numbers and draws them.
const (
	NoRotation Rotation = iota
	Clockwise90
	Clockwise180
	Counterclockwise90
)

var rotationNames = [...]string{"NONE", "CLOCKWISE_90", "CLOCKWISE_180", "COUNTERCLOCKWISE_90"}

// String returns the name that the game's files use, such as CLOCKWISE_90.
func (r Rotation) String() string { return rotationNames[r&3] }

// ParseRotation returns the rotation with a name of the game's files.
func ParseRotation(name string) (Rotation, bool) {
	i := slices.Index(rotationNames[:], name)
	return Rotation(max(i, 0)), i >= 0
}

// Then returns the rotation that r and then o amount to.
func (r Rotation) Then(o Rotation) Rotation { return (r + o) & 3 }

// Direction turns a direction.
func (r Rotation) Direction(d Direction) Direction {
	if d < North {
		return d
	}
	for range r & 3 {
		d = clockwise[d]
	}
	return d
}

var clockwise = [...]Direction{Down, Up, East, West, North, South}

// Clockwise returns the direction to the right of a horizontal one; others are
// returned as they are.
func (d Direction) Clockwise() Direction { return clockwise[d] }

// Step returns what a step in the direction adds to x, y and z.
func (d Direction) Step() (x, y, z int32) {
	s := unitSteps[d]
	return s[0], s[1], s[2]
}

var unitSteps = [...][3]int32{{0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}

// Mirror is a reflection in a plane that stands upright.
type Mirror uint8

// The mirrors, in the order in which the game numbers and draws them.
const (
	NoMirror  Mirror = iota
	LeftRight        // north and south change places
	FrontBack        // west and east change places
)

var mirrorNames = [...]string{"NONE", "LEFT_RIGHT", "FRONT_BACK"}

// String returns the name that the game's files use, such as LEFT_RIGHT.
func (m Mirror) String() string { return mirrorNames[min(int(m), len(mirrorNames)-1)] }

// ParseMirror returns the mirror with a name of the game's files.
func ParseMirror(name string) (Mirror, bool) {
	i := slices.Index(mirrorNames[:], name)
	return Mirror(max(i, 0)), i >= 0
}

// Direction reflects a direction.
func (m Mirror) Direction(d Direction) Direction {
	if m == LeftRight && (d == North || d == South) || m == FrontBack && (d == West || d == East) {
		return d.Opposite()
	}
	return d
}

// turned are the states of the native table after a turn or a reflection.
type turned struct {
	once   sync.Once
	states []State
}

var rotatedStates [4]turned
var mirroredStates [3]turned

func (t *turned) of(s State, turn func(State) State) State {
	if !s.Native() {
		return s
	}
	t.once.Do(func() {
		t.states = make([]State, StateCount)
		for i := range t.states {
			t.states[i] = turn(State(i))
		}
	})
	return t.states[s]
}

// Rotate returns the state of a block that is turned with what is around it.
// States that are not native stay as they are.
func (s State) Rotate(r Rotation) State {
	if r &= 3; r == NoRotation {
		return s
	}
	return rotatedStates[r].of(s, func(s State) State { return s.turn(r.Direction, int(r)) })
}

// Mirror returns the state of a block that is reflected with what is around it,
// as the game reflects it: some stairs in corners come out wrong there.
func (s State) Mirror(m Mirror) State {
	if m != LeftRight && m != FrontBack {
		return s
	}
	return mirroredStates[m].of(s, func(s State) State { return s.reflect(m) })
}

// turn changes the properties that name directions as change does. quarters is
// the turn clockwise that change is, or -1 for a reflection.
func (s State) turn(change func(Direction) Direction, quarters int) State {
	id := s.Block()
	result := s
	for i, p := range id.Properties() {
		value := p.Values[s.Value(i)]
		switch p.Name {
		case "facing", "horizontal_facing":
			result = result.WithValue(i, p.Index(turnName(value, change)))
		case "orientation":
			front, top, _ := strings.Cut(value, "_")
			result = result.WithValue(i, p.Index(turnName(front, change)+"_"+turnName(top, change)))
		case "axis":
			if quarters > 0 && quarters&1 == 1 && value != "y" {
				result = result.WithValue(i, p.Index(map[string]string{"x": "z", "z": "x"}[value]))
			}
		case "rotation":
			if at, err := strconv.Atoi(value); err == nil && quarters >= 0 {
				result = result.WithValue(i, (at+quarters*len(p.Values)/4)%len(p.Values))
			}
		case "north", "south", "west", "east":
			if id != Fire {
				to := turnName(p.Name, change)
				result, _ = result.With(to, value)
			}
		case "shape":
			if turned := turnRail(value, change); p.Index(turned) >= 0 {
				result = result.WithValue(i, p.Index(turned))
			}
		}
	}
	return result
}

func turnName(name string, change func(Direction) Direction) string {
	if d := slices.Index(directionNames[:], name); d >= 0 {
		return change(Direction(d)).String()
	}
	return name
}

// turnRail changes the shape of a rail, which names two directions. Others, as
// those of stairs, come out as something that is no shape.
func turnRail(shape string, change func(Direction) Direction) string {
	first, second, _ := strings.Cut(shape, "_")
	if first == "ascending" {
		return "ascending_" + turnName(second, change)
	}
	first, second = turnName(first, change), turnName(second, change)
	if first == "west" || first == "east" {
		if second == "north" || second == "south" {
			first, second = second, first
		} else {
			first, second = "east", "west"
		}
	}
	if first == "south" && second == "north" {
		first, second = "north", "south"
	}
	return first + "_" + second
}

// reflect is what the game's blocks do, each in its own way.
func (s State) reflect(m Mirror) State {
	id := s.Block()
	if strings.HasSuffix(id.Name(), "anvil") {
		return s
	}
	if id.PropertyIndex("shape") >= 0 && id.PropertyIndex("half") >= 0 {
		return s.reflectStairs(m)
	}
	result := s.turn(m.Direction, -1)
	if i := id.PropertyIndex("rotation"); i >= 0 {
		n := len(id.Properties()[i].Values)
		turned := (n - s.Value(i)) % n
		if m == LeftRight {
			turned = (n/2 - s.Value(i) + n) % n
		}
		result = result.WithValue(i, turned)
	}
	switch {
	case id.PropertyIndex("hinge") >= 0:
		result, _ = result.With("hinge", otherSide(s.Property("hinge")))
	case id.PropertyIndex("type") >= 0 && id.PropertyIndex("facing") >= 0:
		result, _ = result.With("type", otherSide(s.Property("type"))) // of chests
	}
	return result
}

// reflectStairs reflects stairs: those that face along the mirror stay.
func (s State) reflectStairs(m Mirror) State {
	facing := s.Property("facing")
	if turnName(facing, m.Direction) == facing {
		return s
	}
	result, _ := s.With("facing", turnName(facing, m.Direction))
	shape := s.Property("shape")
	if m == FrontBack && strings.HasPrefix(shape, "inner_") {
		return result
	}
	if corner, side, ok := strings.Cut(shape, "_"); ok {
		result, _ = result.With("shape", corner+"_"+otherSide(side))
	}
	return result
}

func otherSide(side string) string {
	switch side {
	case "left":
		return "right"
	case "right":
		return "left"
	}
	return side
}
