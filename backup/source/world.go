package source

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/session"
	"strata/anvil/session/control"
	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// State says what keeps a world still.
type State uint8

// The states.
const (
	Held State = iota + 1
	Pinned
	Quiet
	Moving
)

// ErrForeign says that another program has the world open, which was not to be.
var ErrForeign = errors.New("another program has the world open")

// Options are how a world is opened. The zero value reads beside whoever has it.
type Options struct {
	// FS is the file system, the machine's by default.
	FS vfs.FS
	// Quiesce has a foreign program write everything and then nothing until
	// resume is called.
	Quiesce func(context.Context) (resume func() error, err error)
	// RefuseForeign does not read beside one without Quiesce.
	RefuseForeign bool
	// Exclude are patterns of path.Match for paths below a world's folder and for
	// base names.
	Exclude []string
	// Leave is a folder that is left out wherever it lies: the repository's.
	Leave string
	// Lock is the world's, if the caller has it already.
	Lock *session.Lock
	// Bare takes a folder in which level.dat is absent or damaged for a world
	// without dimensions. Only with Lock.
	Bare bool
}

// Root is one of the folders of a world.
type Root struct{ Name, Dir string }

// Dimension is a dimension of a world.
type Dimension struct {
	ID      string
	Folders [3]string // by store.Kind
}

// World is a world that is held still.
type World struct {
	State State
	// Dir is the main folder, absolute and without symbolic links.
	Dir         string
	Roots       []Root // the main one first
	Dimensions  []Dimension
	DataVersion int32
	// Notes are for people.
	Notes []string

	fs      vfs.FS
	exclude []string
	leave   vfs.FileInfo
	lock    *session.Lock
	remote  *store.RemoteStore
	pin     *store.RemotePin
	resume  func() error
}

