package nbt

import "strconv"

// Type is the kind of a tag, as its first byte says.
type Type uint8

// The thirteen types. End closes a compound, and is the element type of most
// empty lists.
const (
	TypeEnd       Type = 0
	TypeByte      Type = 1
	TypeShort     Type = 2
	TypeInt       Type = 3
	TypeLong      Type = 4
	TypeFloat     Type = 5
	TypeDouble    Type = 6
	TypeByteArray Type = 7
	TypeString    Type = 8
	TypeList      Type = 9
	TypeCompound  Type = 10
	TypeIntArray  Type = 11
	TypeLongArray Type = 12

	maxType = TypeLongArray
)

var typeNames = [...]string{
	"end", "byte", "short", "int", "long", "float", "double",
	"byte array", "string", "list", "compound", "int array", "long array",
}

// String returns the type's name in lower case, such as "long array".
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "type " + strconv.Itoa(int(t))
}

// Valid reports whether t is one of the thirteen types.
func (t Type) Valid() bool { return t <= maxType }

// Numeric reports whether t is a byte, short, int, long, float or double.
func (t Type) Numeric() bool { return TypeByte <= t && t <= TypeDouble }

// Array reports whether t is an array of bytes, ints or longs.
func (t Type) Array() bool {
	return t == TypeByteArray || t == TypeIntArray || t == TypeLongArray
}

// The tables have a place for every byte, so that an index needs no check.
var (
	// numberSize is the size in bytes of a number, 0 for the other types.
	numberSize = [256]uint8{TypeByte: 1, TypeShort: 2, TypeInt: 4, TypeLong: 8, TypeFloat: 4, TypeDouble: 8}
	// elementShift is the size of an array's element as a power of two.
	elementShift = [256]uint8{TypeByteArray: 0, TypeIntArray: 2, TypeLongArray: 3}
)
