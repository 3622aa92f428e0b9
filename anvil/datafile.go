package anvil

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"strata/anvil/level"
	"strata/region/vfs"
)

// Place is where a data file lies, or would go.
type Place struct {
	Path string
	// Dimension that the file belongs to, "" if to the world as a whole.
	Dimension string
	Exists    bool
	// InLevel: the world's version keeps it in level.dat, and Path is "".
	InLevel bool
}

// dataFile says where a data file of the game is kept.
type dataFile struct {
	dimension bool // one for each dimension
	paper     bool // Paper keeps one for each dimension
	inLevel   bool // in level.dat before 26.1
	old       func(dimension string, version int32) string
}

// dataFiles are the game's, but for the maps, maps/0 and so on. Paper's places
// were seen in a list of a world's files of 26.1.2.
var dataFiles = map[string]dataFile{
	"custom_boss_events": {inLevel: true},
	"game_rules":         {inLevel: true, paper: true},
	"scheduled_events":   {inLevel: true, paper: true},
	"wandering_trader":   {inLevel: true, paper: true},
	"weather":            {inLevel: true, paper: true},
	"world_clocks":       {inLevel: true},
	"world_gen_settings": {inLevel: true, paper: true},
	"ender_dragon_fight": {inLevel: true, dimension: true},
	"world_border":       {inLevel: true, dimension: true},
	"raids": {dimension: true, old: func(dimension string, _ int32) string {
		if dimension == End {
			return "raids_end"
		}
		return "raids"
	}},
	"chunk_tickets": {dimension: true, old: func(_ string, version int32) string {
		if version < 4325 { // 1.21.5
			return "chunks"
		}
		return "chunk_tickets"
	}},
	"random_sequences": {},
	"scoreboard":       {},
	"stopwatches":      {},
	"maps/last_id":     {old: func(string, int32) string { return "idcounts" }},
}

// DataFile says where a data file lies. Names are those of 26.1 without ".dat",
// such as "weather" or "maps/0", those of other namespaces with theirs, as in
// "mymod:things". A file that each dimension has one of is that of dimension,
// by default the overworld; one that is the world's does not look at it. Names
// that are not the game's are the world's, or with a dimension that one's.
//
// What lies in two places, since another server has had the world, is taken
// from the place that the world's own game reads. The error wraps
// ErrNoDimension, or ErrOptions if the name is none, or has another namespace
// in a world before 26.1, whose data files have no namespaces.
func (w *World) DataFile(name, dimension string) (Place, error) {
	namespace, base, found := cutID(name)
	if !found {
		namespace, base = "minecraft", name
	}
	if !level.ValidID(namespace+":"+base) || !safeID(namespace+":"+base) {
		return Place{}, fmt.Errorf("%w: %q is no name of a data file", ErrOptions, name)
	}
	kind, known := dataFiles[base]
	known = known || strings.HasPrefix(base, "maps/")
	if namespace != "minecraft" {
		kind, known = dataFile{}, false
	}
	perDimension := kind.dimension || kind.paper && w.paper() || !known && dimension != ""
	if perDimension && dimension == "" {
		dimension = Overworld
	}
	if dimension != "" && !safeID(dimension) {
		return Place{}, fmt.Errorf("%w: %q", ErrNoDimension, dimension)
	}
	if w.layout != NewLayout {
		if namespace != "minecraft" {
			return Place{}, fmt.Errorf("%w: %q: data files have no namespaces before 26.1", ErrOptions, name)
		}
		return w.oldDataFile(kind, base, dimension, perDimension), nil
	}
	places := [2]Place{
		{Path: filepath.Join(w.path, "data", namespace, filepath.FromSlash(base)+".dat")},
		{Path: filepath.Join(w.root(orOverworld(dimension)), "data", namespace, filepath.FromSlash(base)+".dat"), Dimension: orOverworld(dimension)},
	}
	if perDimension {
		places[0], places[1] = places[1], places[0]
	}
	// The other place counts only for files that some server keeps there.
	if !w.exists(places[0].Path) && kind.paper && w.exists(places[1].Path) {
		places[0] = places[1]
	}
	places[0].Exists = w.exists(places[0].Path)
	return places[0], nil
}

