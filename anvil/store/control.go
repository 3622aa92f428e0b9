package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"strata/anvil/session/control"
	"strata/region"
	"strata/region/vfs"
)

// controlVersion is of the operations and their arguments.
const controlVersion = 1

// The operations of a holder's endpoint.
const (
	opHello  = "hello"  // how the world is laid out
	opFlush  = "flush"  // Barrier
	opPin    = "pin"    // a snapshot: its regions, headers and data files
	opCheck  = "check"  // whether a pin still stands
	opUnpin  = "unpin"  // ends a pin
	opFile   = "file"   // where a pinned data file is now
	opBody   = "body"   // the external body of a pinned chunk
	opUnload = "unload" // forgets what is in memory
	opReload = "reload" // and the region files' headers
)

// maxPins is how many pins other processes may have at a time.
const maxPins = 16

// holder is the side of the endpoint that has the world.
type holder struct {
	s      *Store
	server *control.Server

	mu   sync.Mutex // guards the rest
	pins map[uint64]*Snapshot
	last uint64
	busy int // pins that are being made
}

// startControl publishes the endpoint. Other file systems than the operating
// system's have no other processes. A world can do without an endpoint.
func (s *Store) startControl() {
	if s.opts.NoControl || s.fs != vfs.OS() {
		return
	}
	h := &holder{s: s, pins: map[uint64]*Snapshot{}}
	var err error
	h.server, err = control.Serve(s.fs, s.lock, map[string]control.Handler{
		opHello: h.hello, opFlush: h.flush, opPin: h.pin, opCheck: h.check, opUnpin: h.unpin,
		opFile: h.file, opBody: h.body, opUnload: h.unload, opReload: h.reload,
	})
	if err != nil {
		s.event(Event{Kind: ControlFailed, Err: err})
		return
	}
	s.control = h
}

// stopControl ends the endpoint and with it the pins of other processes, which
// do not keep the store open.
func (s *Store) stopControl() {
	if s.control == nil {
		return
	}
	if err := s.control.server.Close(); err != nil {
		s.event(Event{Kind: ControlFailed, Err: err})
	}
	s.control = nil
}

// place is a path as two processes with other working folders understand it:
// below a root, or absolute. Path has slashes, and is bytes since names of
// files need not be text.
type place struct {
	Root int    `json:"root"` // -1: Path is absolute
	Path []byte `json:"path"`
}

func placeOf(w *World, path string) (place, error) {
	best := place{Root: -1}
	for i, r := range w.Roots {
		rel, err := filepath.Rel(r.Dir, path)
		if err == nil && filepath.IsLocal(rel) && (best.Root < 0 || len(rel) < len(best.Path)) {
			best = place{i, []byte(filepath.ToSlash(rel))}
		}
	}
	if best.Root >= 0 {
		return best, nil
	}
	abs, err := filepath.Abs(path)
	best.Path = []byte(filepath.ToSlash(abs))
	return best, err
}

// resolve is the place's path in a world with the same roots.
func (p place) resolve(w *World) (string, error) {
	path := filepath.FromSlash(string(p.Path))
	switch {
	case p.Root == -1 && filepath.IsAbs(path):
		return filepath.Clean(path), nil
	case p.Root >= 0 && p.Root < len(w.Roots) && filepath.IsLocal(path):
		return filepath.Join(w.Roots[p.Root].Dir, path), nil
	}
	return "", fmt.Errorf("%q below root %d: %w", p.Path, p.Root, ErrPath)
}

// layout is the answer to hello.
type layout struct {
	Protocol    int               `json:"protocol"`
	DataVersion int32             `json:"data_version"`
	Roots       []string          `json:"roots"` // their names
	Dimensions  []dimensionLayout `json:"dimensions"`
}

type dimensionLayout struct {
	Name string        `json:"name"`
	Dirs [kinds]*place `json:"dirs"` // by kind, null for none
}

func (h *holder) hello(context.Context, *control.Call) (any, error) {
	w := &h.s.world
	l := layout{Protocol: controlVersion, DataVersion: h.s.Version()}
	for _, r := range w.Roots {
		l.Roots = append(l.Roots, r.Name)
	}
	for i := range w.Dimensions {
		d := dimensionLayout{Name: w.Dimensions[i].Name}
		for k := range Kind(kinds) {
			dir := w.Dimensions[i].dir(k)
			if dir == "" {
				continue
			}
			p, err := placeOf(w, dir)
			if err != nil {
				return nil, err
			}
			d.Dirs[k] = &p
		}
		l.Dimensions = append(l.Dimensions, d)
	}
	return l, nil
}

func (h *holder) flush(ctx context.Context, _ *control.Call) (any, error) {
	return nil, coded(h.s.Barrier(ctx))
}

// codes are the errors that keep their meaning on the way to the other process.
var codes = []struct {
	code string
	err  error
}{
	{"no_space", vfs.ErrNoSpace}, {"closed", ErrClosed}, {"revoked", region.ErrPinRevoked},
	{"no_pin", ErrNoPin}, {"too_many", ErrTooMany}, {"not_exist", fs.ErrNotExist}, {"pinned", region.ErrPinned},
	{"held", ErrHeld}, {"range", ErrRange}, {"path", ErrPath}, {"too_large", vfs.ErrTooLarge},
}

// coded gives an error its code.
func coded(err error) error {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return &control.Error{Code: c.code, Message: err.Error()}
		}
	}
	return err
}

// holderError is what a holder has answered.
type holderError struct {
	is  error // what its code means
	err *control.Error
}

func (e *holderError) Error() string   { return e.err.Message }
func (e *holderError) Unwrap() []error { return []error{e.is, e.err} }

// decoded gives an error that came from a holder its meaning back.
func decoded(err error) error {
	e := (*control.Error)(nil)
	if !errors.As(err, &e) {
		return err
	}
	for _, c := range codes {
		if c.code == e.Code {
			return &holderError{c.err, e}
		}
	}
	return err
}
