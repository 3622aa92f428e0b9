package item

import (
	"strata/nbt"
	"strata/server/protocol"
)

// elements returns a list, also of what NBT has as an array.
func elements(v any) (nbt.List, bool) {
	list, ok := v.(nbt.List)
	switch v := v.(type) {
	case []int32:
		for _, e := range v {
			list.Items = append(list.Items, e)
		}
		ok = true
	case []byte:
		for _, e := range v {
			list.Items = append(list.Items, int8(e))
		}
		ok = true
	}
	return list, ok
}

// packed returns an array for a list of ints or bytes that is not empty.
func packed(list nbt.List) any {
	if len(list.Items) == 0 {
		return list
	}
	switch list.Items[0].(type) {
	case int32:
		ints := make([]int32, len(list.Items))
		for i, e := range list.Items {
			ints[i], _ = e.(int32)
		}
		return ints
	case int8:
		bytes := make([]byte, len(list.Items))
		for i, e := range list.Items {
			b, _ := e.(int8)
			bytes[i] = byte(b)
		}
		return bytes
	}
	return list
}

func intOf[T ~int32](low, high int64) codec[T] {
	return codec[T]{
		decode: func(c *conv, v any) T {
			n, ok := integer(v)
			if !ok || n < low || n > high {
				c.fail()
				return 0
			}
			return T(n)
		},
		encode: func(_ *conv, v T) any { return int32(v) },
	}
}

var (
	anyInt  = intOf[int32](-1<<31, 1<<31-1)
	natural = intOf[int32](0, 1<<31-1)

	// unsignedByte is a byte without sign in NBT.
	unsignedByte = codec[int32]{
		decode: func(c *conv, v any) int32 {
			n, ok := integer(v)
			if !ok || n < -128 || n > 255 {
				c.fail()
			}
			return int32(uint8(n))
		},
		encode: func(_ *conv, v int32) any { return int8(v) },
	}

	truth = codec[bool]{
		decode: func(c *conv, v any) bool {
			n, ok := integer(v)
			if !ok {
				c.fail()
			}
			return n != 0
		},
		encode: func(c *conv, v bool) any {
			switch {
			case c.canonical:
				return v
			case v:
				return int8(1)
			}
			return int8(0)
		},
	}

	float = codec[float32]{
		decode: func(c *conv, v any) float32 { return float32(double.decode(c, v)) },
		encode: func(_ *conv, v float32) any { return v },
	}

	double = codec[float64]{
		decode: func(c *conv, v any) float64 {
			switch v := v.(type) {
			case float32:
				return float64(v)
			case float64:
				return v
			}
			n, ok := integer(v)
			if !ok {
				c.fail()
			}
			return float64(n)
		},
		encode: func(_ *conv, v float64) any { return v },
	}

	str = codec[string]{
		decode: func(c *conv, v any) string {
			s, ok := v.(string)
			if !ok {
				c.fail()
			}
			return s
		},
		encode: func(_ *conv, v string) any { return v },
	}

	// key is a name with its namespace.
	key = codec[string]{
		decode: func(c *conv, v any) string { return qualified(str.decode(c, v)) },
		encode: func(_ *conv, v string) any { return qualified(v) },
	}

	// unit is a value that says no more than that it is there.
	unit = nbt.Compound{}

	// plain is NBT as it is.
	plain = codec[protocol.NBT]{decode: network, encode: fromNetwork}

	// text is a text component. All bytes in one are truth values.
	text = codec[protocol.NBT]{
		decode: network,
		encode: func(c *conv, v protocol.NBT) any {
			t := fromNetwork(c, v)
			if c.canonical {
				t = withTruth(t)
			}
			return t
		},
	}
)

func network(c *conv, v any) protocol.NBT {
	doc, err := nbt.MarshalNetwork(v)
	if v == nil || err != nil || len(doc) > maxDocument {
		c.fail()
	}
	return doc
}

func fromNetwork(c *conv, doc protocol.NBT) any {
	var v any
	if len(doc) == 0 || nbt.UnmarshalNetwork(doc, &v) != nil || v == nil {
		c.fail()
		return nbt.Compound{}
	}
	return v
}

func withTruth(v any) any {
	switch v := v.(type) {
	case int8:
		return v != 0
	case nbt.Compound:
		for i := range v {
			v[i].Value = withTruth(v[i].Value)
		}
	case nbt.List:
		for i := range v.Items {
			v.Items[i] = withTruth(v.Items[i])
		}
	}
	return v
}
