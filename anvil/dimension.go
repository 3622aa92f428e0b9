package anvil

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"strata/anvil/level"
	"strata/region/vfs"
)

// Dimension is a dimension of a world and where its files lie or would go.
type Dimension struct {
	// ID such as "minecraft:the_nether"; "DIM" and a number for one of a mod
	// before 1.16, which had no other name.
	ID string
	// Root is the folder that holds the others.
	Root     string
	Region   string // chunks
	Entities string // entities, since 1.17
	POI      string // points of interest, since 1.14
	Data     string // data files
	// Stored reports whether one of Region, Entities and POI is there.
	Stored bool
	// Settled reports whether the world's settings name it.
	Settled bool
}

const (
	maxDimensions = level.MaxDimensions
	maxDepth      = 16
	// maxVisited bounds the folders that are looked into.
	maxVisited = 4 * maxDimensions
)

// parts are the folders of a dimension that hold region files.
var parts = [...]string{"region", "entities", "poi"}

// Dimensions lists the dimensions: those that the settings name and those that
// have a folder, by their ids, the game's own three first.
func (w *World) Dimensions() []Dimension { return slices.Clone(w.dimensions) }

// Dimension returns a dimension that is listed, or says where the files of
// another one would go. The error wraps ErrNoDimension if the id is none.
func (w *World) Dimension(id string) (Dimension, error) {
	for _, d := range w.dimensions {
		if d.ID == id {
			return d, nil
		}
	}
	if !safeID(id) {
		return Dimension{}, fmt.Errorf("%w: %q", ErrNoDimension, id)
	}
	return w.dimension(id), nil
}

// dimension looks up the folders of one.
func (w *World) dimension(id string) Dimension {
	root := w.root(id)
	d := Dimension{
		ID: id, Root: root,
		Region: filepath.Join(root, "region"), Entities: filepath.Join(root, "entities"),
		POI: filepath.Join(root, "poi"), Data: filepath.Join(root, "data"),
	}
	for _, part := range parts {
		d.Stored = d.Stored || w.isDir(filepath.Join(root, part))
	}
	_, d.Settled = w.settings.Dimensions[id]
	return d
}

// cutID splits an id at its colon.
func cutID(id string) (namespace, path string, ok bool) {
	namespace, path, ok = strings.Cut(id, ":")
	return namespace, path, ok
}

// safeID reports whether an id is one, and a path that stays where it belongs.
func safeID(id string) bool {
	if numbered(id) {
		return true
	}
	namespace, path, _ := cutID(id)
	return level.ValidID(id) && filepath.IsLocal(namespace) && namespace != "." &&
		filepath.IsLocal(path) && filepath.ToSlash(filepath.Clean(filepath.FromSlash(path))) == path && path != "."
}

// numbered reports whether an id is "DIM" and a number.
func numbered(id string) bool {
	text, ok := strings.CutPrefix(id, "DIM")
	n, err := strconv.ParseInt(text, 10, 32)
	return ok && err == nil && strconv.FormatInt(n, 10) == text
}

// dimFolder is the folder of an overworld or numbered dimension before 26.1.
func dimFolder(id string) string {
	if id == Overworld {
		return ""
	}
	return id
}

// findDimensions lists them.
func (w *World) findDimensions() error {
	ids := map[string]bool{Overworld: true, Nether: true, End: true}
	for id := range w.settings.Dimensions {
		if !safeID(id) || numbered(id) {
			w.find(Finding{Kind: StrangeDimension, Dimension: id})
			continue
		}
		ids[id] = true
	}
	walk := walker{w: w, found: ids}
	if err := walk.namespaces(); err != nil {
		return err
	}
	if w.layout != NewLayout {
		if err := w.numberedDimensions(ids); err != nil {
			return err
		}
	}
	if walk.cut || len(ids) > maxDimensions {
		w.find(Finding{Kind: TooManyDimensions, Path: filepath.Join(w.path, "dimensions")})
	}
	rank := map[string]int{Overworld: -3, Nether: -2, End: -1}
	sorted := slices.SortedFunc(maps.Keys(ids), func(a, b string) int {
		if r := rank[a] - rank[b]; r != 0 {
			return r
		}
		return strings.Compare(a, b)
	})
	for _, id := range sorted[:min(len(sorted), maxDimensions)] {
		w.dimensions = append(w.dimensions, w.dimension(id))
	}
	return nil
}

// numberedDimensions finds DIM7 and the like, beside those of the game.
func (w *World) numberedDimensions(ids map[string]bool) error {
	entries, err := w.opts.FS.ReadDir(w.path)
	for _, e := range entries {
		if id := e.Name(); numbered(id) && id != "DIM-1" && id != "DIM1" && id != "DIM0" && w.isDir(filepath.Join(w.path, id)) {
			ids[id] = true
		}
	}
	return err
}

// walker looks for dimensions under dimensions/.
type walker struct {
	w       *World
	found   map[string]bool
	visited int
	cut     bool
}

// folders lists the folders in one, links followed. One that is not there has
// none.
func (k *walker) folders(dir string) ([]string, error) {
	if !k.w.isDir(dir) {
		return nil, nil
	}
	entries, err := k.w.opts.FS.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if e.IsDir() || e.Type()&fs.ModeSymlink != 0 && k.w.isDir(filepath.Join(dir, e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (k *walker) namespaces() error {
	return k.below(filepath.Join(k.w.path, "dimensions"), "", nil)
}

// below looks into a folder that stands for the beginning of ids; above are the
// folders around it.
func (k *walker) below(dir, id string, above []vfs.FileInfo) error {
	depth := len(above)
	if k.visited++; k.visited > maxVisited || depth > maxDepth {
		k.cut = true
		return nil
	}
	info, err := k.w.opts.FS.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(above, func(up vfs.FileInfo) bool { return vfs.SameFile(up, info) }) {
		return nil // a link that leads back
	}
	above = append(above[:depth:depth], info)
	names, err := k.folders(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if slices.Contains(parts[:], name) || name == "data" {
			if safeID(id) {
				k.own(id, dir)
			}
			continue
		}
		next := id + name
		switch depth {
		case 0:
			next += ":"
		case 1:
		default:
			next = id + "/" + name
		}
		if err := k.below(filepath.Join(dir, name), next, above); err != nil {
			return err
		}
	}
	return nil
}

// own notes a dimension. Before 26.1 the game's own lie elsewhere, and what is
// here of them is a leftover.
func (k *walker) own(id, dir string) {
	if _, vanilla := oldFolders[id]; (vanilla || id == Overworld) && k.w.layout != NewLayout {
		return
	}
	if filepath.Clean(dir) == k.w.newFolder(id) {
		k.found[id] = true
	}
}

// hasRegionFiles reports whether there is one in any of a dimension's folders
// under root.
func (w *World) hasRegionFiles(root string) (bool, error) {
	for _, part := range parts {
		dir := filepath.Join(root, part)
		if !w.isDir(dir) {
			continue
		}
		entries, err := w.opts.FS.ReadDir(dir)
		if err != nil {
			return false, err
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".mca") && !e.IsDir() {
				return true, nil
			}
		}
	}
	return false, nil
}
