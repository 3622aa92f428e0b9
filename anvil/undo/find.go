package undo

import (
	"errors"
	"fmt"
	"path/filepath"

	"strata/anvil/store"
	"strata/region/vfs"
)

// Find opens a change to undo it: if id is "" the last one that can be undone, or
// the one whose undo by force was interrupted last. Close closes it. The error
// wraps ErrNoChange, ErrUndone or ErrDamaged.
func Find(s *store.Store, id string) (*Trail, error) {
	w := worldOf(s)
	all, err := list(w.fs, w.main())
	if err != nil {
		return nil, err
	}
	root, err := undoRoot(w.fs, w.main())
	if err != nil {
		return nil, err
	}
	m := choose(all, id)
	switch {
	case m == nil && id == "":
		return nil, fmt.Errorf("%w to undo", ErrNoChange)
	case m == nil:
		return nil, fmt.Errorf("%s: %w", id, ErrNoChange)
	case m.State == Undone:
		return nil, fmt.Errorf("%s: %w", m.ID, ErrUndone)
	case m.State == Saving: // has changed nothing
		return nil, fmt.Errorf("%s: %w that has changed anything", m.ID, ErrNoChange)
	case m.State == Damaged:
		return nil, fmt.Errorf("%s: the manifest is %w", m.ID, ErrDamaged)
	}
	t := &Trail{w: w, m: *m, dir: filepath.Join(root, m.ID)}
	if err := t.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", m.ID, err), t.Close())
	}
	return t, nil
}

// undoWhat is what changes are that keep what undo by force replaces.
const undoWhat = "undo"

// choose finds a change by its id, or the last one that can be undone. While an
// undo by force goes on there is a later change of its own.
func choose(all []manifest, id string) (found *manifest) {
	for i := range all {
		m := &all[i]
		switch {
		case id != "":
			if m.ID == id {
				return m
			}
		case m.State == Saving || m.State == Undone || m.State == Damaged:
		case found == nil && m.State == Writing && m.What == undoWhat:
			found = m
		case found == nil || m.State == Undoing:
			return m
		default:
			return found
		}
	}
	return found
}

// Info says what change it is.
func (t *Trail) Info() Info { return t.m.Info }

// Close closes the logs.
func (t *Trail) Close() error {
	var errs []error
	for _, f := range []vfs.File{t.log, t.after} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	t.log, t.after = nil, nil
	return errors.Join(errs...)
}
