package item

import (
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
