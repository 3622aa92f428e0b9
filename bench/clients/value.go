package clients

import "math"

// Type is the type of a value, by the name that the judges use.
type Type string

// The types of NBT, in the order of their numbers from 0.
const (
	TypeEnd       Type = "end"
	TypeByte      Type = "byte"
	TypeShort     Type = "short"
	TypeInt       Type = "int"
	TypeLong      Type = "long"
	TypeFloat     Type = "float"
	TypeDouble    Type = "double"
	TypeByteArray Type = "byteArray"
	TypeString    Type = "string"
	TypeList      Type = "list"
	TypeCompound  Type = "compound"
	TypeIntArray  Type = "intArray"
	TypeLongArray Type = "longArray"
)

// Types are all types; a type's index is its number in the binary form.
var Types = [...]Type{
	TypeEnd, TypeByte, TypeShort, TypeInt, TypeLong, TypeFloat, TypeDouble,
	TypeByteArray, TypeString, TypeList, TypeCompound, TypeIntArray, TypeLongArray,
}

// Value is a tag's payload. Each type uses one of the fields; TypeEnd, which
// stands for no value at all, uses none.
type Value struct {
	Type    Type
	Int     int64   // of a byte, short, int or long
	Bits    uint64  // of a float (the lower 32) or a double
	Text    Text    // of a string
	Numbers []int64 // of an array
	Of      Type    // of a list: the type of its items, TypeEnd or any other when it has none
	Items   []Value // of a list
	Entries []Entry // of a compound, in the order of the source
}

// Entry is a named tag in a compound.
type Entry struct {
	Name  Text
	Value Value
}

// Document is what a file or a packet holds.
type Document struct {
	Name Text // of the root; empty in the network form, which has none
	Root Value
}

// Byte returns a byte.
func Byte(n int8) Value { return Value{Type: TypeByte, Int: int64(n)} }

// Short returns a short.
func Short(n int16) Value { return Value{Type: TypeShort, Int: int64(n)} }

// Int returns an int.
func Int(n int32) Value { return Value{Type: TypeInt, Int: int64(n)} }

// Long returns a long.
func Long(n int64) Value { return Value{Type: TypeLong, Int: n} }

// Float returns a float.
func Float(f float32) Value { return Value{Type: TypeFloat, Bits: uint64(math.Float32bits(f))} }

// Double returns a double.
func Double(f float64) Value { return Value{Type: TypeDouble, Bits: math.Float64bits(f)} }

// String returns a string.
func String(text Text) Value { return Value{Type: TypeString, Text: text} }

// ByteArray returns an array of bytes.
func ByteArray(numbers ...int8) Value { return array(TypeByteArray, numbers) }

// IntArray returns an array of ints.
func IntArray(numbers ...int32) Value { return array(TypeIntArray, numbers) }

// LongArray returns an array of longs.
func LongArray(numbers ...int64) Value { return array(TypeLongArray, numbers) }

func array[N int8 | int32 | int64](t Type, numbers []N) Value {
	v := Value{Type: t, Numbers: make([]int64, len(numbers))}
	for i, n := range numbers {
		v.Numbers[i] = int64(n)
	}
	return v
}

// List returns a list whose items are of type of.
func List(of Type, items ...Value) Value { return Value{Type: TypeList, Of: of, Items: items} }

// Compound returns a compound.
func Compound(entries ...Entry) Value { return Value{Type: TypeCompound, Entries: entries} }

// isNaN reports whether v is a float or double that is not a number.
func (v Value) isNaN() bool {
	switch v.Type {
	case TypeFloat:
		return math.IsNaN(float64(math.Float32frombits(uint32(v.Bits))))
	case TypeDouble:
		return math.IsNaN(math.Float64frombits(v.Bits))
	}
	return false
}
