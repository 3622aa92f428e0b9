package backup

import (
	"context"
	"errors"
	"slices"
	"time"

	"strata/anvil"
	"strata/anvil/diff"
	"strata/anvil/store"
	"strata/backup/pack"
	"strata/region"
	"strata/region/codec"
)

// Blame implements Repository.
func (r *repo) Blame(ctx context.Context, o BlameOptions) (_ []BlameEntry, err error) {
	j, err := r.begin(reading)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.end()) }()
	all, err := r.all(ctx)
	if err != nil {
		return nil, err
	}
	b := &blamer{o: o, look: j.look}
	return b.run(ctx, all)
}

// seen is what a snapshot has of a record of a chunk.
type seen struct {
	entry region.Entry
	id    pack.ID // zero: unreadable, or none
	last  uint64  // see slot
	// object returns the scheme and the stream.
	object func() ([]byte, error)
}

func (s *seen) there() bool { return !s.entry.Empty() }

// look finds a record in a snapshot.
func (j *job) look(rec *record, dimension string, c region.ChunkPos, kind store.Kind) (seen, error) {
	_, files, err := j.files(rec)
	if err != nil {
		return seen{}, err
	}
	_, e := recordOf(files, dimension, kind, c.Region())
	if e == nil {
		return seen{}, nil
	}
	t, err := j.table(e.region.table)
	if err != nil {
		return seen{}, err
	}
	value, ok := t.Find(slotKey(c.Slot()))
	if !ok {
		return seen{}, nil
	}
	all, err := j.slots([]tableRow{{Key: slotKey(c.Slot()), Value: value}})
	if err != nil {
		return seen{}, err
	}
	x := all[c.Slot()]
	return seen{x.entry, x.id, x.last, func() ([]byte, error) { return j.record(&x, nil) }}, nil
}

// blamer goes through the snapshots of a world.
type blamer struct {
	o    BlameOptions
	look func(*record, string, region.ChunkPos, store.Kind) (seen, error)

	decoder codec.Decoder
	ignore  *diff.Ignore // of chunks
}

func (b *blamer) run(ctx context.Context, all []*record) (_ []BlameEntry, err error) {
	if b.ignore, err = diff.ParseIgnore("LastUpdate", "InhabitedTime"); err != nil {
		return nil, err
	}
	if b.o.Dimension == "" {
		b.o.Dimension = anvil.Overworld
	}
	if b.o.World == "" {
		for _, rec := range slices.Backward(all) {
			if rec.Err == nil {
				b.o.World = rec.World
				break
			}
		}
	}
	var list []BlameEntry
	var before [3]seen
	first := true
	for _, rec := range all {
		if rec.Err != nil || rec.World != b.o.World {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var now [3]seen
		var classes [3]diff.Class
		for i, kind := range folderKinds {
			var err error
			if now[i], err = b.look(rec, b.o.Dimension, b.o.Chunk, kind); err != nil {
				return nil, err
			}
			classes[i] = b.class(&before[i], &now[i], kind)
		}
		class := jointClass(classes)
		if class > diff.Equal || first && class != diff.Absent {
			e := BlameEntry{Snapshot: rec.ID, Time: rec.Time, Class: class}
			if t := now[0].entry.Timestamp; t != 0 {
				e.Stamp = time.Unix(int64(t), 0).UTC()
			}
			list = append(list, e)
		}
		before, first = now, false
	}
	slices.Reverse(list)
	return list, nil
}

// jointClass is the class of a chunk with records of these classes: as package
// diff has it.
func jointClass(records [3]diff.Class) diff.Class {
	if own := records[0]; own == diff.Created || own == diff.Deleted {
		return own
	}
	class := diff.Absent
	for _, c := range records {
		if records[0] != diff.Absent && (c == diff.Created || c == diff.Deleted) {
			c = diff.Modified
		}
		class = max(class, c)
	}
	return class
}

// class says how a record differs from what it was.
func (b *blamer) class(old, now *seen, kind store.Kind) diff.Class {
	switch {
	case !old.there() && !now.there():
		return diff.Absent
	case !old.there():
		return diff.Created
	case !now.there():
		return diff.Deleted
	case old.id == now.id && old.last == now.last && !now.id.IsZero():
		switch {
		case old.entry == now.entry:
			return diff.Equal
		case old.entry.Timestamp == now.entry.Timestamp:
			return diff.Moved
		}
		return diff.Touched
	case old.id.IsZero() || now.id.IsZero():
		return diff.Unreadable
	}
	a, err := b.document(old)
	c, cerr := b.document(now)
	if err != nil || cerr != nil {
		return diff.Unreadable
	}
	o := diff.Options{Paths: -1, Blocks: -1}
	if kind == store.Chunks {
		o.Ignore = b.ignore
	}
	d, err := diff.Documents(a, c, o)
	switch {
	case err != nil:
		return diff.Unreadable
	case d.Changes > 0:
		return diff.Modified
	}
	return diff.Touched
}

// maxDocument is the longest document that is looked into.
const maxDocument = 256 << 20

func (b *blamer) document(s *seen) ([]byte, error) {
	object, err := s.object()
	if err != nil {
		return nil, err
	}
	return b.decoder.Append(nil, codec.Scheme(object[0]), object[1:], maxDocument)
}
