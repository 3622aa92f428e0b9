package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"strata/anvil"
	"strata/anvil/store"
	"strata/region"
	"strata/region/codec"
)

// chunksInPlace replaces the chunks of a rectangle, with their entities and points
// of interest, through the store: each is the old or the new one, whenever it is
// killed.
func (x *restorer) chunksInPlace(ctx context.Context, names []string, keep keeper) (err error) {
	x.rep.To = x.InPlace
	dir, err := resolveWorld(x.FS, x.InPlace)
	if err != nil {
		return err
	}
	there, err := x.lockedBefore(ctx, dir, keep)
	if err != nil {
		return err
	}
	a, err := anvil.Open(dir, anvil.Options{FS: x.FS})
	if err != nil {
		return err
	}
	w, err := store.WorldOf(a, x.Scope.Dimension)
	if err != nil {
		return err
	}
	var s *store.Store
	if x.DryRun {
		s, err = store.OpenRead(w, store.Options{Memory: 16 << 20})
	} else {
		s, err = store.Open(w, store.Options{Memory: 16 << 20})
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	dim := slices.IndexFunc(w.Dimensions, func(d store.Dimension) bool { return d.Name == x.Scope.Dimension })
	if dim < 0 {
		return fmt.Errorf("%s: %w", x.Scope.Dimension, anvil.ErrNoDimension)
	}
	for _, kind := range folderKinds {
		raw, err := s.Raw(store.Dim(dim), kind)
		if err != nil {
			return err
		}
		r := &chunkSwap{x: x, raw: raw, kind: kind, base: filepath.Base(dir)}
		if err := r.run(ctx, names, there); err != nil {
			return err
		}
	}
	return nil
}

// lockedBefore is before with the world locked meanwhile.
func (x *restorer) lockedBefore(ctx context.Context, dir string, keep keeper) (_ map[string]*entry, err error) {
	if x.DryRun {
		return x.before(ctx, dir, nil, keep)
	}
	l, err := x.hold(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	if err := recoverSwap(x.FS, dir); err != nil {
		return nil, err
	}
	return x.before(ctx, dir, l, keep)
}

// chunkSwap replaces records of one kind.
type chunkSwap struct {
	x    *restorer
	raw  *store.Raw
	kind store.Kind
	base string

	buf    []byte
	object []byte
}

// run goes through the regions that the snapshot or the world has.
func (r *chunkSwap) run(ctx context.Context, names []string, there map[string]*entry) error {
	wanted := map[region.Pos]string{}
	regions := map[region.Pos]bool{}
	for _, n := range names {
		e := r.x.files[n]
		if pos, ok := regionOf(n); ok && e.region != nil && e.record == r.kind && e.dimension == r.x.Scope.Dimension {
			wanted[pos], regions[pos] = n, true
		}
	}
	scope := scopeOf(r.x.Scope, there)
	for n, e := range there {
		if pos, ok := regionOf(n); ok && e.region != nil && e.record == r.kind && scope.has(n, e) {
			regions[pos] = true
		}
	}
	order := make([]region.Pos, 0, len(regions))
	for pos := range regions {
		order = append(order, pos)
	}
	slices.SortFunc(order, func(a, b region.Pos) int { return slices.Compare([]int32{a.Z, a.X}, []int32{b.Z, b.X}) })
	for _, pos := range order {
		if err := r.region(ctx, pos, wanted[pos]); err != nil {
			return err
		}
	}
	return nil
}

// region replaces the records of one region file; name is "" if the snapshot has
// none.
func (r *chunkSwap) region(ctx context.Context, pos region.Pos, name string) error {
	x := r.x
	header, err := r.raw.Header(pos)
	if errors.Is(err, fs.ErrNotExist) {
		header, err = &region.Header{}, nil
	}
	if err != nil {
		return err
	}
	for s := range region.Slot(region.Slots) {
		c := pos.Chunk(s)
		if !x.Scope.Chunks.Contains(c) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var want slot
		var object []byte
		if name != "" {
			var err error
			want, object, err = x.chunk(name, x.files[name], s)
			if err != nil && !(x.Force && errors.Is(err, ErrDamaged)) {
				return fmt.Errorf("restore chunk %v: %w", c, err)
			}
			if err != nil || !want.entry.Empty() && object == nil {
				x.lost(name, x.files[name], &c)
				continue // what is there stays
			}
		}
		if err := r.chunk(ctx, c, header.Entry(s), want, object); err != nil {
			return fmt.Errorf("restore %s of chunk %v: %w", r.kind, c, err)
		}
	}
	return nil
}

// chunk replaces one record, whose entry is old; a nil object is none.
func (r *chunkSwap) chunk(ctx context.Context, c region.ChunkPos, old region.Entry, want slot, object []byte) error {
	x := r.x
	rec, err := r.raw.Read(c, r.buf)
	absent := errors.Is(err, store.ErrAbsent)
	if err == nil {
		r.buf = rec.Buffer()
		r.object = append(append(r.object[:0], byte(rec.Scheme)), rec.Data...)
		if object != nil && bytes.Equal(r.object, object) && rec.Entry.Timestamp == want.entry.Timestamp {
			x.rep.Same++
			return nil
		}
	}
	switch {
	case absent && object == nil:
		return nil
	case object == nil:
		x.rep.Removed++
		if x.DryRun {
			x.planChunk("remove", r.kind, c, 0)
			return nil
		}
		return r.raw.Delete(ctx, c, old)
	}
	x.rep.Bytes += int64(len(object))
	if r.kind == store.Chunks {
		x.rep.Chunks++
	}
	if x.DryRun {
		x.planChunk("write", r.kind, c, int64(len(object)))
		return nil
	}
	stamp := want.entry.Timestamp
	return r.raw.Replace(ctx, c, store.RawWrite{
		Old: old, Record: region.Record{Scheme: codec.Scheme(object[0]), Data: object[1:]}, Overwrite: true, Timestamp: &stamp,
	})
}

func (x *restorer) planChunk(action string, kind store.Kind, c region.ChunkPos, bytes int64) {
	x.rep.Changes = append(x.rep.Changes, Planned{Action: action, Path: kind.String(), Bytes: bytes, Chunk: &c})
}
