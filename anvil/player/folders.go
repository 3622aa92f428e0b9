package player

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"strata/anvil/level"
	"strata/region/vfs"
)

// Folders are where a world keeps what belongs to players. They need not exist.
type Folders struct {
	Data         string
	Advancements string
	Stats        string
	// Named is where games before 1.7.6 kept <name>.dat, "" if nowhere.
	Named string
}

// In returns the folders of a world since 26.1.
func In(world string) Folders {
	players := filepath.Join(world, "players")
	return Folders{
		Data:         filepath.Join(players, "data"),
		Advancements: filepath.Join(players, "advancements"),
		Stats:        filepath.Join(players, "stats"),
	}
}

// OldIn returns the folders of a world before 26.1.
func OldIn(world string) Folders {
	return Folders{
		Data:         filepath.Join(world, "playerdata"),
		Advancements: filepath.Join(world, "advancements"),
		Stats:        filepath.Join(world, "stats"),
		Named:        filepath.Join(world, "players"),
	}
}

// Files are the files of one player, "" where there is none.
type Files struct {
	ID           ID
	Name         string // for a file of before 1.7.6, which has no ID
	Data         string
	Old          string // what Data was before it was last written
	Advancements string
	Stats        string
}

// DataPath is where the data of a player goes.
func (f Folders) DataPath(id ID) string { return filepath.Join(f.Data, id.String()+".dat") }

// StatsPath is where the statistics of a player go.
func (f Folders) StatsPath(id ID) string { return filepath.Join(f.Stats, id.String()+".json") }

// AdvancementsPath is where the advancements of a player go.
func (f Folders) AdvancementsPath(id ID) string {
	return filepath.Join(f.Advancements, id.String()+".json")
}

// List lists the players that have a file, by their UUIDs, then those known by
// name. Files whose names are of another form are passed over, as are folders
// that do not exist.
func List(fsys vfs.FS, folders Folders) ([]Files, error) {
	found := map[ID]*Files{}
	add := func(dir, suffix string, field func(*Files) *string) error {
		return each(fsys, dir, suffix, func(stem, path string) {
			id, err := ParseID(stem)
			if err != nil || id.String() != stem { // the game looks for this form
				return
			}
			if found[id] == nil {
				found[id] = &Files{ID: id}
			}
			*field(found[id]) = path
		})
	}
	var named []Files
	err := errors.Join(
		add(folders.Data, ".dat", func(f *Files) *string { return &f.Data }),
		add(folders.Data, ".dat"+level.OldSuffix, func(f *Files) *string { return &f.Old }),
		add(folders.Advancements, ".json", func(f *Files) *string { return &f.Advancements }),
		add(folders.Stats, ".json", func(f *Files) *string { return &f.Stats }),
		each(fsys, folders.Named, ".dat", func(stem, path string) {
			named = append(named, Files{Name: stem, Data: path})
		}),
	)
	if err != nil {
		return nil, err
	}
	players := make([]Files, 0, len(found)+len(named))
	for _, f := range found {
		players = append(players, *f)
	}
	slices.SortFunc(players, func(a, b Files) int { return slices.Compare(a.ID[:], b.ID[:]) })
	return append(players, named...), nil
}

// each calls f with the files of a folder whose names end with suffix, in the
// order of their names.
func each(fsys vfs.FS, dir, suffix string, f func(stem, path string)) error {
	if dir == "" {
		return nil
	}
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), suffix); ok && stem != "" && !e.IsDir() {
			f(stem, filepath.Join(dir, e.Name()))
		}
	}
	return nil
}
