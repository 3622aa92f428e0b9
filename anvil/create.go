package anvil

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"strata/anvil/level"
	"strata/anvil/session"
	"strata/region/vfs"
)

// CreateOptions describe a new world. The zero value is what the game makes,
// with seed 0.
type CreateOptions struct {
	// Options are those that the world is opened with; it is open for writing
	// whatever they say.
	Options
	// Fresh is what level.dat says. Name is by default that of the folder.
	level.Fresh
	// Seed of generation.
	Seed int64
	// NoStructures leaves out structures (villages and so on).
	NoStructures bool
	BonusChest   bool
	// Preset is the name of the kind of world (level.Presets), by default
	// "normal".
	Preset string
	// Flat makes the overworld flat, Biome gives the terrain of a normal one
	// that single biome. At most one of Flat, Biome and Preset may be given.
	Flat  *level.Flat
	Biome string
}

// settings checks the options and makes the settings of generation of them.
func (o CreateOptions) settings() (level.GenSettings, error) {
	s := level.GenSettings{Seed: o.Seed, Structures: !o.NoStructures, BonusChest: o.BonusChest}
	given := 0
	for _, is := range [...]bool{o.Preset != "", o.Flat != nil, o.Biome != ""} {
		if is {
			given++
		}
	}
	if given > 1 {
		return s, fmt.Errorf("%w: more than one of Preset, Flat and Biome", ErrOptions)
	}
	var err error
	switch {
	case o.Flat != nil:
		err = o.Flat.Check()
		s.Dimensions = level.Dimensions(level.FlatGenerator(*o.Flat))
	case o.Biome != "":
		if !level.ValidID(o.Biome) {
			err = fmt.Errorf("%q is no id of a biome", o.Biome)
		}
		s.Dimensions = level.Dimensions(level.SingleBiome(o.Biome))
	case o.Preset != "":
		s.Dimensions, err = level.Preset(o.Preset)
	default:
		s.Dimensions, err = level.Preset(level.DefaultPreset)
	}
	if err != nil {
		return s, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return s, nil
}

// Create makes a world of NativeVersion in a folder that is absent or empty,
// and opens it for writing. It has level.dat and the data files that a fresh
// world of the game has, and no chunks. The level.dat comes last: what a kill
// leaves before that is no world, neither for the game nor for Open, and its
// folder is not empty.
//
// The error wraps ErrNotEmpty, or ErrOptions if the options make no sense.
func Create(path string, opts CreateOptions) (*World, error) {
	if opts.FS == nil {
		opts.FS = vfs.OS()
	}
	path, err := named(path)
	if err != nil {
		return nil, err
	}
	w, err := create(path, opts)
	if err != nil {
		return nil, fmt.Errorf("create world %s: %w", path, err)
	}
	return w, nil
}

func create(path string, opts CreateOptions) (*World, error) {
	if opts.Name == "" {
		opts.Name = filepath.Base(path)
	}
	settings, err := opts.settings()
	if err != nil {
		return nil, err
	}
	lvl, err := level.NewLevel(opts.Fresh)
	if errors.Is(err, level.ErrShape) {
		err = fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if err != nil {
		return nil, err
	}
	lock, err := claim(opts.FS, path)
	if err != nil {
		return nil, err
	}
	opts.Write = true
	w := &World{opts: opts.Options, path: path, lock: lock}
	err = writeFresh(opts.FS, path, settings)
	if err == nil {
		err = lvl.Write(opts.FS, path)
	}
	if err == nil {
		err = w.look()
	}
	if err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return w, nil
}

// claim makes the folder, if need be, and locks it, which leaves a session.lock
// in it. Nothing else may be there, before or after.
func claim(fsys vfs.FS, path string) (*session.Lock, error) {
	if err := checkEmpty(fsys, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := vfs.MkdirAllSync(fsys, path, 0o755); err != nil {
		return nil, err
	}
	lock, err := session.Acquire(fsys, path)
	if err != nil {
		return nil, err
	}
	// Somebody may have created a world in the meantime.
	if err := checkEmpty(fsys, path); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return lock, nil
}

// checkEmpty passes over a session.lock, which is no content.
func checkEmpty(fsys vfs.FS, path string) error {
	entries, err := fsys.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != session.FileName {
			return fmt.Errorf("%w: it has %s", ErrNotEmpty, e.Name())
		}
	}
	return nil
}

// writeFresh writes the data files of a new world.
func writeFresh(fsys vfs.FS, path string, settings level.GenSettings) error {
	write := func(root string, files map[string]any) error {
		dir := filepath.Join(root, "data", "minecraft")
		if err := vfs.MkdirAllSync(fsys, dir, 0o755); err != nil {
			return err
		}
		for _, name := range sortedKeys(files) {
			doc, err := level.NewDocument(files[name], NativeVersion)
			if err != nil {
				return err
			}
			if err := level.ReplaceFile(fsys, filepath.Join(dir, name+".dat"), doc); err != nil {
				return err
			}
		}
		return nil
	}
	if err := write(path, level.FreshData(settings)); err != nil {
		return err
	}
	w := World{opts: Options{FS: fsys}, path: path}
	for _, id := range sortedKeys(settings.Dimensions) {
		if err := write(w.newFolder(id), level.FreshDimensionData(id, settings)); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
