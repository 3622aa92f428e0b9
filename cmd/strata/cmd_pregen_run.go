package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/session"
	"strata/anvil/store"
	"strata/cmd/internal/ui"
	"strata/pregen"
	"strata/region/vfs"
)

// processors is how many processors the machine has for us.
func processors() int { return runtime.GOMAXPROCS(0) }

// pregen is strata pregen. Everything that may refuse comes before anything is
// changed.
func (a *app) pregen(cmd *cobra.Command, path string, f *pregenFlags, open pregenFactory) (err error) {
	w, fresh, err := f.world(path)
	if err != nil {
		return err
	}
	if !fresh {
		if err := f.fillIn(cmd, path); err != nil {
			return err
		}
	}
	game, err := a.gameFiles(f.data, w.DataVersion())
	if err != nil {
		return err
	}
	if game != nil {
		defer func() { err = errors.Join(err, game.Close()) }()
	}
	source := pregenSource{IgnorePacks: f.ignorePacks, Game: game, WithoutTemplates: f.noTemplates}
	gens := &onceGenerators{open: func() (pregenGenerators, []string, error) { return open(w, source) }}
	defer func() { err = errors.Join(err, gens.close()) }()
	job, err := f.job(w, gens.get)
	if err != nil {
		return pregenError(err, path)
	}
	// Packs are the generators' business, which name those they cannot use.
	packs := pregen.WorldOptions{
		IgnorePacks: f.ignorePacks, Structures: true, RunsPack: func(string) bool { return true },
		HasDimension: func(id string) bool {
			g, err := gens.get()
			return err != nil || g.HasDimension(id) // an error is told below
		},
	}
	if err := pregen.CheckWorld(w, job.dimensions, packs); err != nil {
		return pregenError(err, path)
	}
	if err := a.pregenTargets(job, gens); err != nil {
		return pregenError(err, path)
	}
	seed, _ := w.Seed()
	job.options.Seed, job.options.Request = seed, job.request
	if err := job.options.Check(); err != nil {
		return pregenError(err, path)
	}
	if err := f.checkMap(); err != nil {
		return err
	}
	if fresh {
		if err := f.create(path, nil, job.request); err != nil {
			return pregenError(err, path)
		}
	}
	return a.pregenRun(cmd, path, f, job)
}

// world opens the world for reading, or, fresh, what it will be.
func (f *pregenFlags) world(path string) (w *anvil.World, fresh bool, err error) {
	w, err = anvil.Open(path, anvil.Options{})
	switch {
	case err == nil:
		return w, false, f.checkSeed(w, path)
	case !errors.Is(err, anvil.ErrNoWorld):
		return nil, false, worldError(err)
	}
	if entries, derr := os.ReadDir(path); derr != nil && !errors.Is(derr, fs.ErrNotExist) {
		return nil, false, derr
	} else if len(entries) > 0 {
		return nil, false, worldError(err)
	}
	if f.seed == "" {
		return nil, false, ui.WithHint(ui.Errorf(ui.Missing, "%s: there is no world", path), "Give --seed to create it.")
	}
	// As it will be, in memory.
	mem := vfs.NewMem(vfs.MemOptions{})
	if path, err = filepath.Abs(path); err != nil {
		return nil, false, err
	}
	if err := vfs.MkdirAll(mem, filepath.Dir(path), 0o755); err != nil {
		return nil, false, err
	}
	if err := f.create(path, mem, nil); err != nil {
		return nil, false, pregenError(err, path)
	}
	w, err = anvil.Open(path, anvil.Options{FS: mem})
	return w, true, err
}

// create makes the world that the flags describe.
func (f *pregenFlags) create(path string, fsys vfs.FS, request pregen.Request) error {
	return pregen.CreateWorld(path, anvil.CreateOptions{
		Options: anvil.Options{FS: fsys},
		Fresh:   level.Fresh{Name: filepath.Base(path)},
		Seed:    parseSeed(f.seed), Preset: f.preset, NoStructures: f.noStructures,
	}, request)
}

// checkSeed refuses flags of a new world that do not fit the one that is there.
func (f *pregenFlags) checkSeed(w *anvil.World, path string) error {
	if f.preset != "" || f.noStructures {
		return ui.Errorf(ui.Usage, "%s is there already: --preset and --no-structures are for new worlds", path)
	}
	if seed, ok := w.Seed(); f.seed != "" && (!ok || seed != parseSeed(f.seed)) {
		return ui.Errorf(ui.Usage, "%s is there already and has seed %d, not %s", path, seed, f.seed)
	}
	return nil
}

