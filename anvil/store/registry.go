package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"strata/region/vfs"
)

// identity tells worlds apart, by the main folder itself where the system can
// say which it is.
type identity struct {
	fs            vfs.FS
	device, inode uint64
	path          string // if there is no inode
}

// opened are the stores of this process that are open for writing.
var opened = struct {
	sync.Mutex
	worlds map[identity]*entry
}{worlds: map[identity]*entry{}}

// entry is a world that is open, or being opened or closed.
type entry struct {
	s     *Store
	users int
	busy  chan struct{} // not nil while it is opened or closed; closed itself when that is done
}

func identify(w World) (identity, error) {
	main := w.Roots[0].Dir
	info, err := w.FS.Stat(main)
	if err != nil {
		return identity{}, err
	}
	if info.Inode != 0 {
		return identity{fs: w.FS, device: info.Device, inode: info.Inode}, nil
	}
	path, err := filepath.Abs(main)
	return identity{fs: w.FS, path: path}, err
}

// Open opens a world for writing: its folders are locked, its journal is
// replayed or set aside, and its level.dat read. A world that this process has
// open already is the same store with one more user, whatever w and opts say
// beside the main folder. Close ends the use.
//
// The error wraps session.ErrLocked if somebody else has the world, and
// fs.ErrNotExist if the main folder or its level.dat is not there.
func Open(w World, opts Options) (*Store, error) {
	s, err := open(w, opts)
	if err != nil {
		return nil, fmt.Errorf("open world: %w", err)
	}
	return s, nil
}

func open(w World, opts Options) (*Store, error) {
	w, err := w.check()
	if err != nil {
		return nil, err
	}
	if opts, err = opts.withDefaults(); err != nil {
		return nil, err
	}
	id, err := identify(w)
	if err != nil {
		return nil, err
	}
	e := join(id)
	if e.s != nil {
		return e.s, nil
	}
	s, err := newStore(w, opts, false)
	if err == nil {
		s.id = id
		err = s.start()
	}
	opened.Lock()
	defer opened.Unlock()
	if err != nil {
		delete(opened.worlds, id)
		s = nil
	}
	e.s = s
	close(e.busy)
	e.busy = nil
	return s, err
}

// join returns the world's entry with one more user. If it has no store yet,
// it is the caller's to open.
func join(id identity) *entry {
	for {
		opened.Lock()
		e := opened.worlds[id]
		if e == nil {
			e = &entry{users: 1, busy: make(chan struct{})}
			opened.worlds[id] = e
			opened.Unlock()
			return e
		}
		if e.busy == nil {
			e.users++
			opened.Unlock()
			return e
		}
		busy := e.busy
		opened.Unlock()
		<-busy
	}
}

// OpenRead opens a world for reading. It is not locked, nothing is written or
// made, and a journal is not replayed but reported by [Store.Journal]. If this
// process has the world open for writing, it is that store with one more user.
//
// Region headers are read once: a world that another program is just writing
// to is not followed.
func OpenRead(w World, opts Options) (*Store, error) {
	s, err := openRead(w, opts)
	if err != nil {
		return nil, fmt.Errorf("open world for reading: %w", err)
	}
	return s, nil
}

func openRead(w World, opts Options) (*Store, error) {
	w, err := w.check()
	if err != nil {
		return nil, err
	}
	if opts, err = opts.withDefaults(); err != nil {
		return nil, err
	}
	id, err := identify(w)
	if err != nil {
		return nil, err
	}
	if s := find(id); s != nil {
		return s, nil
	}
	s, err := newStore(w, opts, true)
	if err != nil {
		return nil, err
	}
	return s, s.start()
}

// find returns the store of a world that is open, with one more user.
func find(id identity) *Store {
	for {
		opened.Lock()
		e := opened.worlds[id]
		if e == nil {
			opened.Unlock()
			return nil
		}
		if e.busy == nil {
			e.users++
			opened.Unlock()
			return e.s
		}
		busy := e.busy
		opened.Unlock()
		<-busy
	}
}

// retain adds a user to an open store.
func (s *Store) retain() error {
	opened.Lock()
	defer opened.Unlock()
	e := opened.worlds[s.id]
	if e == nil || e.s != s || e.busy != nil {
		return ErrClosed
	}
	e.users++
	return nil
}

// Close ends the caller's use of the store. What was changed is durable
// afterwards, whoever else uses it; with ByTick only if nobody else does. The
// last one closes the world: all loads
// and saves have ended then, and the lock is given away. After ErrUnsaved the
// store is still open and still the caller's: Close can be tried again, or
// Abandon gives the changes up. Holds and snapshots should have been released.
func (s *Store) Close() error { return s.leave(false) }

// Abandon is Close without saving: what no epoch has made durable is lost. Not
// if others use the store: then it only ends the caller's use.
func (s *Store) Abandon() error { return s.leave(true) }

func (s *Store) leave(abandon bool) error {
	if s.readOnly {
		return s.closeRead()
	}
	opened.Lock()
	e := opened.worlds[s.id]
	if e == nil || e.s != s || e.busy != nil {
		opened.Unlock()
		return ErrClosed
	}
	if e.users > 1 {
		opened.Unlock()
		return s.leaveOpen(e, abandon)
	}
	busy := make(chan struct{})
	e.busy = busy
	opened.Unlock()
	err := s.shutdown(abandon)
	opened.Lock()
	defer opened.Unlock()
	if errors.Is(err, ErrUnsaved) {
		e.busy = nil
	} else {
		delete(opened.worlds, s.id)
	}
	close(busy)
	return err
}

// leaveOpen ends a use that is not the last one.
func (s *Store) leaveOpen(e *entry, abandon bool) error {
	var err error
	if !abandon && !s.opts.ByTick {
		r, rerr := s.request()
		if err = rerr; err == nil {
			err = <-r.done
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnsaved, err)
	}
	opened.Lock()
	e.users--
	last := e.users == 0
	if last { // the others have left meanwhile
		e.users = 1
	}
	opened.Unlock()
	if last {
		return s.leave(abandon)
	}
	return nil
}

func (s *Store) closeRead() error {
	s.mu.Lock()
	closed := s.closing
	s.closing = true
	s.mu.Unlock()
	if closed {
		return ErrClosed
	}
	s.wait.Wait()
	return s.closeAll()
}
