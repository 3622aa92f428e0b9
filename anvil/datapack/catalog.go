package datapack

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Names inside a pack.
const (
	dataDir      = "data"
	metaName     = "pack.mcmeta"
	versionName  = "version.json"
	languageName = "assets/minecraft/lang/en_us.json"
	gameData     = "data/minecraft/"
	builtinDir   = "data/minecraft/datapacks/"
)

// entry is one file of a pack.
type entry struct {
	name string // slash-separated, from the root of the pack
	size int64  // as declared; reading fails if it is another
	ref  int    // what the reader calls it
}

// reader reads the entries of an open pack. It is safe for concurrent use.
type reader interface {
	// read returns the content in memory of its own.
	read(e entry) ([]byte, error)
	io.Closer
}

// catalog lists the entries of a pack in ascending order of their names.
type catalog []entry

func (c catalog) find(name string) (entry, bool) {
	i, ok := slices.BinarySearchFunc(c, name, func(e entry, name string) int { return cmp.Compare(e.name, name) })
	if !ok {
		return entry{}, false
	}
	return c[i], true
}

// under returns the entries whose names begin with prefix, which ends with a
// slash or is empty.
func (c catalog) under(prefix string) catalog {
	lo, _ := slices.BinarySearchFunc(c, prefix, func(e entry, name string) int { return cmp.Compare(e.name, name) })
	rest := c[lo:]
	// The entries of one prefix are neighbours.
	hi, _ := slices.BinarySearchFunc(rest, prefix, func(e entry, prefix string) int {
		if strings.HasPrefix(e.name, prefix) {
			return -1
		}
		return 1
	})
	return rest[:hi]
}

func (c catalog) sort() {
	slices.SortFunc(c, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
}

// twice reports whether more than one entry has the name.
func (c catalog) twice(name string) bool {
	i, ok := slices.BinarySearchFunc(c, name, func(e entry, name string) int { return cmp.Compare(e.name, name) })
	return ok && i+1 < len(c) && c[i+1].name == name // the search finds the first
}

func (c catalog) hasFile(name string) bool { _, ok := c.find(name); return ok }
func (c catalog) hasDir(name string) bool  { return len(c.under(name+"/")) > 0 }

// children returns the names directly below prefix, folders and files apart,
// each in ascending order.
func (c catalog) children(prefix string) (dirs []string, files []entry) {
	for rest := c.under(prefix); len(rest) > 0; {
		name := rest[0].name[len(prefix):]
		dir, _, deeper := strings.Cut(name, "/")
		if !deeper {
			files = append(files, rest[0])
			rest = rest[1:]
			continue
		}
		dirs = append(dirs, dir)
		rest = rest[len(rest.under(prefix+dir+"/")):]
	}
	// A file "a-b" lies between the file "a" and the folder "a/", so folders
	// come in the order of their names with the slash.
	slices.Sort(dirs)
	return dirs, files
}

// Skipped is an entry that a pack holds and Strata does not use.
type Skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// skips counts skipped entries and lists the first of them.
type skips struct {
	list  []Skipped
	count int
}

func (s *skips) add(name, format string, args ...any) {
	s.count++
	if len(s.list) < maxSkipped {
		s.list = append(s.list, Skipped{Name: strings.ToValidUTF8(name, "\uFFFD"), Reason: fmt.Sprintf(format, args...)})
	}
}

// collector builds a catalog within the limits.
type collector struct {
	limits  Limits
	entries catalog
	total   int64
	skips   skips
}

// use says what to do with a name: nothing, take it, or skip it for a reason.
func use(name string) (take bool, reason string) {
	if name == metaName || name == versionName || name == languageName {
		return true, ""
	}
	rest, ok := strings.CutPrefix(name, dataDir+"/")
	if !ok {
		var dir string
		if dir, rest, ok = strings.Cut(name, "/"+dataDir+"/"); !ok || !validOverlay(dir) {
			return false, ""
		}
	}
	namespace, path, ok := strings.Cut(rest, "/")
	switch {
	case !ok:
		return false, "" // beside the namespaces; the game's jar has a marker there
	case len(name) > maxNameBytes:
		return false, fmt.Sprintf("name of more than %d bytes", maxNameBytes)
	case !validNamespace(namespace) || !validPath(path):
		return false, "not a name that the game accepts"
	}
	return true, ""
}

// add takes or skips a file of the pack.
func (c *collector) add(name string, size int64, ref int) error {
	take, reason := use(name)
	if reason != "" {
		c.skips.add(name, "%s", reason)
	}
	if !take {
		return nil
	}
	if size < 0 || size > c.limits.FileBytes {
		return fmt.Errorf("%s: %w: %d bytes, at most %d", name, ErrLimit, uint64(size), c.limits.FileBytes)
	}
	if c.total += size; c.total > c.limits.TotalBytes {
		return fmt.Errorf("%w: files of more than %d bytes together", ErrLimit, c.limits.TotalBytes)
	}
	if len(c.entries) >= c.limits.Files {
		return fmt.Errorf("%w: more than %d files", ErrLimit, c.limits.Files)
	}
	c.entries = append(c.entries, entry{name: name, size: size, ref: ref})
	return nil
}

// finish sorts the entries. A name that is there twice is damage: readers
// disagree on which of the two counts, so what the game saw is not known.
func (c *collector) finish() (catalog, error) {
	c.entries.sort()
	for i, e := range c.entries {
		if i > 0 && c.entries[i-1].name == e.name {
			return nil, fmt.Errorf("%s: %w: two entries of this name", e.name, ErrDamaged)
		}
		for at, r := range e.name {
			if r == '/' && c.entries.hasFile(e.name[:at]) {
				return nil, fmt.Errorf("%s: %w: both a file and a folder", e.name[:at], ErrDamaged)
			}
		}
	}
	return c.entries, nil
}

// layout maps the names of an archive or folder to those of a pack: strip is
// taken off, add put in its place.
type layout struct{ strip, add string }

// name returns the name in the pack, or false for what lies outside it.
func (l layout) name(raw string) (string, bool) {
	rest, ok := strings.CutPrefix(raw, l.strip)
	return l.add + rest, ok
}

// raw is the reverse of name.
func (l layout) raw(name string) string { return l.strip + strings.TrimPrefix(name, l.add) }

// tree is what findLayout asks of an archive or a folder.
type tree interface {
	hasFile(name string) bool
	hasDir(name string) bool
	// topDirs lists the folders at the top.
	topDirs() []string
}

// findLayout finds the root of the pack: at the top or in the only folder
// there, as archives made of a whole folder have it. A pack has a pack.mcmeta
// or data/minecraft; a folder that holds worldgen and tags itself is the
// content of data/minecraft.
func findLayout(t tree) (layout, bool) {
	if l, ok := layoutAt(t, ""); ok {
		return l, true
	}
	only := ""
	for _, dir := range t.topDirs() {
		if strings.HasPrefix(dir, ".") || dir == "__MACOSX" {
			continue // what file managers leave behind
		}
		if only != "" {
			return layout{}, false
		}
		only = dir
	}
	if only == "" {
		return layout{}, false
	}
	return layoutAt(t, only+"/")
}

func layoutAt(t tree, prefix string) (layout, bool) {
	switch {
	case t.hasFile(prefix + metaName), t.hasDir(prefix + "data/minecraft"):
		return layout{strip: prefix}, true
	case t.hasDir(prefix+"worldgen") && t.hasDir(prefix+"tags"):
		return layout{strip: prefix, add: gameData}, true
	}
	return layout{}, false
}
