package item

import (
	"slices"
	"strings"

	"strata/anvil/registry"
	"strata/server/protocol"
)

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