// fillIn sets the flags that were not given as the run has them that is to go
// on.
func (f *pregenFlags) fillIn(cmd *cobra.Command, path string) error {
	request, finished, err := pregen.ReadRequest(vfs.OS(), path)
	if err != nil {
		if f.restart && errors.Is(err, pregen.ErrRunFile) {
			return nil
		}
		return pregenError(err, path)
	}
	given := false
	for _, name := range pregenSettings {
		given = given || cmd.Flags().Changed(name)
	}
	if given && (finished || f.restart) {
		return nil // another run is asked for
	}
	for _, name := range pregenSettings {
		value, ok := request[name]
		if !ok || cmd.Flags().Changed(name) {
			continue
		}
		if err := cmd.Flags().Set(name, value); err != nil {
			return pregenError(fmt.Errorf("%w: %s: %w", pregen.ErrRunFile, name, err), path)
		}
	}
	return nil
}

// onceGenerators makes generators when they are first asked for.
type onceGenerators struct {
	open    func() (pregenGenerators, []string, error)
	made    pregenGenerators
	ignored []string
	err     error
	called  bool
}

func (o *onceGenerators) get() (pregenGenerators, error) {
	if !o.called {
		o.made, o.ignored, o.err = o.open()
		o.called = true
	}
	return o.made, o.err
}

func (o *onceGenerators) close() error {
	if o.made == nil {
		return nil
	}
	return o.made.Close()
}

// pregenTargets makes the generators of the job's dimensions.
func (a *app) pregenTargets(job *pregenJob, gens *onceGenerators) error {
	g, err := gens.get()
	if err != nil {
		return err
	}
	for _, pack := range gens.ignored {
		a.console.Notef("data pack left out: %s", pack)
	}
	job.options.Tables = chunk.NewTables()
	for i, id := range job.dimensions {
		made, err := g.Generator(id, job.options.Until, job.options.Tables)
		if err != nil {
			return err
		}
		job.options.Targets = append(job.options.Targets, pregen.Target{
			Dimension: id, Area: job.areas[i], Centre: job.centreChunk(), Generator: made,
		})
	}
	return nil
}

// pregenStoreMemory is what the store may keep: chunks do not go through it.
const pregenStoreMemory = 16 << 20

// pregenRun opens the world for writing, and runs.
func (a *app) pregenRun(cmd *cobra.Command, path string, f *pregenFlags, job *pregenJob) error {
	w, err := openWorld(path)
	if err != nil {
		return err
	}
	where, err := store.WorldOf(w, job.dimensions...)
	if err != nil {
		return err
	}
	st, err := store.Open(where, store.Options{Memory: pregenStoreMemory, Events: a.logStore})
	if err != nil {
		return pregenError(err, path)
	}
	if f.nice {
		if err := lowerPriority(); err != nil {
			a.console.Log().Warn("--nice has no effect", "error", err)
		}
	}
	watch := a.watchPregen(cmd.Context(), cmd.Flag("progress").Value.String(), f, job)
	report, err := pregen.Run(cmd.Context(), st, job.options)
	err = errors.Join(err, watch.stop())
	if cerr := st.Close(); err == nil {
		err = cerr
	}
	if report == nil || errors.Is(err, pregen.ErrMismatch) || errors.Is(err, pregen.ErrRunFile) || errors.Is(err, pregen.ErrOptions) {
		return pregenError(err, path)
	}
	result := newPregenReport(report, job)
	if rerr := a.console.Result(result, func(out io.Writer) error { return result.writeText(a.console, out) }); rerr != nil {
		return errors.Join(err, rerr)
	}
	if err == nil && report.Failed > 0 {
		return ui.WithHint(ui.Errorf(ui.Problems, "%s failed", countText(int(report.Failed), "chunk")), "'%s' tries them again.", commandLine([]string{"pregen", path}))
	}
	return pregenError(err, path)
}

// pregenError gives an error its exit code, and says how to go on.
func pregenError(err error, path string) error {
	again := commandLine([]string{"pregen", path})
	switch {
	case err == nil, ui.HintOf(err) != "":
		return err
	case errors.Is(err, pregen.ErrMismatch):
		return ui.WithHint(ui.Errorf(ui.Usage, "%w", err), "Go on with '%s' and no more, or give the interrupted run up with --restart.", again)
	case errors.Is(err, pregen.ErrRunFile):
		return ui.WithHint(ui.Errorf(ui.Usage, "%w", err), "Give the interrupted run up with --restart.")
	case errors.Is(err, pregen.ErrRefused), errors.Is(err, pregen.ErrOptions), errors.Is(err, anvil.ErrOptions), errors.Is(err, anvil.ErrNotEmpty):
		return ui.Errorf(ui.Usage, "%w", err)
	case errors.Is(err, session.ErrLocked):
		return ui.WithHint(ui.Errorf(ui.Locked, "%w", err), "Stop the game or server that has the world open.")
	case errors.Is(err, context.Canceled):
		return ui.WithHint(err, "Everything that was made is kept. Go on with '%s'.", again)
	case errors.Is(err, vfs.ErrNoSpace):
		return ui.WithHint(ui.Errorf(ui.NoSpace, "%w", err), "What was made is kept. Make room, and go on with '%s'.", again)
	}
	return err
}
