package block

import "strings"

const namespace = "minecraft:"

// ID is the number of a block in the native table, the same as in the
// registry minecraft:block of that game version, below [BlockCount]. The
// blocks have constants, such as [Stone].
type ID uint16

// Unknown is the ID of states that are not in the native table. Its name is
// empty, it has no states, and its facts are those of an ordinary full block.
const Unknown ID = 0xFFFF

// Find returns the block of a name with or without "minecraft:". A name in
// another namespace, or of no block, gives false and [Unknown].
func Find(name string) (ID, bool) {
	_, id, ok := get().findString(strings.TrimPrefix(name, namespace))
	return id, ok
}

// FindBytes is [Find] for a name that is part of a larger buffer.
func FindBytes(name []byte) (ID, bool) {
	_, id, ok := get().find(trimNamespace(name))
	return id, ok
}

func trimNamespace(name []byte) []byte {
	if hasNamespace(name) {
		return name[len(namespace):]
	}
	return name
}

func hasNamespace(name []byte) bool {
	return len(name) > len(namespace) && string(name[:len(namespace)]) == namespace
}

// Name returns the name with namespace, such as "minecraft:stone".
func (id ID) Name() string { return get().block(id).name }

// String returns the name, or "unknown".
func (id ID) String() string {
	if name := id.Name(); name != "" {
		return name
	}
	return "unknown"
}

// Kind returns the type of the block's definition in the game's blocks
// report, without namespace: "stair" for all stairs. It tells which blocks
// behave alike.
func (id ID) Kind() string { return get().block(id).kind }

// Default returns the state that the block has where nothing else is said.
func (id ID) Default() State { return get().block(id).initial }

// States returns the block's first state and the number of its states, which
// follow one another.
func (id ID) States() (first State, n int) {
	b := get().block(id)
	return b.first, int(b.count)
}

// Properties returns the block's properties, ordered by name. The caller must
// not change them.
func (id ID) Properties() []Property { return get().block(id).props }

// PropertyIndex returns the place of the named property in Properties, or -1.
// State.Value and State.WithValue take it.
func (id ID) PropertyIndex(name string) int {
	b := get().block(id)
	for i := range b.props {
		if b.props[i].Name == name {
			return i
		}
	}
	return -1
}
