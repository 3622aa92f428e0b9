package undo

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"strata/anvil/level"
	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// Options of a change. The zero value works.
type Options struct {
	// Command is the command line, for people to read.
	Command string
	// Off keeps nothing: all calls succeed at once.
	Off bool
	// Limits of what is kept in the world's folder of changes.
	Limits Limits
	// Now is the clock, default time.Now.
	Now func() time.Time
}

// Change is what a command is about to change, as it was before.
type Change struct {
	w      *world
	opts   Options
	dir    string
	mu     sync.Mutex // guards the rest
	m      manifest
	log    logWriter
	seen   *refs
	dirty  bool // something was kept since the last Commit
	closed bool
	buf    []byte
}

// active are the folders of changes that this process is making or undoing.
var active sync.Map

func isActive(dir string) bool {
	_, ok := active.Load(dir)
	return ok
}

// Begin begins a change of a world that is open for writing. what is a word or
// two for people. Older changes that are over the limits are removed.
func Begin(s *store.Store, what string, o Options) (*Change, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Change{w: worldOf(s), opts: o, seen: newRefs()}
	if o.Off {
		return c, nil
	}
	if err := c.begin(what); err != nil {
		return nil, fmt.Errorf("begin to keep what is changed: %w", err)
	}
	return c, nil
}

func (c *Change) begin(what string) error {
	fsys, t := c.w.fs, c.opts.Now()
	if _, err := Prune(fsys, c.w.main(), t, c.opts.Limits); err != nil {
		return err
	}
	all, err := list(fsys, c.w.main())
	if err != nil {
		return err
	}
	number := int64(1)
	if len(all) > 0 {
		number = all[0].Number + 1
	}
	root, err := undoRoot(fsys, c.w.main())
	if err != nil {
		return err
	}
	id := makeID(t, number)
	c.dir = filepath.Join(root, id)
	if err := vfs.MkdirAllSync(fsys, c.dir, 0o755); err != nil {
		return err
	}
	active.Store(c.dir, true)
	c.m = manifest{Format: format, Number: number, Info: Info{
		ID: id, What: what, Command: c.opts.Command, Time: t.UTC().Truncate(time.Second), State: Saving,
	}}
	c.log.file, err = fsys.OpenFile(filepath.Join(c.dir, recordsName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return errors.Join(err, c.discard())
	}
	return nil
}

// ID names the change; "" if it is off, or has gone since it kept nothing.
func (c *Change) ID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m.ID
}

// Keep keeps an object as it is on the disk, or that there is none: what is
// changed in memory is made durable before (store.Store.Barrier). What is kept
// already stays as it was kept first. The error wraps vfs.ErrNoSpace if the disk is
// full; ErrDimension; or it is that of reading, but a record that cannot be
// read is kept as the bytes in its sectors.
func (c *Change) Keep(dim string, kind store.Kind, pos region.ChunkPos) error {
	if c.opts.Off {
		return nil
	}
	d, ok := c.w.dims[dim]
	if !ok {
		return fmt.Errorf("keep %v of %s: %w", pos, dim, ErrDimension)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrState
	}
	if !c.seen.add(d, kind, pos) {
		return nil
	}
	n, buf, err := c.w.read(dim, kind, pos, c.buf)
	c.buf = buf
	if err == nil {
		f := &frame{kind: objectFrame, state: n.state, object: kind, pos: pos, timestamp: n.entry.Timestamp, name: dim}
		err = c.log.add(f, n.data)
	}
	if err != nil {
		return fmt.Errorf("keep %v of %s: %w", pos, dim, err)
	}
	switch kind {
	case store.Entities:
		c.m.Entities++
	case store.POI:
		c.m.POI++
	default:
		c.m.Chunks++
	}
	c.dirty = true
	return nil
}

// KeepFile keeps a data file as it is, or that there is none. The path is one
// that store.Store.StageFile takes.
func (c *Change) KeepFile(path string) error {
	if c.opts.Off {
		return nil
	}
	path = filepath.Clean(path)
	name, err := c.w.fileName(path)
	if err != nil {
		return fmt.Errorf("keep: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrState
	}
	if c.seen.files[name] {
		return nil
	}
	st, data, perm, err := c.w.readFile(path)
	if err == nil && len(name) > maxName {
		err = store.ErrPath
	}
	if err == nil {
		err = c.log.add(&frame{kind: fileFrame, state: st, perm: perm, name: name}, data)
	}
	if err != nil {
		return fmt.Errorf("keep %s: %w", path, err)
	}
	c.seen.files[name] = true
	c.m.Files++
	c.dirty = true
	return nil
}

// Commit makes what was kept durable. Only then may the world be written.
func (c *Change) Commit() error {
	if c.opts.Off {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrState
	}
	if c.m.State != Saving && !c.dirty {
		return nil
	}
	if err := c.commit(); err != nil {
		return fmt.Errorf("keep what is changed: %w", err)
	}
	c.dirty = false
	return nil
}

func (c *Change) commit() error {
	if err := c.log.sync(); err != nil {
		return err
	}
	m := c.m
	if m.State == Saving {
		// The log's name has to be there if the manifest is.
		if err := c.w.fs.SyncDir(c.dir); err != nil {
			return err
		}
		sum, err := c.w.levelSum()
		if err != nil {
			return err
		}
		name, err := c.w.fileName(filepath.Join(c.w.main(), level.FileName))
		if err != nil {
			return err
		}
		if !c.seen.files[name] {
			m.Level = sum
		}
	}
	m.State = Writing
	m.LogBytes = c.log.off
	if err := m.write(c.w.fs, c.dir); err != nil {
		return err
	}
	c.m = m
	return nil
}

// levelSum is the digest of level.dat, "" if there is none.
func (w *world) levelSum() (string, error) {
	st, data, _, err := w.readFile(filepath.Join(w.main(), level.FileName))
	if err != nil || st.presence == absent {
		return "", err
	}
	sum := xxhash.New()
	sum.Write(data) //nolint:errcheck // a digest takes everything
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Abort gives up a change that was not committed: nothing is kept of it. What
// was committed stays, as that of a command that was not through. After Finish
// it does nothing.
func (c *Change) Abort() error {
	if c.opts.Off {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	if c.m.State == Saving {
		return c.discard()
	}
	return c.close()
}

func (c *Change) close() error {
	c.closed = true
	active.Delete(c.dir)
	return c.log.file.Close()
}

func (c *Change) discard() error {
	var err error
	if c.log.file != nil {
		err = c.close()
	}
	active.Delete(c.dir)
	c.m.ID = ""
	return errors.Join(err, removeChange(c.w.fs, c.dir))
}
