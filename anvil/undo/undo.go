package undo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// RestoreOptions say how a change is undone.
type RestoreOptions struct {
	// Force puts the change back also over what has changed since. What that
	// replaces is kept as another change first.
	Force bool
	// Command is the command line, for that other change.
	Command string
	// Progress is called with the number of targets that are through.
	Progress func(n int64)
}

// Failure is something that could not be put back.
type Failure struct {
	Target Target `json:"target"`
	Err    error  `json:"-"`
	Text   string `json:"error"`
}

// Report is what Undo has done.
type Report struct {
	Plan
	// Restored are objects and files that were written.
	Restored int64 `json:"restored"`
	// Failures counts what could not be put back, Failed lists the first
	// MaxListed of it.
	Failures int64     `json:"failures"`
	Failed   []Failure `json:"failed"`
	// KeptIn is the folder with the bytes of what is lost, "" if nothing is.
	KeptIn string `json:"kept_in"`
	// Replaced is the change that keeps what Force has replaced.
	Replaced string `json:"replaced"`
}

// Undo puts back what a change kept. If something has changed since, nothing is
// written and the error is a *ConflictError, without Force. What cannot be
// written is listed and the rest goes on; then the change stays one that can be
// undone. After an error, as after a kill, Undo can be called again.
func Undo(ctx context.Context, t *Trail, o RestoreOptions) (*Report, error) {
	plan, err := Preview(ctx, t)
	if err != nil {
		return nil, err
	}
	r := &Report{Plan: *plan, Failed: []Failure{}}
	if plan.Since > 0 && !o.Force {
		return r, &ConflictError{ID: t.m.ID, Count: plan.Since, Some: plan.SinceList}
	}
	if err := t.undo(ctx, r, o); err != nil {
		return r, fmt.Errorf("undo %s: %w", t.m.ID, err)
	}
	return r, nil
}

func (t *Trail) undo(ctx context.Context, r *Report, o RestoreOptions) error {
	active.Store(t.dir, true)
	defer active.Delete(t.dir)
	var kept *Change
	if r.Since > 0 {
		var err error
		if kept, err = t.keepSince(ctx, o); err != nil {
			return err
		}
		defer kept.Abort() //nolint:errcheck // nothing of it is left to do after Finish
		r.Replaced = kept.ID()
	}
	if err := t.mark(Undoing); err != nil {
		return err
	}
	if err := t.restore(ctx, r, o); err != nil {
		return err
	}
	if kept != nil {
		if err := kept.Finish(ctx); err != nil {
			return err
		}
	}
	if r.Failures > 0 {
		return nil
	}
	if err := t.mark(Undone); err != nil {
		return err
	}
	return t.dropLogs()
}

// keepSince keeps what Force is going to replace.
func (t *Trail) keepSince(ctx context.Context, o RestoreOptions) (*Change, error) {
	c, err := Begin(t.w.s, undoWhat, Options{Command: o.Command})
	if err != nil {
		return nil, err
	}
	err = t.each(ctx, func(s *step) error {
		switch {
		case s.verdict != since:
			return nil
		case s.kind == fileFrame:
			return c.KeepFile(s.path)
		case s.kind == asideFrame:
			dim, file := cutAside(s.name)
			return c.KeepAside(dim, s.object, file)
		default:
			return c.Keep(s.name, s.object, s.pos)
		}
	})
	if err == nil {
		err = c.Commit()
	}
	if err != nil {
		return nil, errors.Join(err, c.Abort())
	}
	return c, nil
}

func (t *Trail) mark(s State) error {
	m := t.m
	m.State = s
	if err := m.write(t.w.fs, t.dir); err != nil {
		return err
	}
	t.m = m
	return nil
}

// dropLogs gives the space of an undone change back.
func (t *Trail) dropLogs() error {
	errs := []error{t.Close()}
	for _, name := range []string{recordsName, afterName} {
		if err := t.w.fs.Remove(filepath.Join(t.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
