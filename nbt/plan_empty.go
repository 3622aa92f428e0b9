package nbt

import (
	"reflect"
	"unsafe"
)

// What omitempty leaves out.

func empty[T comparable](p unsafe.Pointer) bool {
	var zero T
	return *(*T)(p) == zero
}

func emptyNever(unsafe.Pointer) bool     { return false }
func emptyAlways(unsafe.Pointer) bool    { return true }
func emptySlice(p unsafe.Pointer) bool   { return len(*(*[]byte)(p)) == 0 }
func emptyPointer(p unsafe.Pointer) bool { return *(*unsafe.Pointer)(p) == nil }
func emptyRaw(p unsafe.Pointer) bool     { return !(*Raw)(p).Exists() }
func emptyList(p unsafe.Pointer) bool    { return len((*List)(p).Items) == 0 }

func emptyInterface(typ reflect.Type) func(unsafe.Pointer) bool {
	return func(p unsafe.Pointer) bool { return reflect.NewAt(typ, p).Elem().IsNil() }
}

func emptyMap(typ reflect.Type) func(unsafe.Pointer) bool {
	return func(p unsafe.Pointer) bool { return reflect.NewAt(typ, p).Elem().Len() == 0 }
}

// isZero reports whether omitzero leaves the value at p out.
func isZero(typ reflect.Type, p unsafe.Pointer) bool {
	v := reflect.NewAt(typ, p)
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.Elem().IsZero()
}
