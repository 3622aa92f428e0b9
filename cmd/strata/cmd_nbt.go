package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"strata/anvil/level"
	"strata/anvil/session"
	"strata/cmd/internal/ui"
	"strata/nbt"
	"strata/nbt/path"
	"strata/nbt/snbt"
	"strata/region/vfs"
)

func newNBTCmd(a *app) *cobra.Command {
	return newParentCmd(&cobra.Command{
		Use:   "nbt",
		Short: "Print and edit NBT files: level.dat, player data, structures",
		Long: `Print and edit NBT files: level.dat, player data, structures and any other. They
may be gzipped, zlib-compressed or neither, and stay what they are.

Paths are those of the game's /data command: Data.Player.Inventory[{Slot:0b}].id`,
	},
		newNBTPrintCmd(a),
		newNBTGetCmd(a),
		newNBTSetCmd(a),
		newNBTRemoveCmd(a),
	)
}

// readNBT reads an NBT file.
func readNBT(name string) (*level.Document, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ui.Errorf(ui.Missing, "%w", err)
	}
	if err != nil {
		return nil, err
	}
	doc, err := level.ParseDocument(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return doc, nil
}

// parsePath reads a path from the command line.
func parsePath(text string) (path.Path, error) {
	p, err := path.Parse(text)
	if err != nil {
		return path.Path{}, ui.Errorf(ui.Usage, "path: %w", err)
	}
	return p, nil
}

// parseValue reads a value from the command line.
func parseValue(text string) (nbt.Raw, error) {
	value, err := snbt.Parse(text, nbt.Limits{})
	if err != nil {
		return nbt.Raw{}, ui.Errorf(ui.Usage, "value: %w", err)
	}
	return value, nil
}

// lockFor takes the session lock of the world that a file belongs to: the
// nearest folder above it that has a level.dat. There is no lock where there is
// no world.
func lockFor(name string) (release func() error, err error) {
	dir, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	for {
		_, err := os.Stat(filepath.Join(dir, level.FileName))
		if err == nil {
			lock, err := session.Acquire(vfs.OS(), dir)
			if err != nil {
				return nil, worldError(err)
			}
			return lock.Release, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return func() error { return nil }, nil
		}
		dir = parent
	}
}