func orOverworld(dimension string) string {
	if dimension == "" {
		return Overworld
	}
	return dimension
}

// oldDataFile is DataFile before 26.1: there are no namespaces, and the maps
// lie beside the others.
func (w *World) oldDataFile(kind dataFile, base, dimension string, perDimension bool) Place {
	if kind.old != nil {
		base = kind.old(dimension, w.Level().DataVersion())
	}
	if number, ok := strings.CutPrefix(base, "maps/"); ok {
		base = "map_" + number
	}
	place := Place{Path: filepath.Join(w.path, "data", filepath.FromSlash(base)+".dat")}
	if perDimension {
		place = Place{Path: filepath.Join(w.root(dimension), "data", filepath.FromSlash(base)+".dat"), Dimension: dimension}
	}
	place.Exists = w.exists(place.Path)
	if kind.inLevel && !place.Exists {
		return Place{Dimension: place.Dimension, InLevel: true}
	}
	return place
}

// paper reports whether Paper has had the world: it notes its version as Bukkit
// did, and puts files of its own beside the data.
func (w *World) paper() bool {
	return w.layout == NewLayout && (w.Level().Bukkit() != "" ||
		w.isDir(filepath.Join(w.newFolder(Overworld), "data", "paper")) || w.isDir(filepath.Join(w.path, "data", "paper")))
}

// exists reports whether there is something of that name. One that cannot be
// looked at is: reading it says why not.
func (w *World) exists(path string) bool {
	_, err := w.opts.FS.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// findDuplicateData looks for files that Paper and vanilla keep in different
// places.
func (w *World) findDuplicateData() error {
	if w.layout != NewLayout {
		return nil
	}
	for _, name := range []string{"game_rules", "scheduled_events", "wandering_trader", "weather", "world_gen_settings"} {
		used, err := w.DataFile(name, "")
		if err != nil {
			return err
		}
		for _, dir := range []string{w.path, w.newFolder(Overworld)} {
			path := filepath.Join(dir, "data", "minecraft", name+".dat")
			if path != used.Path && used.Exists && w.exists(path) {
				w.find(Finding{Kind: DuplicateData, Path: path, Other: used.Path})
			}
		}
	}
	return nil
}

// ReadData reads a data file. The error wraps fs.ErrNotExist if there is none,
// or if it is in level.dat.
func (w *World) ReadData(name, dimension string) (*level.Document, error) {
	place, err := w.DataFile(name, dimension)
	if err != nil {
		return nil, err
	}
	if place.InLevel {
		return nil, fmt.Errorf("%s is in level.dat before 26.1: %w", name, fs.ErrNotExist)
	}
	doc, _, err := level.ReadFile(w.opts.FS, place.Path)
	return doc, err
}

// WriteData puts a data file in its place in one step, made durable, and makes
// the folder if need be. The error wraps ErrReadOnly or session.ErrLost if the
// world is not ours to write, and ErrOptions if its version keeps that in
// level.dat.
func (w *World) WriteData(name, dimension string, doc *level.Document) error {
	place, err := w.DataFile(name, dimension)
	if err != nil {
		return err
	}
	if place.InLevel {
		return fmt.Errorf("%w: %s is in level.dat before 26.1", ErrOptions, name)
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	if err := w.writable(); err != nil {
		return fmt.Errorf("write %s: %w", place.Path, err)
	}
	if err := vfs.MkdirAllSync(w.opts.FS, filepath.Dir(place.Path), 0o755); err != nil {
		return err
	}
	return level.ReplaceFile(w.opts.FS, place.Path, doc)
}
