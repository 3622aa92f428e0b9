package anvil

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"strata/anvil/level"
	"strata/anvil/player"
	"strata/anvil/session"
	"strata/region/vfs"
)

// Options are how a world is opened. The zero value opens it for reading.
type Options struct {
	// FS is the file system, the machine's by default.
	FS vfs.FS
	// Write takes the session lock. Without it nothing is changed.
	Write bool
	// Types returns the heights of dimension types that data packs bring. None
	// are known without it.
	Types func(id string) (Height, bool)
}

// World is an open world.
type World struct {
	opts Options
	path string
	lock *session.Lock // nil: for reading

	scan
	mu      sync.Mutex // guards scan.level
	writing sync.Mutex // held while a file is written, one at a time; guards the rest
	closed  bool
	endErr  error // of Close
}

// scan is what was found when the world was opened.
type scan struct {
	level      *level.Level // guarded by World.mu once the world is open
	origin     level.Origin
	layout     Layout
	settings   level.GenSettings
	settingsOK bool
	dimensions []Dimension
	findings   []Finding
}

// Open opens the world in a folder. A Bukkit split is opened by the folder of
// its overworld. The error wraps ErrNoWorld if there is no level.dat,
// level.ErrDamaged if neither it nor level.dat_old can be read, and with
// Options.Write session.ErrLocked if somebody else has the world.
func Open(path string, opts Options) (*World, error) {
	if opts.FS == nil {
		opts.FS = vfs.OS()
	}
	path, err := named(path)
	if err != nil {
		return nil, err
	}
	w := &World{opts: opts, path: path}
	if err := w.look(); err != nil {
		return nil, fmt.Errorf("open world %s: %w", path, err)
	}
	if !opts.Write {
		return w, nil
	}
	folders := w.Folders()
	if w.lock, err = session.Acquire(opts.FS, folders...); err != nil {
		return nil, fmt.Errorf("open world %s: %w", path, err)
	}
	// Somebody may have been at it until now.
	if err = w.look(); err == nil && !slices.Equal(w.Folders(), folders) {
		err = errors.New("its folders changed while it was locked")
	}
	if err != nil {
		return nil, fmt.Errorf("open world %s: %w", path, errors.Join(err, w.lock.Release()))
	}
	return w, nil
}

// named gives a folder such as "." its name, by which the folders of a split
// beside it are found.
func named(path string) (string, error) {
	path = filepath.Clean(path)
	if base := filepath.Base(path); base == "." || base == ".." {
		return filepath.Abs(path)
	}
	return path, nil
}

// look reads what there is.
func (w *World) look() error {
	w.scan = scan{}
	info, err := w.opts.FS.Stat(w.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %w", ErrNoWorld, err)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%w: not a folder", ErrNoWorld)
	}
	w.level, w.origin, err = level.Read(w.opts.FS, w.path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrNoWorld, err)
	}
	if err != nil {
		return err
	}
	if w.origin.FromOld() {
		w.find(Finding{Kind: LevelFromOld, Path: w.origin.Path, Err: w.origin.Problem})
	}
	if err := w.findLayout(); err != nil {
		return err
	}
	if err := w.findSettings(); err != nil {
		return err
	}
	if err := w.findDimensions(); err != nil {
		return err
	}
	return w.findLeftovers()
}

func (w *World) find(f Finding) { w.findings = append(w.findings, f) }

// findSettings reads the settings of generation, wherever they are. That they
// cannot be read is a finding: the chunks are still there.
func (w *World) findSettings() error {
	if w.settings, w.settingsOK = w.level.GenSettings(); w.settingsOK {
		return nil
	}
	place, err := w.DataFile("world_gen_settings", "")
	if err != nil {
		return err
	}
	if place.InLevel || !place.Exists {
		if w.level.Data().Get("WorldGenSettings").Exists() {
			w.find(Finding{Kind: DamagedData, Path: w.origin.Path, Err: fmt.Errorf("%w: WorldGenSettings", level.ErrShape)})
		}
		return nil
	}
	doc, _, err := level.ReadFile(w.opts.FS, place.Path)
	if err == nil {
		w.settings, err = doc.GenSettings()
	}
	w.settingsOK = err == nil
	if errors.Is(err, level.ErrDamaged) || errors.Is(err, level.ErrShape) {
		w.find(Finding{Kind: DamagedData, Path: place.Path, Err: err})
		return nil
	}
	return err
}

// Close ends writing, and gives the world away unless somebody has retained its
// lock. A World opened for reading has nothing to close.
func (w *World) Close() error {
	w.writing.Lock()
	defer w.writing.Unlock()
	if w.lock != nil && !w.closed {
		w.closed = true
		w.endErr = w.lock.Release()
	}
	return w.endErr
}

// Path returns the folder as it was given to Open, cleaned.
func (w *World) Path() string { return w.path }

// FS returns the file system.
func (w *World) FS() vfs.FS { return w.opts.FS }

// Layout returns where the world's files lie.
func (w *World) Layout() Layout { return w.layout }

// Lock returns the session lock, nil if the world is open for reading.
func (w *World) Lock() *session.Lock { return w.lock }

// Live reports whether somebody holds the session lock of a world that is open
// for reading; see session.Held for what asking costs.
func (w *World) Live() (bool, error) {
	if w.lock != nil {
		return true, nil
	}
	for _, folder := range w.Folders() {
		if held, err := session.Held(w.opts.FS, folder); held || err != nil {
			return held, err
		}
	}
	return false, nil
}

// Findings lists what a person should know of the world.
func (w *World) Findings() []Finding { return slices.Clone(w.findings) }

// Level returns level.dat as it was read or written last.
func (w *World) Level() *level.Level {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.level
}

// DataVersion returns the world's version, 0 if level.dat has none (before 1.9).
func (w *World) DataVersion() int32 { return w.Level().DataVersion() }

// Seed returns the seed of generation; false if it cannot be read.
func (w *World) Seed() (int64, bool) {
	if w.settingsOK {
		return w.settings.Seed, true
	}
	return w.Level().Seed()
}

// Settings returns the settings of generation as they were when the world was
// opened, which worlds have since 1.16; false if there are none or they cannot
// be read.
func (w *World) Settings() (level.GenSettings, bool) { return w.settings, w.settingsOK }

// Players returns where the world keeps what belongs to players.
func (w *World) Players() player.Folders {
	if w.layout == NewLayout {
		return player.In(w.path)
	}
	return player.OldIn(w.path)
}

// writable reports whether the world may be written to: it is open for that,
// and the lock is still the world's.
func (w *World) writable() error {
	if w.lock == nil {
		return ErrReadOnly
	}
	if w.closed { // others may still use the lock
		return session.ErrReleased
	}
	return w.lock.Check()
}

// WriteLevel puts l in the place of level.dat, which is never absent; see
// level.WriteFile. The error wraps ErrReadOnly or session.ErrLost if the world
// is not ours to write.
func (w *World) WriteLevel(l *level.Level) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	if err := w.writable(); err != nil {
		return fmt.Errorf("write level.dat of %s: %w", w.path, err)
	}
	if err := l.Write(w.opts.FS, w.path); err != nil {
		return err
	}
	w.mu.Lock()
	w.level = l
	w.mu.Unlock()
	return nil
}
