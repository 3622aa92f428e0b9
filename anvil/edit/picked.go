package edit

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"math/bits"
	"slices"

	"strata/anvil"
	"strata/anvil/query"
	"strata/anvil/store"
	"strata/region"
)

// Picked is a set of chunks of a world.
type Picked struct {
	Count   int64
	regions map[store.RegionRef]*[region.Slots / 64]uint64
}

// Pick picks the chunks that a query selects. w is the world that s is the store
// of. The errors are those of query.Select.
func Pick(ctx context.Context, w *anvil.World, s *store.Store, q *query.Query, o query.Options) (*Picked, *query.Result, error) {
	dims := map[string]store.Dim{}
	for i, d := range s.World().Dimensions {
		dims[d.Name] = store.Dim(i)
	}
	p := &Picked{regions: map[store.RegionRef]*[region.Slots / 64]uint64{}}
	r, err := query.Select(ctx, w, q, o, func(row *query.Row) error {
		d, ok := dims[row.Dimension]
		if !ok {
			return anvil.ErrNoDimension
		}
		p.Add(d, row.Pos())
		return nil
	})
	return p, r, err
}

// Add puts a chunk into the set.
func (p *Picked) Add(dim store.Dim, pos region.ChunkPos) {
	if p.regions == nil {
		p.regions = map[store.RegionRef]*[region.Slots / 64]uint64{}
	}
	at := store.RegionRef{Dim: dim, Pos: pos.Region()}
	words := p.regions[at]
	if words == nil {
		words = new([region.Slots / 64]uint64)
		p.regions[at] = words
	}
	slot := pos.Slot()
	if mask := uint64(1) << (slot % 64); words[slot/64]&mask == 0 {
		words[slot/64] |= mask
		p.Count++
	}
}

// Regions are the regions that chunks were picked from, sorted.
func (p *Picked) Regions() []store.RegionRef {
	all := make([]store.RegionRef, 0, len(p.regions))
	for at := range p.regions {
		all = append(all, at)
	}
	slices.SortFunc(all, func(a, b store.RegionRef) int {
		return cmp.Or(cmp.Compare(a.Dim, b.Dim), cmp.Compare(a.Pos.X, b.Pos.X), cmp.Compare(a.Pos.Z, b.Pos.Z))
	})
	return all
}

// In lists the chunks of a region, in the order of slots.
func (p *Picked) In(at store.RegionRef) []region.ChunkPos {
	var all []region.ChunkPos
	words := p.regions[at]
	if words == nil {
		return nil
	}
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			all = append(all, at.Pos.Chunk(region.Slot(i*64+bits.TrailingZeros64(w))))
		}
	}
	return all
}

// Refs are the records of kinds that there may be of the chunks, one region and
// kind after the other.
func (p *Picked) Refs(kinds ...store.Kind) iter.Seq[store.Ref] {
	return func(yield func(store.Ref) bool) {
		for _, at := range p.Regions() {
			chunks := p.In(at)
			for _, k := range kinds {
				for _, pos := range chunks {
					if !yield(store.Ref{Dim: at.Dim, Kind: k, Pos: pos}) {
						return
					}
				}
			}
		}
	}
}

// headerOf is the header of a region's file, all empty if there is none.
func headerOf(raw *store.Raw, p region.Pos) (*region.Header, error) {
	h, err := raw.Header(p)
	if errors.Is(err, fs.ErrNotExist) {
		return new(region.Header), nil
	}
	return h, err
}
