package settings

import "strings"

// Source gives the documents of world generation. All methods may be called
// concurrently; what they return belongs to the source and must not be changed.
type Source interface {
	// Document returns the JSON text of an entry of a registry. It wraps
	// fs.ErrNotExist when there is none.
	Document(registry, id string) ([]byte, error)
	// IDs lists the entries of a registry, sorted.
	IDs(registry string) ([]string, error)
	// Tag lists the members of a tag of a registry, with tags in it resolved:
	// Tag("block", "minecraft:base_stone_overworld"). It wraps fs.ErrNotExist
	// when there is none.
	Tag(registry, id string) ([]string, error)
}

// DefaultNamespace is the namespace of an id that names none.
const DefaultNamespace = "minecraft"

// ID completes an id with the default namespace.
func ID(text string) string {
	if strings.Contains(text, ":") {
		return text
	}
	return DefaultNamespace + ":" + text
}
