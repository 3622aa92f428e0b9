package anvil

import (
	"path/filepath"
)

// Layout is where a world's files lie.
type Layout uint8

// The layouts.
const (
	NewLayout   Layout = iota + 1 // dimensions/<namespace>/<path>, since 26.1
	OldLayout                     // DIM-1 and DIM1 in the world's folder
	SplitLayout                   // DIM-1 and DIM1 in folders beside it (Bukkit)
)

// String returns the layout's name.
func (l Layout) String() string {
	switch l {
	case NewLayout:
		return "26.1"
	case OldLayout:
		return "before 26.1"
	case SplitLayout:
		return "Bukkit split"
	}
	return "unknown"
}

// MarshalText implements encoding.TextMarshaler.
func (l Layout) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// The game's own dimensions.
const (
	Overworld = "minecraft:overworld"
	Nether    = "minecraft:the_nether"
	End       = "minecraft:the_end"
)

// oldFolders are those of the nether and the end before 26.1, and what Bukkit
// puts behind the world's name for the folder around them.
var oldFolders = map[string]struct{ dim, split string }{
	Nether: {"DIM-1", "_nether"},
	End:    {"DIM1", "_the_end"},
}

// Folders lists the folders that make up the world and are locked together: its
// own, and those beside it of a Bukkit split.
func (w *World) Folders() []string {
	folders := []string{w.path}
	if w.layout != SplitLayout {
		return folders
	}
	for _, id := range []string{Nether, End} {
		if dir := w.splitFolder(id); w.isDir(dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}

// splitFolder is the folder beside the world's that a Bukkit split keeps a
// dimension in.
func (w *World) splitFolder(id string) string { return w.path + oldFolders[id].split }

// isDir reports whether there is such a folder, links followed.
func (w *World) isDir(path string) bool {
	info, err := w.opts.FS.Stat(path)
	return err == nil && info.IsDir()
}

// findLayout tells the layout.
func (w *World) findLayout() error {
	modern := w.isDir(w.newFolder(Overworld, "region"))
	byVersion := DimensionFolders.Has(w.level.DataVersion())
	if modern && !byVersion {
		w.find(Finding{Kind: LayoutNewerThanLevel, Path: w.newFolder(Overworld)})
	}
	switch {
	case modern || byVersion:
		w.layout = NewLayout
	case w.isSplit():
		w.layout = SplitLayout
	default:
		w.layout = OldLayout
	}
	return nil
}

// isSplit reports whether the nether or the end lie beside the world: Bukkit
// says in level.dat that it was there, and vanilla would have made DIM-1 and
// DIM1 in the world itself.
func (w *World) isSplit() bool {
	for id, old := range oldFolders {
		beside := w.isDir(filepath.Join(w.splitFolder(id), old.dim))
		if beside && (w.level.Bukkit() != "" || !w.isDir(filepath.Join(w.path, old.dim, "region"))) {
			return true
		}
	}
	return false
}

// newFolder is a folder of a dimension in the new layout.
func (w *World) newFolder(id string, elem ...string) string {
	namespace, path, _ := cutID(id)
	return filepath.Join(append([]string{w.path, "dimensions", namespace, filepath.FromSlash(path)}, elem...)...)
}

// root is the folder that holds those of a dimension.
func (w *World) root(id string) string {
	old, own := oldFolders[id]
	switch {
	case w.layout == NewLayout:
		return w.newFolder(id)
	case id == Overworld || numbered(id):
		return filepath.Join(w.path, dimFolder(id))
	case own && w.layout == SplitLayout:
		return filepath.Join(w.splitFolder(id), old.dim)
	case own:
		return filepath.Join(w.path, old.dim)
	}
	return w.newFolder(id) // custom dimensions have been there since 1.16
}
