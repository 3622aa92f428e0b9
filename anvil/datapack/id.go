package datapack

import (
	"cmp"
	"fmt"
	"strings"
)

// DefaultNamespace is the namespace of an id that names none.
const DefaultNamespace = "minecraft"

// ID is a resource location: "minecraft:plains".
type ID struct {
	Namespace string // of a-z, 0-9, '_', '-' and '.'
	Path      string // the same and '/'
}

// ParseID reads "namespace:path", or "path" in the namespace minecraft. It
// takes what the game takes (minecraft.wiki, "Identifier"): small
// letters, digits, '_', '-', '.', and '/' in the path. The error wraps
// ErrDamaged.
func ParseID(text string) (ID, error) {
	namespace, path, ok := strings.Cut(text, ":")
	if !ok {
		namespace, path = DefaultNamespace, text
	}
	if namespace == "" {
		namespace = DefaultNamespace
	}
	if !validNamespace(namespace) || !validPath(path) || len(text) > maxNameBytes {
		return ID{}, fmt.Errorf("%w: %q is no resource location", ErrDamaged, clip(text))
	}
	return ID{namespace, path}, nil
}

// String returns "namespace:path".
func (id ID) String() string { return id.Namespace + ":" + id.Path }

// Compare orders ids by namespace, then by path.
func (id ID) Compare(other ID) int {
	if c := cmp.Compare(id.Namespace, other.Namespace); c != 0 {
		return c
	}
	return cmp.Compare(id.Path, other.Path)
}

func validNamespace(s string) bool { return s != "" && s != "." && s != ".." && validChars(s, false) }

// validPath also refuses what would not be one file below a folder: empty
// elements, "." and "..". The game's files have none.
func validPath(s string) bool { return validChars(s, true) && cleanPath(s) }

func validChars(s string, slash bool) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == '-', c == '.':
		case c == '/' && slash:
		default:
			return false
		}
	}
	return true
}

// cleanPath reports whether s is elements between single slashes, none of
// them empty, "." or "..".
func cleanPath(s string) bool {
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// clip shortens text of unknown origin for a message.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}

// templateRegistry is the folder of structure templates, the one kind of file
// that is NBT.
const templateRegistry = "structure"

// extension is what the files of a registry's folder end with.
func extension(registry string) string {
	if registry == templateRegistry {
		return ".nbt"
	}
	return ".json"
}
