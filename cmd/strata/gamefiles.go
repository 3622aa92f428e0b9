package main

import (
	"errors"
	"io/fs"

	"strata/anvil"
	"strata/anvil/datapack"
	"strata/cmd/internal/ui"
)

// gameFiles opens the user's own game files of a data version: those that a flag
// names, or the imported ones. nil if there are none and the flag is empty.
func (a *app) gameFiles(path string, dataVersion int32) (*datapack.Pack, error) {
	version, ok := datapack.KnownVersion(anvil.ReleaseName(dataVersion))
	if !ok {
		if path == "" {
			return nil, nil
		}
		return nil, ui.Errorf(ui.Usage, "--data: no game files go with %s", anvil.Describe(dataVersion))
	}
	home, err := a.dataHome("")
	if err != nil {
		if path == "" {
			return nil, nil // there is no place where they could be
		}
		home = datapack.Home{}
	}
	pack, err := home.Locate(path, version)
	if path == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ui.Errorf(ui.Missing, "--data: %w", err)
	}
	return pack, dataError(err)
}
