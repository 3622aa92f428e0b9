package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/session"
	"strata/cmd/internal/ui"
)

func newWorldCmd(a *app) *cobra.Command {
	return newParentCmd(&cobra.Command{
		Use:   "world",
		Short: "Look into worlds, edit and repair them",
		Long: `Look into worlds, edit and repair them. Nothing needs a running server, and
reading works beside one.`,
	},
		newWorldInfoCmd(a),
		newWorldChunksCmd(a),
		newWorldGetCmd(a),
		newWorldSetCmd(a),
		newWorldChangeCmd(a),
		newWorldDeleteCmd(a),
		newWorldPruneCmd(a),
		newWorldCopyCmd(a),
		newWorldFsckCmd(a),
		newWorldMapCmd(a),
		newWorldDiffCmd(a),
		newWorldRecompressCmd(a),
		newWorldCompactCmd(a),
		newWorldUndoCmd(a),
	)
}

// openWorld opens the world that an argument names for reading.
func openWorld(path string) (*anvil.World, error) {
	w, err := anvil.Open(path, anvil.Options{})
	return w, worldError(err)
}

// worldError gives an error of opening a world its exit code.
func worldError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, anvil.ErrNoWorld):
		return ui.Errorf(ui.Missing, "%w", err)
	case errors.Is(err, session.ErrLocked):
		return ui.Errorf(ui.Locked, "%w", err)
	case errors.Is(err, level.ErrDamaged):
		return ui.WithHint(ui.Errorf(ui.Failed, "%w", err), "Nothing was changed.")
	default:
		return err
	}
}

// knownDimension completes the id of a dimension, which the world must have.
func knownDimension(w *anvil.World, id string) (string, error) {
	d, err := w.Dimension(completeID(id))
	if err == nil && !d.Stored && !d.Settled {
		err = anvil.ErrNoDimension
	}
	if err != nil {
		return "", ui.Errorf(ui.Usage, "--dimension %s: %w", id, err)
	}
	return d.ID, nil
}

// completeID gives an id without a namespace that of the game.
func completeID(id string) string {
	if strings.Contains(id, ":") {
		return id
	}
	return "minecraft:" + id
}
