package prune

import (
	"context"
	"errors"
	"io/fs"

	"strata/anvil/edit"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/region"
)

var kinds = [...]store.Kind{store.Chunks, store.Entities, store.POI}

// Bytes is the size of region files and external bodies.
func Bytes(l scan.Listing) (n int64) {
	for _, f := range l.Files {
		n += f.Bytes
	}
	for _, x := range l.External {
		n += x.Bytes
	}
	return n
}

// Sizes are the sizes of a world's region files and external bodies.
type Sizes struct {
	Before int64
	// After is what they will be when the chunks are removed and files compacted:
	// bodies in files of their own are counted as if they stayed. Loose is the
	// same without compacting.
	After, Loose int64

	holes []hole
}

// hole is a region file of which records go and others stay.
type hole struct {
	raw *store.Raw
	pos region.Pos
}

// Measure says what removing chunks does to the files of a listing.
func Measure(s *store.Store, l scan.Listing, chunks *edit.Picked) (*Sizes, error) {
	type key struct {
		dim  string
		kind store.Kind
		pos  region.Pos
	}
	files := map[key]int64{}
	for _, f := range l.Files {
		files[key{f.Dimension, f.Kind, f.Pos}] = f.Bytes
	}
	total := Bytes(l)
	sizes := &Sizes{total, total, total, nil}
	for _, at := range chunks.Regions() {
		for _, k := range kinds {
			raw, err := s.Raw(at.Dim, k)
			if err != nil {
				return nil, err
			}
			left, removed, err := sectors(raw, at.Pos, chunks.In(at))
			if err != nil {
				return nil, err
			}
			before := files[key{s.World().Dimensions[at.Dim].Name, k, at.Pos}]
			switch {
			case removed == 0:
			case left == 0:
				sizes.After -= before
				sizes.Loose -= before
			default:
				sizes.After -= max(0, before-region.HeaderBytes-left*region.SectorBytes)
				sizes.holes = append(sizes.holes, hole{raw, at.Pos})
			}
		}
	}
	return sizes, nil
}

// sectors counts those of the records that stay and of those that go.
func sectors(raw *store.Raw, at region.Pos, gone []region.ChunkPos) (left, removed int64, err error) {
	header, err := raw.Header(at)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	var going [region.Slots]bool
	for _, pos := range gone {
		going[pos.Slot()] = true
	}
	for slot := range region.Slot(region.Slots) {
		entry := header.Entry(slot)
		n := int64(entry.Location.Count())
		switch {
		case entry.Empty():
		case going[slot]:
			removed += max(n, 1)
		default:
			left += max(n, 1)
		}
	}
	return left, removed, nil
}

// Compact compacts the region files that chunks were removed from. What cannot
// be compacted stays as it is and is listed; only the end of ctx ends it.
func (z *Sizes) Compact(ctx context.Context) (failed []error, err error) {
	for _, h := range z.holes {
		if err := ctx.Err(); err != nil {
			return failed, err
		}
		if err := h.raw.Compact(h.pos); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	return failed, nil
}
