package block

// Pair is one property of a palette entry: views of the NBT it stands in.
type Pair struct{ Key, Value []byte }

// Resolve returns the native state of a palette entry: its name with
// namespace and its properties in any order. It reports false unless the
// entry is exactly a native state, with each property of the block once and
// nothing else; such an entry is for [States], which keeps it as it is. It
// keeps no view and allocates nothing.
//
// A name without "minecraft:" is not exact: the game reads it, but never
// writes it. Whether the entry holds anything beside name and properties, and
// whether those are texts, is for the caller to see.
func Resolve(name []byte, properties []Pair) (State, bool) {
	if !hasNamespace(name) {
		return 0, false
	}
	b, _, ok := get().find(name[len(namespace):])
	if !ok || len(properties) != len(b.props) {
		return 0, false
	}
	state := b.first
	var seen uint32
	for i := range properties {
		at := b.property(properties[i].Key, i)
		if at < 0 || seen&(1<<at) != 0 {
			return 0, false
		}
		seen |= 1 << at
		value := b.props[at].find(properties[i].Value)
		if value < 0 {
			return 0, false
		}
		state += State(value) * State(b.strides[at])
	}
	// As many as there are, all known and none twice: all are given.
	return state, true
}

// property returns the place of a property, or -1. Entries are often in the
// order of the table, so the place guessed is tried first.
func (b *blockInfo) property(name []byte, guess int) int {
	h := head(name)
	if guess < len(b.props) && b.props[guess].nameHead == h && b.props[guess].Name == string(name) {
		return guess
	}
	for i := range b.props {
		if b.props[i].nameHead == h && b.props[i].Name == string(name) {
			return i
		}
	}
	return -1
}

// nearest returns the native state that a palette entry comes closest to: the
// block of that name, with the properties it knows and its defaults for the
// rest. It reports false if the block is not known.
func nearest(name []byte, properties []Pair) (State, bool) {
	b, _, ok := get().find(trimNamespace(name))
	if !ok {
		return 0, false
	}
	state := b.initial
	for i := range properties {
		at := b.property(properties[i].Key, i)
		if at < 0 {
			continue
		}
		if value := b.props[at].find(properties[i].Value); value >= 0 {
			state = state.WithValue(at, value)
		}
	}
	return state, true
}
