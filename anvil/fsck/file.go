package fsck

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"strata/anvil/scan"
	"strata/region"
	"strata/region/vfs"
)

// How often a region file is read again whose header changed meanwhile, and
// how long that takes together.
const (
	maxTries  = 5
	triesTake = 2 * time.Second
)

// fileResult is what was found in a region file.
type fileResult struct {
	report    *region.Report
	notes     []note
	elsewhere []placed
	ids       []entityID
	unstable  []region.ChunkPos
	// stubs are the slots that external files may belong to; nil without such
	// files.
	stubs *[region.Slots / 64]uint64
	gone  bool
}

// file checks a region file. One that is written meanwhile is read again: only
// what is found of an entry that is the same before and after counts.
func (c *check) file(ctx context.Context, f scan.File) (r fileResult, err error) {
	i := c.inspectors.get(c.rules[folderRef{f.Dimension, f.Kind}])
	defer c.inspectors.put(i)
	pause := c.opts.pause
	if pause == 0 {
		pause = triesTake / maxTries
	}
	failedBefore := false
	for try := 1; ; try++ {
		before, err := readHeader(c.fs, f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			return fileResult{gone: true}, nil
		}
		readable := err == nil
		i.begin()
		r.report, err = region.Check(f.Path, region.CheckOptions{FS: c.fs, Inspect: i.inspect})
		if errors.Is(err, fs.ErrNotExist) {
			return fileResult{gone: true}, nil
		}
		if err != nil {
			return r, err
		}
		if failed := hasIOError(r.report); failed && !failedBefore {
			failedBefore = true // such as a stale handle of a network: opened once more
			continue
		}
		after, err := readHeader(c.fs, f.Path)
		if !readable || err != nil || *before == *after || r.report.Worst() < region.SeverityWarning && i.isQuiet() {
			break
		}
		if try == maxTries {
			r.unstable = unstableSlots(r.report, i, before, after)
			break
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return r, ctx.Err()
		}
	}
	c.take(&r, i, f)
	return r, nil
}

// take copies what the inspector has found.
func (c *check) take(r *fileResult, i *inspector, f scan.File) {
	if r.report.Chunks > 0 { // else what was inspected is in no slot
		r.notes = append(r.notes, i.notes...)
		r.elsewhere = append(r.elsewhere, i.elsewhere...)
		r.ids = append(r.ids, i.ids...)
	}
	if c.external[regionRef{dim: f.Dimension, kind: f.Kind, pos: f.Pos}] {
		r.stubs = new([region.Slots / 64]uint64)
		for s := range region.Slot(region.Slots) {
			if r.report.MayBeStub(s) {
				r.stubs[s/64] |= 1 << (s % 64)
			}
		}
	}
}

// isQuiet reports whether nothing above info was noted.
func (i *inspector) isQuiet() bool {
	for _, n := range i.notes {
		if severityOf(n.class) >= region.SeverityWarning {
			return false
		}
	}
	return true
}

// unstableSlots takes the findings away that may come from what was just being
// written, and returns their chunks.
func unstableSlots(r *region.Report, i *inspector, before, after *region.Header) (chunks []region.ChunkPos) {
	changed := func(s region.Slot) bool { return before.Entry(s) != after.Entry(s) }
	seen := map[region.ChunkPos]bool{}
	doubt := func(pos region.ChunkPos) {
		if !seen[pos] {
			seen[pos] = true
			chunks = append(chunks, pos)
		}
	}
	kept := r.Findings[:0]
	for _, f := range r.Findings {
		switch {
		case f.Severity < region.SeverityWarning:
		case f.Slot < 0 && f.Class != region.IOError: // about the file as a whole
			continue
		case f.Slot >= 0 && (changed(region.Slot(f.Slot)) || f.Class == region.Overlap):
			doubt(f.Chunk)
			continue
		}
		kept = append(kept, f)
	}
	r.Findings = kept
	notes := i.notes[:0]
	for _, n := range i.notes {
		if changed(n.pos.Slot()) && severityOf(n.class) >= region.SeverityWarning {
			doubt(n.pos)
			continue
		}
		notes = append(notes, n)
	}
	i.notes = notes
	elsewhere := i.elsewhere[:0]
	for _, p := range i.elsewhere {
		if !changed(p.slot.Slot()) {
			elsewhere = append(elsewhere, p)
		}
	}
	i.elsewhere = elsewhere
	return chunks
}

func hasIOError(r *region.Report) bool {
	for _, f := range r.Findings {
		if f.Class == region.IOError {
			return true
		}
	}
	return false
}

// readHeader reads a file's header; what a short file lacks is empty.
func readHeader(fsys vfs.FS, path string) (_ *region.Header, err error) {
	file, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	h := new(region.Header)
	n, err := file.ReadAt(h[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	clear(h[n:])
	return h, nil
}
