package item

import (
	"slices"
	"strings"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/protocol"
)

// conv is one conversion of a component between files and packets. The first
// thing that does not fit fails all of it.
type conv struct {
	version registry.Version
	depth   int
	failed  bool
	// canonical makes encode give what the game's own codec gives: bool for
	// truth values, which NBT has as bytes.
	canonical bool
}

// maxNesting is how deep stacks within stacks are converted.
const maxNesting = 8

// maxDocument bounds NBT within a component that is shown, in bytes.
const maxDocument = 1 << 18

func (c *conv) fail() { c.failed = true }

// codec converts a value between the generic form of NBT and a packet's type.
type codec[T any] struct {
	decode func(c *conv, v any) T // NBT to packet
	encode func(c *conv, v T) any // packet to NBT
}

// field is a member of a compound.
type field[T any] struct {
	decode func(c *conv, members nbt.Compound, v *T)
	encode func(c *conv, members *nbt.Compound, v *T)
}

// need is a member that must be there.
func need[T, F any](name string, at func(*T) *F, k codec[F]) field[T] {
	return field[T]{
		decode: func(c *conv, members nbt.Compound, v *T) {
			if member, ok := members.Get(name); ok {
				*at(v) = k.decode(c, member)
			} else {
				c.fail()
			}
		},
		encode: func(c *conv, members *nbt.Compound, v *T) { members.Set(name, k.encode(c, *at(v))) },
	}
}

// may is a member that has a default and is left out when it has that value.
func may[T any, F comparable](name string, at func(*T) *F, k codec[F], otherwise F) field[T] {
	return field[T]{
		decode: func(c *conv, members nbt.Compound, v *T) {
			*at(v) = otherwise
			if member, ok := members.Get(name); ok {
				*at(v) = k.decode(c, member)
			}
		},
		encode: func(c *conv, members *nbt.Compound, v *T) {
			if *at(v) != otherwise {
				members.Set(name, k.encode(c, *at(v)))
			}
		},
	}
}

// some is a member that is a list and is left out when empty.
func some[T, E any](name string, at func(*T) *[]E, k codec[[]E]) field[T] {
	return field[T]{
		decode: func(c *conv, members nbt.Compound, v *T) {
			if member, ok := members.Get(name); ok {
				*at(v) = k.decode(c, member)
			}
		},
		encode: func(c *conv, members *nbt.Compound, v *T) {
			if len(*at(v)) > 0 {
				members.Set(name, k.encode(c, *at(v)))
			}
		},
	}
}

// opt is a member that may be absent.
func opt[T, F any](name string, at func(*T) *protocol.Optional[F], k codec[F]) field[T] {
	return field[T]{
		decode: func(c *conv, members nbt.Compound, v *T) {
			if member, ok := members.Get(name); ok {
				*at(v) = protocol.Some(k.decode(c, member))
			}
		},
		encode: func(c *conv, members *nbt.Compound, v *T) {
			if o := *at(v); o.Present {
				members.Set(name, k.encode(c, o.Value))
			}
		},
	}
}

// object is a compound.
func object[T any](fields ...field[T]) codec[T] {
	return codec[T]{
		decode: func(c *conv, v any) (t T) {
			members, ok := v.(nbt.Compound)
			if !ok {
				c.fail()
				return t
			}
			for _, f := range fields {
				f.decode(c, members, &t)
			}
			return t
		},
		encode: func(c *conv, v T) any {
			members := nbt.Compound{}
			for _, f := range fields {
				f.encode(c, &members, &v)
			}
			return members
		},
	}
}

// within makes a codec of T from that of its only part.
func within[T, F any](at func(*T) *F, k codec[F]) codec[T] {
	return codec[T]{
		decode: func(c *conv, v any) (t T) {
			*at(&t) = k.decode(c, v)
			return t
		},
		encode: func(c *conv, v T) any { return k.encode(c, *at(&v)) },
	}
}

// listOf is a list. In NBT the game makes arrays of lists of ints and of
// truth values.
func listOf[E any](k codec[E]) codec[[]E] {
	return codec[[]E]{
		decode: func(c *conv, v any) []E {
			list, ok := elements(v)
			if !ok || len(list.Items) > protocol.MaxList {
				c.fail()
				return nil
			}
			var out []E
			for _, item := range list.Items {
				out = append(out, k.decode(c, item))
				if c.failed {
					return nil
				}
			}
			return out
		},
		encode: func(c *conv, v []E) any {
			list := nbt.List{}
			for _, e := range v {
				list.Items = append(list.Items, k.encode(c, e))
			}
			if c.canonical {
				return list
			}
			return packed(list)
		},
	}
}

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

// named is an enumeration by the names of its values, from 0 on.
func named[T ~int32](names ...string) codec[T] {
	return codec[T]{
		decode: func(c *conv, v any) T {
			i := slices.Index(names, str.decode(c, v))
			if i < 0 {
				c.fail()
			}
			return T(i)
		},
		encode: func(c *conv, v T) any {
			if v < 0 || int(v) >= len(names) {
				c.fail()
				return ""
			}
			return names[v]
		},
	}
}

// entry is an entry of a registry, by number of the version in packets.
func entry(registryKey string) codec[int32] {
	return codec[int32]{
		decode: func(c *conv, v any) int32 {
			id, ok := registry.Of(registryKey, c.version).ID(str.decode(c, v))
			if !ok {
				c.fail()
			}
			return id
		},
		encode: func(c *conv, v int32) any {
			name, ok := registry.Of(registryKey, c.version).Name(v)
			if !ok {
				c.fail()
			}
			return name
		},
	}
}

// holder is an entry of a registry. Values written out in its place are not
// converted unless inline does it.
func holder[T any](registryKey string, inline *codec[T]) codec[protocol.Holder[T]] {
	byName := entry(registryKey)
	return codec[protocol.Holder[T]]{
		decode: func(c *conv, v any) (h protocol.Holder[T]) {
			if _, ok := v.(string); ok || inline == nil {
				h.ID = byName.decode(c, v)
				return h
			}
			value := inline.decode(c, v)
			h.Inline = &value
			return h
		},
		encode: func(c *conv, h protocol.Holder[T]) any {
			switch {
			case h.Inline == nil:
				return byName.encode(c, h.ID)
			case inline == nil:
				c.fail()
				return ""
			}
			return inline.encode(c, *h.Inline)
		},
	}
}

// set is a set of entries of a registry: "#tag", a name, or a list of names.
func set(registryKey string) codec[protocol.HolderSet] {
	names := listOf(entry(registryKey))
	return codec[protocol.HolderSet]{
		decode: func(c *conv, v any) (h protocol.HolderSet) {
			switch v := v.(type) {
			case string:
				if tag, ok := strings.CutPrefix(v, "#"); ok {
					h.Tag = qualified(tag)
					if registry.TagsOf(registryKey, c.version).Tag(h.Tag) == nil {
						c.fail() // the client does not know it
					}
					return h
				}
				h.IDs = []int32{entry(registryKey).decode(c, v)}
			default:
				h.IDs = names.decode(c, v)
			}
			return h
		},
		encode: func(c *conv, h protocol.HolderSet) any {
			switch {
			case h.Tag != "":
				return "#" + qualified(h.Tag)
			case len(h.IDs) == 1:
				return entry(registryKey).encode(c, h.IDs[0])
			}
			return names.encode(c, h.IDs)
		},
	}
}
