package pregen

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/session"
	"strata/region/vfs"
)

// RefusedError lists why a world is none that chunks can be generated in. It
// wraps ErrRefused.
type RefusedError struct{ Reasons []string }

func (e *RefusedError) Error() string {
	return ErrRefused.Error() + ": " + strings.Join(e.Reasons, "; ")
}

// Unwrap returns ErrRefused.
func (e *RefusedError) Unwrap() error { return ErrRefused }

// WorldOptions say what a generator can do.
type WorldOptions struct {
	// Structures says that the starts of structures are computed. The game
	// never does that for a chunk that is stored: without them a world would
	// lack its villages for ever.
	Structures bool
	// RunsPack reports whether the generator runs what a data pack brings; nil:
	// none but "vanilla".
	RunsPack func(id string) bool
	// HasDimension reports whether data packs bring a dimension that the
	// world's settings do not have; nil: none.
	HasDimension func(id string) bool
	// IgnorePacks goes on beside packs and brands that may change generation.
	IgnorePacks bool
}

// CheckWorld looks at whether chunks can be generated in a world, and lists all
// that speaks against it in a *RefusedError. It changes nothing.
func CheckWorld(w *anvil.World, dimensions []string, o WorldOptions) error {
	var reasons []string
	if err := anvil.CheckGenerate(w.DataVersion(), false); err != nil {
		reasons = append(reasons, err.Error())
	}
	settings, ok := w.Settings()
	switch {
	case !ok:
		reasons = append(reasons, "its settings of generation cannot be read")
	case settings.Structures && !o.Structures:
		reasons = append(reasons, "it generates structures, which are not made yet, and the game does not add them to chunks that are there (generate_structures in its settings)")
	}
	for _, id := range dimensions {
		_, has := settings.Dimensions[id]
		if !has && o.HasDimension != nil {
			has = o.HasDimension(id)
		}
		if ok && !has {
			reasons = append(reasons, fmt.Sprintf("neither its settings nor its data packs have a dimension %s", id))
		}
	}
	if !o.IgnorePacks {
		reasons = append(reasons, foreign(w.Level(), o)...)
	}
	if len(reasons) > 0 {
		return &RefusedError{reasons}
	}
	return nil
}

// foreign names what may make the game generate otherwise than we do.
func foreign(l *level.Level, o WorldOptions) (reasons []string) {
	for _, id := range l.Packs().Enabled {
		if id != "vanilla" && (o.RunsPack == nil || !o.RunsPack(id)) {
			reasons = append(reasons, fmt.Sprintf("the data pack %q may change generation", id))
		}
	}
	for _, brand := range l.Brands() {
		if brand != "vanilla" {
			reasons = append(reasons, fmt.Sprintf("%q has run it, which may generate otherwise", brand))
		}
	}
	slices.Sort(reasons)
	return slices.Compact(reasons)
}

// CreateWorld makes a world where there is nothing, or an empty folder: beside
// its place at first, so that a kill leaves no half of one there. The request,
// which may be nil, is what the world is made for. The error wraps
// anvil.ErrNotEmpty, anvil.ErrOptions or session.ErrLocked.
func CreateWorld(path string, o anvil.CreateOptions, request Request) error {
	if o.FS == nil {
		o.FS = vfs.OS()
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	exists := false
	switch entries, err := o.FS.ReadDir(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("create world %s: %w", path, anvil.ErrNotEmpty)
	default:
		exists = true
	}
	parent := filepath.Dir(path)
	if err := vfs.MkdirAllSync(o.FS, parent, 0o755); err != nil {
		return err
	}
	if o.Fresh.Name == "" {
		o.Fresh.Name = filepath.Base(path)
	}
	beside := filepath.Join(parent, vfs.TempPrefix+filepath.Base(path)+".new")
	if err := removeLeftover(o.FS, beside); err != nil {
		return err
	}
	w, err := anvil.Create(beside, o)
	if err != nil {
		return errors.Join(err, removeTree(o.FS, beside))
	}
	err = writeRequest(o.FS, beside, request)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if exists {
		// Not every system renames a folder over an empty one.
		if err := o.FS.Remove(path); err != nil {
			return err
		}
	}
	if err := o.FS.Rename(beside, path); err != nil {
		return err
	}
	return o.FS.SyncDir(parent)
}

// removeLeftover removes the half of a world that a killed process has left.
func removeLeftover(fsys vfs.FS, folder string) error {
	if held, err := session.Held(fsys, folder); err == nil && held {
		return fmt.Errorf("%s: %w", folder, session.ErrLocked)
	}
	return removeTree(fsys, folder)
}

// removeTree removes a folder that we have made, and all in it.
func removeTree(fsys vfs.FS, folder string) error {
	entries, err := fsys.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		if e.IsDir() {
			err = removeTree(fsys, name)
		} else {
			err = fsys.Remove(name)
		}
		if err != nil {
			return err
		}
	}
	return fsys.Remove(folder)
}
