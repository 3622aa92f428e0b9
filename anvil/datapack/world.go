package datapack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Ids of packs as level.dat has them.
const (
	vanillaID  = "vanilla"
	filePrefix = "file/"
)

// WorldOptions say which packs of a world to open.
type WorldOptions struct {
	// Game is the game's own data, the pack "vanilla", and holder of the
	// built-in packs.
	Game *Pack
	// Format is the data pack format of the running game.
	Format Format
	// Enabled and Disabled are the lists of level.dat (Data.DataPacks),
	// the lowest pack first: "vanilla", "file/NAME" for a pack in the folder
	// datapacks of the world, and names of built-in packs. A pack that is
	// named again counts once, at its first place.
	Enabled, Disabled []string
	// Limits bound each pack.
	Limits Limits
}

// World is the packs of a world.
type World struct {
	Stack *Stack
	// Added are packs that are in the folder and in neither list. The game
	// enables these on top when it loads the world, and so does OpenWorld.
	Added []string
	// Problems are enabled packs that could not be opened, and are left out.
	// To generate without them makes another world than the game would.
	Problems []PackProblem

	opened []*Pack
}

// PackProblem is a pack that could not be opened.
type PackProblem struct {
	ID  string
	Err error // fs.ErrNotExist, ErrNotPack, ErrDamaged, ErrLimit
}

// OpenWorld opens the packs of a world whose folder datapacks is dir, which
// need not exist. Without any enabled pack it is the game's own data alone.
// An error means that dir can not be read; packs that can not be opened are
// among the problems. Close closes what was opened, but not Game.
func OpenWorld(dir string, opts WorldOptions) (*World, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open data packs: %w", err)
	}
	w := &World{}
	ids := slices.Clone(opts.Enabled)
	for _, e := range entries {
		id := filePrefix + e.Name()
		if slices.Contains(opts.Enabled, id) || slices.Contains(opts.Disabled, id) || !maybePack(dir, e) {
			continue
		}
		w.Added = append(w.Added, id)
		ids = append(ids, id)
	}
	if len(opts.Enabled) == 0 {
		ids = append([]string{vanillaID}, ids...)
	}
	var packs []*Pack
	seen := map[string]bool{} // the game takes each pack once, where it is named first
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		p, err := w.open(dir, id, opts)
		if err != nil {
			w.Problems = append(w.Problems, PackProblem{id, err})
			continue
		}
		packs = append(packs, p)
	}
	w.Stack = NewStack(opts.Format, packs...)
	return w, nil
}

// maybePack reports whether the game would look for a pack in an entry of the
// folder: a zip, or a folder with a pack.mcmeta.
func maybePack(dir string, e os.DirEntry) bool {
	if !e.IsDir() {
		return strings.HasSuffix(e.Name(), ".zip")
	}
	fi, err := os.Stat(filepath.Join(dir, e.Name(), metaName))
	return err == nil && fi.Mode().IsRegular()
}

func (w *World) open(dir, id string, opts WorldOptions) (*Pack, error) {
	name, isFile := strings.CutPrefix(id, filePrefix)
	switch {
	case isFile:
		// The name comes from a file of the world and must not lead elsewhere.
		if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) || name == "." {
			return nil, fmt.Errorf("pack name %q: %w", clip(name), fs.ErrNotExist)
		}
		p, err := Open(filepath.Join(dir, name), Options{Name: id, Limits: opts.Limits})
		if err != nil {
			return nil, err
		}
		if p.meta == nil {
			err := inPack(id, metaName, fmt.Errorf("%w: %w", ErrNotPack, fs.ErrNotExist))
			return nil, errors.Join(err, p.Close())
		}
		w.opened = append(w.opened, p)
		return p, nil
	case opts.Game == nil:
		return nil, fmt.Errorf("the game's own data are needed for %q: %w", clip(id), fs.ErrNotExist)
	case id == vanillaID:
		return opts.Game, nil
	default:
		return opts.Game.OpenBuiltin(id)
	}
}

// Close closes the packs that OpenWorld opened.
func (w *World) Close() error {
	var err error
	for _, p := range w.opened {
		err = errors.Join(err, p.Close())
	}
	return err
}
