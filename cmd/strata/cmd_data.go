package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"strata/anvil/datapack"
	"strata/cmd/internal/ui"
)

func newDataCmd(a *app) *cobra.Command {
	return newParentCmd(&cobra.Command{
		Use:   "data",
		Short: "Import the game's own data and show what is there",
		Long: `Import the game's own data and show what is there.

Structure templates, loot tables, recipes, tags and texts belong to the game's
maker and are not part of Strata. 'strata data import' takes them from your own
copy of the game, once a version; other commands then find them by themselves.
Without them everything else still runs.

They are kept in game/VERSION/game.pack of Strata's data folder: $STRATA_DATA,
or else strata in $XDG_DATA_HOME (~/.local/share), in %LOCALAPPDATA% on
Windows, or in ~/Library/Application Support on macOS.`,
	},
		newDataImportCmd(a),
		newDataInfoCmd(a),
	)
}

// dataHome returns the data folder that a flag names, or the user's.
func (a *app) dataHome(dir string) (datapack.Home, error) {
	if dir == "" {
		var err error
		if dir, err = datapack.HomeDir(a.streams.Getenv, runtime.GOOS); err != nil {
			return datapack.Home{}, ui.WithHint(ui.Errorf(ui.Usage, "no folder for data: %w", err), "Set STRATA_DATA to a folder.")
		}
	}
	return datapack.Home{Dir: dir}, nil
}

// dataError gives errors of the package datapack their exit codes.
func dataError(err error) error {
	switch {
	case errors.Is(err, datapack.ErrNotPack):
		return ui.WithHint(ui.Errorf(ui.Usage, "%w", err),
			"Give the game's server.jar, or a zip or folder with data/minecraft.")
	case errors.Is(err, datapack.ErrNoVersion):
		return ui.WithHint(ui.Errorf(ui.Usage, "%w", err), "Say it with 'strata data import --game-version VERSION'.")
	case errors.Is(err, datapack.ErrVersion):
		return ui.Errorf(ui.Usage, "%w", err)
	}
	return err
}

// absent reports whether there is nothing of that name.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// dataContent is what a piece of game data holds, as import and info print it.
type dataContent struct {
	Path        string `json:"path"`         // of the game.pack, or of what --data names
	StoredBytes int64  `json:"stored_bytes"` // size of the game.pack; 0 if it is none
	*datapack.Manifest
	Missing []missingData `json:"missing"`
}

// missingData is a kind of data that is not there.
type missingData struct {
	Name string `json:"name"`
	For  string `json:"for"` // what is not possible, or done plainly, without it
}

func newDataContent(path string, storedBytes int64, m *datapack.Manifest) dataContent {
	c := dataContent{Path: path, StoredBytes: storedBytes, Manifest: m, Missing: []missingData{}}
	for _, need := range datapack.Needs() {
		if need.Count(m.Counts) == 0 {
			c.Missing = append(c.Missing, missingData{need.Name, need.For})
		}
	}
	return c
}

// textWidth is how wide the lists of the data commands get.
const textWidth = 78

// wrap puts words into lines of at most textWidth, each after indent. A longer
// word gets a line of its own.
func wrap(words []string, indent string) string {
	var text strings.Builder
	line := 0
	for _, word := range words {
		if line > 0 && line+1+utf8.RuneCountInString(word) > textWidth {
			text.WriteString("\n")
			line = 0
		}
		if line == 0 {
			text.WriteString(indent)
			line = len(indent)
		} else {
			text.WriteString(" ")
			line++
		}
		text.WriteString(word)
		line += utf8.RuneCountInString(word)
	}
	return text.String() + "\n"
}

// shortPath is a path as it is shown: below the working folder without it.
func shortPath(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
