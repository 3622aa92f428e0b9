package anvil

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// FindingKind is what a finding is about.
type FindingKind string

// The kinds.
const (
	// LevelFromOld: level.dat is absent or damaged, level.dat_old was read.
	LevelFromOld FindingKind = "level-from-old"
	// LayoutNewerThanLevel: the folders are those of 26.1, the level.dat is of
	// an older version.
	LayoutNewerThanLevel FindingKind = "layout-newer-than-level"
	// DuplicateDimension: region files of one dimension in two places, of which
	// Path is not used.
	DuplicateDimension FindingKind = "duplicate-dimension"
	// LeftoverDimension: region files in a place of another layout, which is
	// not used, and none in the place that is.
	LeftoverDimension FindingKind = "leftover-dimension"
	// DuplicateData: a data file in two places, of which Path is not used.
	DuplicateData FindingKind = "duplicate-data"
	// DamagedData: a data file that cannot be read.
	DamagedData FindingKind = "damaged-data"
	// StrangeDimension: the settings name a dimension whose id is none.
	StrangeDimension FindingKind = "strange-dimension"
	// TooManyDimensions: not all folders of dimensions were looked into.
	TooManyDimensions FindingKind = "too-many-dimensions"
	// PartOfSplit: this is the nether or the end of a Bukkit split; Other is
	// the world it belongs to.
	PartOfSplit FindingKind = "part-of-split"
)

// Finding is something about a world that a person should know.
type Finding struct {
	Kind      FindingKind
	Path      string
	Other     string // the place that is used instead
	Dimension string
	Err       error // what was wrong, if it is known
}

// MarshalJSON implements json.Marshaler.
func (f Finding) MarshalJSON() ([]byte, error) {
	out := struct {
		Kind      FindingKind `json:"kind"`
		Path      string      `json:"path,omitempty"`
		Other     string      `json:"used,omitempty"`
		Dimension string      `json:"dimension,omitempty"`
		Error     string      `json:"error,omitempty"`
	}{f.Kind, f.Path, f.Other, f.Dimension, ""}
	if f.Err != nil {
		out.Error = f.Err.Error()
	}
	return json.Marshal(out)
}

// String says it in one line.
func (f Finding) String() string {
	text := string(f.Kind)
	for _, part := range []string{f.Dimension, f.Path} {
		if part != "" {
			text += " " + part
		}
	}
	if f.Other != "" {
		text += " (used: " + f.Other + ")"
	}
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	return text
}

// findLeftovers looks for the game's own dimensions in places of other layouts,
// and for data files in two places.
func (w *World) findLeftovers() error {
	for _, id := range []string{Overworld, Nether, End} {
		used := w.root(id)
		for _, other := range w.places(id) {
			if other == used {
				continue
			}
			there, err := w.hasRegionFiles(other)
			if err != nil {
				return err
			}
			if !there {
				continue
			}
			f := Finding{Kind: LeftoverDimension, Path: other, Other: used, Dimension: id}
			here, err := w.hasRegionFiles(used)
			if err != nil {
				return err
			}
			if here {
				f.Kind = DuplicateDimension
			}
			w.find(f)
		}
	}
	w.findPart()
	return w.findDuplicateData()
}

// places are all folders that some layout keeps a dimension of the game in.
func (w *World) places(id string) []string {
	places := []string{w.newFolder(id)}
	if id == Overworld {
		return append(places, w.path)
	}
	old := oldFolders[id]
	return append(places, filepath.Join(w.path, old.dim), filepath.Join(w.splitFolder(id), old.dim))
}

// findPart tells whether somebody opened the wrong folder of a split.
func (w *World) findPart() {
	if w.layout == NewLayout || w.isDir(filepath.Join(w.path, "region")) {
		return
	}
	for _, old := range oldFolders {
		main, ok := strings.CutSuffix(w.path, old.split)
		if ok && w.isDir(filepath.Join(w.path, old.dim)) && w.isDir(filepath.Join(main, "region")) {
			w.find(Finding{Kind: PartOfSplit, Path: w.path, Other: main})
		}
	}
}
