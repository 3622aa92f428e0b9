package nbt

import "encoding/binary"

// Raw is a tag's payload as it stands in a document, with its type. As a field
// or value it keeps a tag byte for byte.
type Raw struct {
	Type Type
	// Data is the payload: for a compound its members and the End, for a list
	// element type, count and elements.
	Data []byte
}

// Exists reports whether r holds a tag.
func (r Raw) Exists() bool { return r.Type != TypeEnd }

// Int returns the value of a byte, short, int or long.
func (r Raw) Int() (int64, bool) {
	if int(numberSize[r.Type]) > len(r.Data) {
		return 0, false
	}
	switch r.Type {
	case TypeByte:
		return int64(int8(r.Data[0])), true
	case TypeShort:
		return int64(int16(binary.BigEndian.Uint16(r.Data))), true
	case TypeInt:
		return int64(int32(binary.BigEndian.Uint32(r.Data))), true
	case TypeLong:
		return int64(binary.BigEndian.Uint64(r.Data)), true
	}
	return 0, false
}

// Bytes returns a string in modified UTF-8, a view.
func (r Raw) Bytes() ([]byte, bool) {
	if r.Type != TypeString || len(r.Data) < 2 || len(r.Data)-2 < int(binary.BigEndian.Uint16(r.Data)) {
		return nil, false
	}
	end := 2 + int(binary.BigEndian.Uint16(r.Data))
	return r.Data[2:end:end], true
}

// Text returns a string as UTF-8, a copy. See [AppendUTF8].
func (r Raw) Text() (string, bool) {
	b, ok := r.Bytes()
	return text(b), ok
}
