package nbt

import "reflect"

// Marshaler is a type that writes itself. MarshalNBT writes exactly one tag,
// without a name: its caller has written that, or there is none.
type Marshaler interface {
	MarshalNBT(w *Writer) error
}

// Marshal returns v as a document in the form that files have, the root's name
// empty. Go types become tags as follows:
//
//	bool int8 uint8                  byte
//	int16 uint16                     short
//	int32 uint32                     int
//	int64 uint64 int uint            long
//	float32                          float
//	float64                          double
//	string, encoding.TextMarshaler   string
//	[]int8 []byte [16]byte           byte array
//	[]int32 []uint32 [4]int32        int array
//	[]int64 []uint64 [37]int64       long array
//	other slices and arrays, List    list
//	struct, map of strings, Compound compound
//	Raw                              its tag as it stands, unchecked
//	pointer, interface               what it points to or holds
//	Marshaler                        what it writes
//
// Nil pointers and interfaces, and a Raw without a tag, are left out of
// compounds, and are ErrNil in lists. A nil slice or map is an empty one. Maps
// are written in the order of their keys. Lists that are empty have elements
// of type End, except for a [List].
//
// A list whose elements are of several types becomes one of compounds: each
// element that is no compound, and each compound with exactly the one key "",
// is put into a compound {"": element}, as the game does since 1.21.5.
//
// Fields of a struct are members by their own name, or that of the struct tag
// `nbt:"name,option,..."`; "-" leaves a field out. The options are:
//
//	omitempty  leave out false, 0, "", nil, and empty arrays, slices and maps
//	omitzero   leave out the zero value, or where IsZero() bool says so
//	list       make a slice or array of integers a list instead of an array
//	rest       the field, a Compound, []RawMember, map[string]Raw or
//	           map[string]any, takes all members that have no field when it is
//	           read, and they are written again after the others
//
// So a struct with a rest of type []RawMember or Compound loses nothing that
// it does not know, nor the order of that. In rest, members with the name of a
// field are not written. Fields of embedded structs are fields of the outer
// one under the rules of Go and encoding/json, unless the tag gives a name.
//
// What cannot be written is a [*TypeError].
func Marshal(v any) ([]byte, error) { return marshal(v, rootedHeader) }

// MarshalNetwork returns v in the form that the protocol has since version 764
// (1.20.2), without a name. Nil becomes a single byte, End, that stands for no
// tag.
func MarshalNetwork(v any) ([]byte, error) { return marshal(v, networkHeader) }

// AppendMarshal appends to dst what [Marshal] returns. After an error it
// returns dst as it was.
func AppendMarshal(dst []byte, v any) ([]byte, error) {
	return appendDocument(dst, v, rootedHeader)
}

// AppendMarshalNetwork appends to dst what [MarshalNetwork] returns. After an
// error it returns dst as it was.
func AppendMarshalNetwork(dst []byte, v any) ([]byte, error) {
	return appendDocument(dst, v, networkHeader)
}

// MarshalRaw returns v as a single tag. Nil becomes a Raw without a tag.
func MarshalRaw(v any) (Raw, error) {
	data, err := marshal(v, networkHeader)
	if err != nil || data[0] == byte(TypeEnd) {
		return Raw{}, err
	}
	return Raw{Type(data[0]), data[1:]}, nil
}

// Value writes v as [Marshal] does, as a tag of its own: an element of a list,
// or what follows Name. Nil is ErrNil.
func (w *Writer) Value(v any) {
	if w.err != nil {
		return
	}
	e := newEncoder()
	defer e.release()
	kind, err := e.root(v)
	if err == nil && kind == TypeEnd {
		err = ErrNil
	}
	if err != nil {
		w.err = err
		return
	}
	e.keep() // what Raw copies
	w.Raw(Raw{kind, e.buf})
}

// The size of what precedes a root's payload.
const (
	networkHeader = 1 // type
	rootedHeader  = 3 // type and an empty name
)

// marshal encodes into memory that is used again, so that what it returns is
// allocated once, in its size.
func marshal(v any, header int) ([]byte, error) {
	e := newEncoder()
	defer e.release()
	if err := e.document(v, header); err != nil {
		return nil, err
	}
	e.keep()
	return append(make([]byte, 0, len(e.buf)), e.buf...), nil
}

func appendDocument(dst []byte, v any, header int) ([]byte, error) {
	e := newEncoder()
	defer e.release()
	if len(dst) < cap(dst) {
		e.buf = dst
	}
	if err := e.document(v, header); err != nil {
		return dst, err
	}
	if len(dst) < cap(dst) {
		return e.buf, nil
	}
	e.keep()
	return append(dst, e.buf...), nil // grows once
}

// document appends a document.
func (e *encoder) document(v any, header int) error {
	at := len(e.buf)
	e.buf = append(e.buf, make([]byte, header)...)
	kind, err := e.root(v)
	if err != nil {
		return err
	}
	if kind == TypeEnd && header == rootedHeader {
		return &TypeError{Offset: -1, GoType: reflect.TypeOf(v), Err: ErrNil}
	}
	e.buf[at] = byte(kind)
	return nil
}

// root appends the payload of a value.
func (e *encoder) root(v any) (Type, error) {
	kind := e.value(v)
	if e.err != nil {
		return TypeEnd, e.failure()
	}
	return kind, nil
}
