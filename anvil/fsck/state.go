package fsck

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"strata/anvil"
	"strata/anvil/store"
	"strata/anvil/store/journal"
)

// world reports what is known of the world as a whole: what opening it has
// found, its journal, and what was rescued.
func (c *check) world() {
	for _, f := range c.w.Findings() {
		one := Finding{Class: Class(f.Kind), path: f.Path, Dimension: f.Dimension}
		switch {
		case f.Err != nil && f.Other != "":
			one.Detail = fmt.Sprintf("%v; %s is used", f.Err, relative(c.w.Path(), f.Other))
		case f.Err != nil:
			one.Detail = f.Err.Error()
		case f.Other != "":
			one.Detail = relative(c.w.Path(), f.Other) + " is used"
		}
		if f.Kind == anvil.DamagedData {
			continue // data comes upon it, too
		}
		if c.find(one) && f.Kind == anvil.LevelFromOld {
			c.report.leads.data = append(c.report.leads.data, filepath.Join(c.w.Path(), "level.dat"))
		}
	}
	c.journal()
	c.rescued()
}

// journal reports changes that are not in their places. That of a world that
// somebody has open is theirs.
func (c *check) journal() {
	path := filepath.Join(c.w.Path(), "strata", "journal")
	w, err := store.WorldOf(c.w)
	if err != nil {
		c.find(Finding{Class: JournalVoid, path: path, Detail: err.Error()})
		return
	}
	report, err := journal.Inspect(journal.Options{FS: c.fs, Roots: append(w.Roots, w.Links...)})
	if err != nil {
		c.find(Finding{Class: JournalVoid, path: path, Detail: err.Error()})
		return
	}
	for _, stale := range report.Stale {
		c.find(Finding{Class: JournalStale, path: stale, Detail: "a journal that did not fit to the world"})
	}
	if c.report.Live {
		return
	}
	f := Finding{path: path}
	switch report.Outcome {
	case journal.Pending:
		f.Class = JournalPending
		f.Detail = fmt.Sprintf("%d chunks and %d data files; opening the world for writing completes them", report.Chunks, report.Files)
	case journal.Unfinished:
		f.Class, f.Detail = JournalUnfinished, "changes that were never acknowledged"
	case journal.Void:
		f.Class, f.Detail = JournalVoid, fmt.Sprint(report.Reason)
	default:
		return
	}
	c.find(f)
}

// rescued reports what could not be saved.
func (c *check) rescued() {
	all, err := store.ListRescued(c.fs, c.w.Path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.find(Finding{Class: DamagedData, path: filepath.Join(c.w.Path(), "strata", "rescue"), Detail: err.Error()})
	}
	for _, r := range all {
		f := Finding{Class: Rescued, path: r.Path}
		if r.File != "" {
			f.Detail = "could not be saved: " + r.File
		} else {
			f.Dimension, f.Kind, f.kind = r.Dimension, r.Kind.String(), r.Kind
			f.Detail = fmt.Sprintf("%v %v of %s could not be saved", r.Kind, r.Pos, r.Dimension)
			f.setChunk(r.Pos)
		}
		if c.find(f) {
			c.report.leads.rescued = append(c.report.leads.rescued, r)
		}
	}
}
