package gen

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"strata/anvil"
	"strata/anvil/datapack"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure/template"
)

// ErrNoSettings says that a world's settings of generation are absent or cannot
// be read.
var ErrNoSettings = errors.New("the world's settings of generation cannot be read")

// ErrPacks is wrapped by errors about data packs of a world that cannot be
// used.
var ErrPacks = errors.New("data packs that cannot be used")

// packFormats are the data pack formats of the versions that Builtin has.
var packFormats = map[int32]datapack.Format{
	4786: {Major: 101, Minor: 1}, 4788: {Major: 101, Minor: 1}, 4790: {Major: 101, Minor: 1}, 4903: {Major: 107, Minor: 1},
}

// OpenOptions are how Open reads a world.
type OpenOptions struct {
	// DataVersion of the chunks to make; 0 for that of the world.
	DataVersion int32
	// Game is the user's own game files, nil for none: built-in data packs are
	// in them.
	Game *datapack.Pack
	// These are the fields of Options.
	WithoutTemplates bool
	Partial          bool
	Structures       func(*Dimension) (Structures, error)
	// IgnorePacks leaves out data packs that cannot be used.
	IgnorePacks bool
}

// Open makes the generators of a world on disk, with its data packs over the
// game's own documents. ignored are packs that were left out, each with the
// reason. Close closes the packs. The errors wrap ErrNoSettings, ErrPacks if packs cannot be used,
// and settings.ErrVersion.
func Open(w *anvil.World, o OpenOptions) (made *World, ignored []string, err error) {
	if o.DataVersion == 0 {
		o.DataVersion = w.DataVersion()
	}
	source, err := settings.Builtin(o.DataVersion)
	if err != nil {
		return nil, nil, err
	}
	created, ok := w.Settings()
	if !ok {
		return nil, nil, fmt.Errorf("%s: %w", w.Path(), ErrNoSettings)
	}
	gameFiles, err := digestOf(o.Game)
	if err != nil {
		return nil, nil, err
	}
	packs := w.Level().Packs()
	list, err := datapack.OpenWorld(filepath.Join(w.Path(), "datapacks"), datapack.WorldOptions{
		Game: o.Game, Format: packFormats[o.DataVersion], Enabled: packs.Enabled, Disabled: packs.Disabled,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrPacks, err)
	}
	for _, p := range list.Problems {
		if p.ID == "vanilla" && o.Game == nil {
			continue // it is what Builtin has
		}
		ignored = append(ignored, fmt.Sprintf("%s: %v", p.ID, p.Err))
	}
	if len(ignored) > 0 && !o.IgnorePacks {
		err = fmt.Errorf("%w: %s", ErrPacks, strings.Join(ignored, "; "))
	} else {
		made, err = New(Options{Source: settings.Layered(source, list.Stack), Settings: created, DataVersion: o.DataVersion, Templates: template.New(list.Stack), WithoutTemplates: o.WithoutTemplates, GameFiles: gameFiles, Partial: o.Partial, Structures: o.Structures})
	}
	if err != nil {
		return nil, ignored, errors.Join(err, list.Close())
	}
	made.packs = list
	return made, ignored, nil
}

// digestOf is a digest of what generation takes from the user's game files: the
// structure templates.
func digestOf(game *datapack.Pack) (string, error) {
	if game == nil {
		return "", nil
	}
	sum := sha256.New()
	err := fs.WalkDir(game, "data/minecraft/structure", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := game.ReadFile(name)
		if err == nil {
			add(sum, name, data)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}
