package journal

import (
	"errors"
	"fmt"
	"os"

	"github.com/cespare/xxhash/v2"

	"strata/region"
	"strata/region/vfs"
)

// check compares the world with a record. A mismatch makes the record void;
// an error is the file system's and says nothing about it.
func (r *roots) check(rec *record) (*Mismatch, error) {
	level := fileChange{at: levelPlace(r.main()), old: rec.levelOld, new: rec.levelNew}
	path, _ := r.path(level.at)
	if _, m, err := r.checkFinal(path, &level); m != nil || err != nil {
		return m, err
	}
	for i := range rec.regions {
		if m, err := r.checkRegion(&rec.regions[i]); m != nil || err != nil {
			return m, err
		}
	}
	for i := range rec.files {
		if m, err := r.checkFile(&rec.files[i]); m != nil || err != nil {
			return m, err
		}
	}
	return nil, nil
}

func mismatch(path, format string, args ...any) *Mismatch {
	return &Mismatch{Path: path, Slot: -1, Problem: fmt.Sprintf(format, args...)}
}

// find is the path of a place that a record names.
func (r *roots) find(p place) (string, *Mismatch, error) {
	path, ok := r.path(p)
	if !ok {
		return "", mismatch(p.path, "the world has no root %q", p.root), nil
	}
	err := r.checkLinks(p)
	if errors.Is(err, ErrSymlink) {
		return "", mismatch(path, "%v", err), nil
	}
	return path, nil, err
}

func (r *roots) checkFile(f *fileChange) (*Mismatch, error) {
	path, m, err := r.find(f.at)
	if m != nil || err != nil {
		return m, err
	}
	s, m, err := r.checkFinal(path, f)
	if m != nil || err != nil || f.removes() || s == f.new {
		return m, err
	}
	temporary, _ := r.path(f.at.beside(f.temporary))
	if _, there, err := stateAmong(r.fs, temporary, f.new); err != nil || there {
		return nil, err
	}
	return mismatch(temporary, "the new %s is neither here nor in its place", f.at.base()), nil
}

// checkFinal checks that the file at its final name is as it was or as the
// epoch leaves it, and says as which.
func (r *roots) checkFinal(path string, f *fileChange) (state, *Mismatch, error) {
	s, known, err := stateAmong(r.fs, path, f.old, f.new)
	if err != nil || known {
		return s, nil, err
	}
	return s, mismatch(path, "is %v; before the epoch it was %v, after it %v", s, f.old, f.new), nil
}

func (r *roots) checkRegion(c *regionChange) (*Mismatch, error) {
	path, m, err := r.find(c.at)
	if m != nil || err != nil {
		return m, err
	}
	s, _, err := sizeOf(r.fs, path)
	switch {
	case errors.Is(err, ErrSymlink), errors.Is(err, errIrregular):
		return mismatch(path, "%v", err), nil
	case err != nil:
		return nil, err
	case !s.present:
		return mismatch(path, "the region file is absent"), nil
	}
	f, err := r.fs.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if m, err := c.checkHeader(f, path); m != nil || err != nil {
		return m, err
	}
	return c.checkPayloads(f, path)
}

// checkHeader checks that named entries are old or new and the others as the
// epoch found them.
func (c *regionChange) checkHeader(f vfs.File, path string) (*Mismatch, error) {
	var h region.Header
	if _, err := readFull(f, h[:], 0); err != nil {
		return nil, err
	}
	next := c.entries
	for s := range region.Slot(region.Slots) {
		is, want := h.Entry(s), c.header.Entry(s)
		if len(next) > 0 && next[0].slot == s {
			// A torn header may have the new location and the old timestamp.
			e := next[0]
			next = next[1:]
			if (is.Location == e.old.Location || is.Location == e.new.Location) &&
				(is.Timestamp == e.old.Timestamp || is.Timestamp == e.new.Timestamp) {
				continue
			}
			return c.entryMismatch(path, s, "entry %v is neither the old %v nor the new %v", is, e.old, e.new), nil
		}
		if is != want {
			return c.entryMismatch(path, s, "entry is %v, the epoch left %v alone", is, want), nil
		}
	}
	return nil, nil
}

// checkPayloads checks the records that the header is about to name.
func (c *regionChange) checkPayloads(f vfs.File, path string) (*Mismatch, error) {
	buf := make([]byte, 0, region.SectorBytes)
	for _, e := range c.entries {
		if e.new.Empty() {
			continue
		}
		n := region.RecordHeaderBytes + int(e.stream)
		if cap(buf) < n {
			buf = make([]byte, n)
		}
		buf = buf[:n]
		at := int64(e.new.Location.Sector()) * region.SectorBytes
		got, err := readFull(f, buf, at)
		if err != nil {
			return nil, err
		}
		if got < n || xxhash.Sum64(buf) != e.sum {
			return c.entryMismatch(path, e.slot, "the payload at byte %d is not the one that was written", at), nil
		}
	}
	return nil, nil
}

func (c *regionChange) entryMismatch(path string, s region.Slot, format string, args ...any) *Mismatch {
	m := mismatch(path, format, args...)
	m.Slot = int(s)
	if p, ok := region.ParseName(c.at.base()); ok {
		m.Chunk = p.Chunk(s)
	}
	return m
}
