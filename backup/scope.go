package backup

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"strata/anvil"
	"strata/anvil/store"
	"strata/backup/source"
	"strata/region"
)

// whole reports whether the scope is all of a world.
func (s *Scope) whole() bool {
	return s.Dimension == "" && len(s.Regions) == 0 && s.Chunks == nil && len(s.Players) == 0 && len(s.Files) == 0
}

// check validates a scope, and fills defaults in.
func (s *Scope) check() error {
	if (len(s.Regions) > 0 || s.Chunks != nil) && s.Dimension == "" {
		s.Dimension = anvil.Overworld
	}
	if s.Chunks != nil && (len(s.Regions) > 0 || len(s.Players) > 0 || len(s.Files) > 0) {
		return fmt.Errorf("a rectangle of chunks goes with a dimension only: %w", ErrOptions)
	}
	if s.Chunks != nil && (s.Chunks.Min.X > s.Chunks.Max.X || s.Chunks.Min.Z > s.Chunks.Max.Z) {
		return fmt.Errorf("a rectangle whose first corner lies behind the second: %w", ErrOptions)
	}
	for _, p := range s.Files {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("pattern %q: %w", p, ErrOptions)
		}
	}
	return nil
}

// scoped is what a scope is about of the files of a world: those of a snapshot, or
// those that are there.
type scoped struct {
	Scope
	data map[string]bool // folders of data files of the dimension
}

// scopeOf prepares a scope for files.
func scopeOf(s Scope, files map[string]*entry) *scoped {
	x := &scoped{Scope: s, data: map[string]bool{}}
	for name, e := range files {
		if e.dimension == s.Dimension && s.Dimension != "" {
			x.data[path.Join(path.Dir(path.Dir(name)), "data")] = true
		}
	}
	return x
}

// has reports whether a file is in the scope. Rectangles have the region files
// that they touch.
func (x *scoped) has(name string, e *entry) bool {
	if x.whole() {
		return true
	}
	if e.kind == source.Folder {
		return false
	}
	if x.Dimension != "" && x.inDimension(name, e) {
		return true
	}
	_, rel, _ := strings.Cut(name, "/")
	base := path.Base(name)
	stem, _, _ := strings.Cut(base, ".")
	if e.dimension == "" && slices.ContainsFunc(x.Players, func(id string) bool { return sameUUID(id, stem) }) {
		return true
	}
	return slices.ContainsFunc(x.Files, func(p string) bool {
		ok, err := path.Match(p, rel)
		return err == nil && ok
	})
}

func sameUUID(a, b string) bool {
	flat := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "-", "")) }
	return flat(a) == flat(b)
}

func (x *scoped) inDimension(name string, e *entry) bool {
	all := len(x.Regions) == 0 && x.Chunks == nil
	if e.dimension != x.Dimension {
		return all && e.dimension == "" && x.inData(name)
	}
	if all {
		return true
	}
	pos, ok := regionOf(name)
	if !ok {
		return false
	}
	if x.Chunks != nil {
		lo, hi := x.Chunks.Min.Region(), x.Chunks.Max.Region()
		return pos.X >= lo.X && pos.X <= hi.X && pos.Z >= lo.Z && pos.Z <= hi.Z
	}
	return slices.Contains(x.Regions, pos)
}

func (x *scoped) inData(name string) bool {
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if x.data[dir] {
			return true
		}
	}
	return false
}

// regionOf is the region that a region file or an external file belongs to.
func regionOf(name string) (region.Pos, bool) {
	base := path.Base(name)
	if pos, ok := region.ParseName(base); ok {
		return pos, true
	}
	c, ok := region.ParseExternalName(base)
	return c.Region(), ok
}

// sorted lists the files of a scope.
func (x *scoped) sorted(files map[string]*entry) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if x.has(name, files[name]) {
			names = append(names, name)
		}
	}
	return names
}

// folderKinds names the kinds of records.
var folderKinds = [...]store.Kind{store.Chunks, store.Entities, store.POI}
