package nbt_test

import "strata/nbt"

// copyTag writes a tag through the writer's typed methods.
func copyTag(w *nbt.Writer, t nbt.Tag) {
	switch t.Type() {
	case nbt.TypeByte:
		v, _ := t.Int()
		w.Byte(int8(v))
	case nbt.TypeShort:
		v, _ := t.Int()
		w.Short(int16(v))
	case nbt.TypeInt:
		v, _ := t.Int()
		w.Int(int32(v))
	case nbt.TypeLong:
		v, _ := t.Int()
		w.Long(v)
	case nbt.TypeFloat, nbt.TypeDouble:
		w.Raw(t.Raw()) // Float64 to Float32 may quiet a NaN
	case nbt.TypeByteArray:
		v, _ := t.ByteArray()
		w.ByteArray(v)
	case nbt.TypeString:
		v, _ := t.Bytes()
		w.StringBytes(v)
	case nbt.TypeIntArray:
		v, _ := t.IntArray()
		w.IntArray(v.AppendTo(nil))
	case nbt.TypeLongArray:
		v, _ := t.LongArray()
		w.LongArray(v.AppendTo(nil))
	case nbt.TypeList:
		w.BeginList(t.Elem(), t.Len())
		for _, e := range t.Elements() {
			copyTag(w, e)
		}
		w.End()
	case nbt.TypeCompound:
		w.BeginCompound()
		for name, m := range t.Members() {
			w.NameBytes(name)
			copyTag(w, m)
		}
		w.End()
	}
}
