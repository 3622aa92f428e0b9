package backup

import (
	"context"
	"encoding/hex"
	"errors"
	"maps"
	"slices"

	"strata/anvil/store"
	"strata/backup/pack"
	"strata/backup/source"
	"strata/region"
)

// walker goes through everything that snapshots need. What several need it looks
// at once.
type walker struct {
	objects
	// bad are objects that are there and damaged.
	bad map[pack.ID]struct{}
	// live are the objects that were met.
	live   map[pack.ID]struct{}
	tables map[pack.ID]*walkedTable
	files  map[pack.ID]bool // contents: whether all of it is there
}

// walkedTable is a region's table.
type walkedTable struct {
	ok   bool
	lost []region.Slot // records that are not there
}

func newWalker(o objects, bad map[pack.ID]struct{}) *walker {
	return &walker{objects: o, bad: bad, live: map[pack.ID]struct{}{}, tables: map[pack.ID]*walkedTable{}, files: map[pack.ID]bool{}}
}

// has notes that an object is needed and reports whether it is there.
func (w *walker) has(id pack.ID) bool {
	w.live[id] = struct{}{}
	_, bad := w.bad[id]
	return !bad && w.store.Has(id)
}

// chain notes the pieces of a table.
func (w *walker) chain(ids [][32]byte) {
	for _, id := range ids {
		w.live[pack.ID(id)] = struct{}{}
	}
}

// snapshot goes through a snapshot and calls lost with what is not there. The
// error wraps ErrDamaged if the snapshot's own table is.
func (w *walker) snapshot(ctx context.Context, rec *record, lost func(Lost)) error {
	var id pack.ID
	if n, err := hex.Decode(id[:], []byte(rec.Root)); err == nil && n == len(id) {
		w.live[id] = struct{}{}
	}
	t, files, err := w.objects.files(rec)
	if err != nil {
		return err
	}
	w.chain(t.Chain)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.file(ctx, rec, name, files[name], lost); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) file(ctx context.Context, rec *record, name string, e *entry, lost func(Lost)) error {
	l := Lost{Snapshot: rec.ID, Path: name, Dimension: e.dimension}
	if e.kind == source.Folder {
		return nil
	}
	if e.region == nil {
		ok, err := w.content(ctx, e.data)
		if err == nil && !ok {
			lost(l)
		}
		return err
	}
	t, err := w.region(e.region.table)
	if err != nil {
		return err
	}
	if !t.ok {
		lost(l)
		return nil
	}
	pos, _ := regionOf(name)
	for _, s := range t.lost {
		c := pos.Chunk(s)
		l := l
		l.Chunk = &c
		lost(l)
	}
	ok, err := w.content(ctx, e.region.rest)
	if err == nil && !ok {
		lost(l)
	}
	return err
}

// content goes through the parts of a file.
func (w *walker) content(ctx context.Context, c content) (bool, error) {
	if c.id.IsZero() {
		return true, ctx.Err()
	}
	if ok, known := w.files[c.id]; known {
		return ok, nil
	}
	ok := true
	err := w.each(ctx, c, func(id pack.ID) { ok = w.has(id) && ok })
	if errors.Is(err, ErrDamaged) {
		ok, err = false, nil
	}
	w.files[c.id] = ok
	return ok, err
}

// region goes through the records of a region file.
func (w *walker) region(id pack.ID) (*walkedTable, error) {
	if t := w.tables[id]; t != nil {
		return t, nil
	}
	w.live[id] = struct{}{}
	out := &walkedTable{}
	w.tables[id] = out
	t, err := w.table(id)
	if errors.Is(err, ErrDamaged) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	w.chain(t.Chain)
	all, err := w.slots(t.Rows)
	if err != nil {
		return out, nil //nolint:nilerr // it is lost, which is what out says
	}
	out.ok = true
	for s := range all {
		if all[s].readable() && !w.has(all[s].id) {
			out.lost = append(out.lost, region.Slot(s))
		}
	}
	return out, nil
}

// recordOf finds the region file that a chunk's record is in.
func recordOf(files map[string]*entry, dimension string, kind store.Kind, pos region.Pos) (string, *entry) {
	for name, e := range files {
		if e.region == nil || e.dimension != dimension || e.record != kind {
			continue
		}
		if p, ok := regionOf(name); ok && p == pos {
			return name, e
		}
	}
	return "", nil
}
