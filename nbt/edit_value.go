package nbt

import (
	"encoding/binary"
	"math"
)

// The values that these methods make stand in a buffer of the edit: they are
// good until Reset.

// Byte returns a byte as a value for this edit.
func (e *Edit) Byte(v int8) Raw {
	e.values = append(e.values, byte(v))
	return e.value(TypeByte, 1)
}

// Short returns a short as a value for this edit.
func (e *Edit) Short(v int16) Raw {
	e.values = binary.BigEndian.AppendUint16(e.values, uint16(v))
	return e.value(TypeShort, 2)
}

// Int returns an int as a value for this edit.
func (e *Edit) Int(v int32) Raw {
	e.values = binary.BigEndian.AppendUint32(e.values, uint32(v))
	return e.value(TypeInt, 4)
}

// Long returns a long as a value for this edit.
func (e *Edit) Long(v int64) Raw {
	e.values = binary.BigEndian.AppendUint64(e.values, uint64(v))
	return e.value(TypeLong, 8)
}

// Float returns a float as a value for this edit, its bits as they are.
func (e *Edit) Float(v float32) Raw {
	r := e.Int(int32(math.Float32bits(v)))
	return Raw{TypeFloat, r.Data}
}

// Double returns a double as a value for this edit, its bits as they are.
func (e *Edit) Double(v float64) Raw {
	r := e.Long(int64(math.Float64bits(v)))
	return Raw{TypeDouble, r.Data}
}

// String returns a string as a value for this edit. One that is too long makes
// the edit fail with ErrStringLength.
func (e *Edit) String(s string) Raw {
	size := ModifiedSize(s)
	if size > math.MaxUint16 {
		if e.err == nil {
			e.err = &EditError{Op: "string", Offset: -1, Err: ErrStringLength}
		}
		return Raw{}
	}
	e.values = binary.BigEndian.AppendUint16(e.values, uint16(size))
	e.values = AppendModifiedUTF8(e.values, s)
	return e.value(TypeString, 2+size)
}

// value returns the last size bytes of the buffer.
func (e *Edit) value(kind Type, size int) Raw {
	end := len(e.values)
	return Raw{kind, e.values[end-size : end : end]}
}
