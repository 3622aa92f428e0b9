package edit

import (
	"context"
	"errors"
	"fmt"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/nbt"
	"strata/region/codec"
)

// Document is the content of one record, to be looked at and edited. It belongs
// to one goroutine.
type Document struct {
	s *store.Store
	w worker
	r *record
	// from is what it said of its place when it was read.
	from place
}

// Read reads a record. ErrAbsent if there is none; else the errors are those of
// reading and decoding it, and ErrShape.
func Read(s *store.Store, ref store.Ref) (*Document, error) {
	d := &Document{s: s, w: worker{c: &changer{s: s}, encoders: map[codec.Scheme]*codec.Encoder{}}}
	r, err := d.w.read(ref)
	if err == nil && r == nil {
		err = ErrAbsent
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Describe(s, ref), err)
	}
	d.r, d.from = r, placeOf(r)
	return d, nil
}

// Root is the document's root. It holds until the next edit.
func (d *Document) Root() nbt.Tag { return d.r.tape.Root() }

// DataVersion is the version of the game that wrote the document.
func (d *Document) DataVersion() int32 { return d.r.version }

// Changed reports whether edits have made another document of it.
func (d *Document) Changed() bool { return d.r.changed }

// Edit calls f with an edit and the root, and makes what it does the document.
// It returns what f returns. ErrPosition and ErrVersion if the document would say
// that it is elsewhere or of another version; it must not be used then.
func (d *Document) Edit(f func(e *nbt.Edit, root nbt.Tag) (int, error)) (int, error) {
	n, err := f(d.r.e(), d.r.tape.Root())
	if err == nil {
		err = d.r.apply()
	}
	if err == nil {
		err = d.from.check(d.r)
	}
	return n, err
}

// Write writes a document that has changed, after change has kept and committed
// the record; nothing if it has not changed.
func (d *Document) Write(ctx context.Context, change *undo.Change) error {
	out, changed, err := d.w.outcome(d.r)
	if err != nil || !changed {
		return err
	}
	if err := change.Keep(d.s.World().Dimensions[d.r.ref.Dim].Name, d.r.ref.Kind, d.r.ref.Pos); err != nil {
		return err
	}
	if err := change.Commit(); err != nil {
		return err
	}
	return d.w.c.writeOne(ctx, out)
}

// SetBlock sets a block of a chunk to a state, NAME or NAME[PROPERTY=VALUE,...],
// with what follows from it: a block entity of another block goes, heightmaps are
// computed, light is marked as not right. ErrVersion before 1.13, ErrAbsent if
// the chunk has no blocks at that height, ErrValue.
func (d *Document) SetBlock(pos chunk.BlockPos, state string) error {
	x := &replacement{}
	name, properties, err := parseState(state)
	if err != nil {
		return err
	}
	x.to = target{name: name, properties: properties}
	if err := x.to.check(); err != nil {
		return err
	}
	if err := d.r.setBlock(pos, &x.to); err != nil {
		return err
	}
	if err := d.r.apply(); err != nil {
		return err
	}
	f := &Fields{tables: chunk.NewTables}
	if err := f.follow(d.r); err != nil {
		return err
	}
	return d.r.apply()
}

// InvalidatePOI has the game look for points of interest again.
func (d *Document) InvalidatePOI() error { return invalidatePOI(d.r) }

// IsAbsent reports whether an error says that there is no such record.
func IsAbsent(err error) bool { return errors.Is(err, ErrAbsent) || errors.Is(err, store.ErrAbsent) }

// Describe names a record for people.
func Describe(s *store.Store, ref store.Ref) string {
	what := "chunk"
	switch ref.Kind {
	case store.Entities:
		what = "entities of chunk"
	case store.POI:
		what = "points of interest of chunk"
	}
	return fmt.Sprintf("%s %v of %s", what, ref.Pos, s.World().Dimensions[ref.Dim].Name)
}