// Open opens a world for reading. The error wraps anvil.ErrNoWorld, ErrForeign, or
// what Quiesce or the holder of the world said.
func Open(ctx context.Context, dir string, o Options) (_ *World, err error) {
	if o.FS == nil {
		o.FS = vfs.OS()
	}
	w := &World{fs: o.FS, exclude: o.Exclude}
	if w.Dir, err = resolve(o.FS, dir); err != nil {
		return nil, err
	}
	if o.Leave != "" {
		if w.leave, err = o.FS.Stat(o.Leave); err != nil {
			w.leave = vfs.FileInfo{} // it is on another file system, and not in the world
		}
	}
	a, err := openAnvil(ctx, o.FS, w.Dir)
	switch {
	case err == nil:
		w.describe(a)
	case o.Bare && o.Lock != nil && (errors.Is(err, anvil.ErrNoWorld) || errors.Is(err, level.ErrDamaged)):
		w.Roots = []Root{{filepath.Base(w.Dir), w.Dir}}
		w.note("level.dat cannot be read: %v", err)
	default:
		return nil, err
	}
	err = w.settle(ctx, a, o)
	// A holder that is just ending answers no more: then nobody has the world.
	for n := 0; n < 3 && errors.Is(err, control.ErrClosed) && ctx.Err() == nil; n++ {
		if err = errors.Join(w.Close(), wait(ctx, 50*time.Millisecond)); err == nil {
			err = w.settle(ctx, a, o)
		}
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// resolve makes a path absolute, symbolic links followed.
func resolve(fsys vfs.FS, dir string) (string, error) {
	if fsys != vfs.OS() {
		return filepath.Clean(dir), nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if way, err := filepath.EvalSymlinks(abs); err == nil {
		return way, nil
	}
	return abs, nil // what is wrong with it is found when it is opened
}

// openAnvil opens a world whose level.dat may just be replaced.
func openAnvil(ctx context.Context, fsys vfs.FS, dir string) (a *anvil.World, err error) {
	for range 3 {
		a, err = anvil.Open(dir, anvil.Options{FS: fsys})
		if !errors.Is(err, anvil.ErrNoWorld) {
			return a, err
		}
		if _, serr := fsys.Stat(dir); serr != nil {
			return nil, err
		}
		if werr := wait(ctx, 50*time.Millisecond); werr != nil {
			return nil, werr
		}
	}
	return nil, err
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (w *World) describe(a *anvil.World) {
	for _, dir := range a.Folders() {
		w.Roots = append(w.Roots, Root{filepath.Base(dir), filepath.Clean(dir)})
	}
	for _, d := range a.Dimensions() {
		w.Dimensions = append(w.Dimensions, Dimension{d.ID, [3]string{
			store.Chunks: filepath.Clean(d.Region), store.Entities: filepath.Clean(d.Entities), store.POI: filepath.Clean(d.POI),
		}})
	}
	w.DataVersion = a.DataVersion()
}

// settle holds the world still.
func (w *World) settle(ctx context.Context, a *anvil.World, o Options) error {
	if o.Lock != nil {
		w.lock, w.State = o.Lock, Held
		return o.Lock.Retain()
	}
	held, err := session.Held(w.fs, w.Dir)
	if err != nil {
		w.note("whether somebody has the world open cannot be told: %v", err)
		w.State = Moving
		return nil
	}
	if !held {
		switch w.lock, err = session.Acquire(w.fs, a.Folders()...); {
		case err == nil && len(w.lock.Unprotected()) == 0:
			w.State = Held
			return nil
		case err == nil:
			w.note("the file system has no locks: somebody may write meanwhile")
			w.State = Moving
			return nil
		case !errors.Is(err, session.ErrLocked):
			w.note("the world could not be locked: %v", err)
			w.State = Moving
			return nil
		}
	}
	return w.beside(ctx, a, o)
}

// beside reads a world that somebody has open.
func (w *World) beside(ctx context.Context, a *anvil.World, o Options) error {
	where, err := store.WorldOf(a)
	if err != nil {
		return err
	}
	w.remote, err = store.Remote(ctx, where)
	switch {
	case err == nil:
		return w.hold(ctx)
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.Is(err, store.ErrForeign) && !errors.Is(err, store.ErrProtocol) && !errors.Is(err, store.ErrNotHeld):
		return err
	}
	if o.Quiesce != nil {
		if w.resume, err = o.Quiesce(ctx); err != nil {
			return fmt.Errorf("have the world's program stop writing: %w", err)
		}
		w.State = Quiet
		return nil
	}
	if o.RefuseForeign {
		return ErrForeign
	}
	w.State = Moving
	return nil
}

// hold pins the world at its holder.
func (w *World) hold(ctx context.Context) (err error) {
	if w.pin, err = w.remote.Pin(ctx); err != nil {
		return err
	}
	w.State = Pinned
	w.fs = w.pin
	return nil
}

func (w *World) note(format string, args ...any) {
	w.Notes = append(w.Notes, fmt.Sprintf(format, args...))
}

// Check returns nil if all that was read so far is good: the pin still stands, or
// the lock is still the world's. The error wraps region.ErrPinRevoked,
// control.ErrClosed or session.ErrLost.
func (w *World) Check(ctx context.Context) error {
	switch {
	case w.pin != nil:
		return w.pin.Check(ctx)
	case w.lock != nil && w.State == Held:
		return w.lock.Check()
	}
	return nil
}

// Close lets go of the world.
func (w *World) Close() error {
	var errs []error
	if w.resume != nil {
		errs = append(errs, w.resume())
	}
	if w.pin != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		err := w.pin.Release(ctx)
		cancel()
		// Check has said what the pin was good for; there is none any more.
		if errors.Is(err, store.ErrNoPin) || errors.Is(err, region.ErrPinRevoked) || errors.Is(err, control.ErrClosed) {
			err = nil
		}
		errs = append(errs, err)
	}
	if w.remote != nil {
		errs = append(errs, w.remote.Close())
	}
	if w.lock != nil {
		errs = append(errs, w.lock.Release())
	}
	w.resume, w.pin, w.remote, w.lock = nil, nil, nil, nil
	return errors.Join(errs...)
}

// FS is the file system that the world is read from: a pin, if it is pinned.
func (w *World) FS() vfs.FS { return w.fs }

// Moves reports whether somebody may write.
func (w *World) Moves() bool { return w.State == Moving }
