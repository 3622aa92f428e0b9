package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"strata/anvil"
	"strata/anvil/session"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/cmd/internal/ui"
)

// undoFlags say what is kept of a change.
type undoFlags struct {
	off bool
}

func (f *undoFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.off, "no-undo", false, "do not keep what is changed: 'strata world undo' cannot bring it back")
}

// options are those of a change that this command line makes.
func (f *undoFlags) options(a *app) undo.Options {
	return undo.Options{Command: commandLine(a.args), Off: f.off}
}

// undoPlan is what keeping a change takes.
type undoPlan struct {
	// ID of the change, "" before it is made and if nothing is kept.
	ID string `json:"id"`
	undo.Space
	off bool
}

// check refuses a change that cannot be kept.
func (f *undoFlags) check(p *undoPlan) error {
	p.off = f.off
	if f.off {
		return nil
	}
	if err := p.Check(); err != nil {
		return ui.WithHint(ui.Errorf(ui.NoSpace, "%w", err), "Nothing was changed. --no-undo goes on without keeping anything.")
	}
	return nil
}

func (p *undoPlan) writeText(w io.Writer) error {
	var err error
	switch {
	case p.off:
		_, err = fmt.Fprintln(w, "Nothing is kept: this cannot be taken back.")
	case p.ID != "":
		_, err = fmt.Fprintf(w, "'strata world undo' takes it back (%s).\n", p.ID)
	default:
		_, err = fmt.Fprintf(w, "Keeping it for undo takes up to %s; %s are free.\n", ui.FormatBytes(p.Need), ui.FormatBytes(p.Free))
	}
	return err
}

// commandLine is what was run, for people to read.
func commandLine(args []string) string {
	words := []string{"strata"}
	for _, arg := range args {
		if arg == "" || strings.ContainsAny(arg, " \t\n'\"\\$`*?[]{}()<>|&;#!~") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}

// openStore opens a world to write to it, or with write false to look at what
// writing would do: nothing is locked or written then.
func (a *app) openStore(path string, write bool) (*anvil.World, *store.Store, error) {
	w, err := openWorld(path)
	if err != nil {
		return nil, nil, err
	}
	where, err := store.WorldOf(w)
	if err != nil {
		return nil, nil, err
	}
	options := store.Options{Events: a.logStore}
	if !write {
		s, err := store.OpenRead(where, options)
		return w, s, worldError(err)
	}
	s, err := store.Open(where, options)
	if errors.Is(err, session.ErrLocked) {
		err = ui.WithHint(ui.Errorf(ui.Locked, "%w", err), "Stop the game or server that has the world open.")
	}
	return w, s, worldError(err)
}

// logStore logs what a person should know of a store.
func (a *app) logStore(e store.Event) {
	log := a.console.Log().With("event", string(e.Kind))
	if e.Path != "" {
		log = log.With("path", e.Path)
	}
	switch {
	case e.Kind == store.RegionEvent:
	case e.Err != nil:
		log.Warn("store", "error", e.Err)
	default:
		log.Info("store")
	}
}
