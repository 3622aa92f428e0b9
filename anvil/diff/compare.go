package diff

import (
	"cmp"
	"context"
	"slices"

	"strata/anvil"
	"strata/anvil/scan"
	"strata/anvil/store"
)

// Compare compares all region files of two sides and calls each, which may be
// nil, with every region that one of them has, by dimension and position. Regions
// are each's to keep. What cannot be read is in the Result, and the rest goes on.
// The error is ErrKinds, each's or ctx's.
func Compare(ctx context.Context, a, b *Side, o Options, each func(*Region) error) (*Result, error) {
	if err := sameKinds(a, b); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	sum := newSummer(a, b)
	read := func(ctx context.Context, _ *scan.Reader, f scan.File) (*Region, error) {
		w := workers.Get().(*worker)
		defer func() {
			w.trim()
			workers.Put(w)
		}()
		w.o, w.a, w.b = &o, a, b
		return w.region(ctx, f.Dimension, f.Pos)
	}
	err := scan.Run(ctx, regionsOf(a, b), o.Workers, read, func(_ scan.File, r *Region, err error) error {
		if err != nil {
			return err
		}
		sum.add(r)
		if o.Progress != nil {
			o.Progress(r.bytes)
		}
		if each == nil {
			return nil
		}
		return each(r)
	})
	return sum.result(), err
}

// regionsOf lists the regions that one of the sides has: each as the file of one
// of its kinds.
func regionsOf(a, b *Side) []scan.File {
	order := map[string]int{}
	for _, id := range slices.Concat(a.order, b.order) {
		if _, known := order[id]; !known {
			order[id] = len(order)
		}
	}
	seen := map[place]bool{}
	var all []scan.File
	for _, side := range []*Side{a, b} {
		for at, f := range side.files {
			at.kind = store.Chunks
			if !seen[at] {
				seen[at] = true
				all = append(all, f)
			}
		}
	}
	slices.SortFunc(all, func(a, b scan.File) int {
		return cmp.Or(cmp.Compare(order[a.Dimension], order[b.Dimension]), cmp.Compare(a.Pos.Z, b.Pos.Z), cmp.Compare(a.Pos.X, b.Pos.X))
	})
	return all
}

// summer adds regions up.
type summer struct {
	r        *Result
	at       map[string]int
	patterns map[string]int64
	blocks   map[[2]string]int64
	biomes   map[[2]string]int64
}

func newSummer(a, b *Side) *summer {
	s := &summer{
		r:  &Result{Dimensions: []DimensionResult{}, Failed: append(append([]anvil.Failed{}, a.failed...), b.failed...)},
		at: map[string]int{}, patterns: map[string]int64{}, blocks: map[[2]string]int64{}, biomes: map[[2]string]int64{},
	}
	for _, id := range slices.Concat(a.order, b.order) {
		if _, known := s.at[id]; !known {
			s.at[id] = len(s.r.Dimensions)
			s.r.Dimensions = append(s.r.Dimensions, DimensionResult{Name: id})
		}
	}
	return s
}

func (s *summer) add(r *Region) {
	d := &s.r.Dimensions[s.at[r.Dimension]]
	for _, class := range r.Classes {
		d.Add(class, 1)
		s.r.Add(class, 1)
	}
	for k, sums := range map[store.Kind][2]*Counts{
		store.Chunks: {&d.Region, &s.r.Region}, store.Entities: {&d.Entities, &s.r.Entities}, store.POI: {&d.POI, &s.r.POI},
	} {
		sums[0].addAll(&r.Kinds[k])
		sums[1].addAll(&r.Kinds[k])
	}
	s.r.Reencoded += r.Reencoded
	s.r.Failed = append(s.r.Failed, r.failed...)
	addCounts(s.patterns, r.Patterns, otherPattern)
	for i := range r.Chunks {
		for _, one := range []*Record{r.Chunks[i].Region, r.Chunks[i].Entities, r.Chunks[i].POI} {
			if one == nil {
				continue
			}
			s.r.Blocks += one.Blocks
			s.r.Biomes += one.Biomes
			s.r.Objects += one.Objects
			addExchanges(s.blocks, one.BlockKinds)
			addExchanges(s.biomes, one.BiomeKinds)
		}
	}
}

// addCounts adds counts, of which maxPatterns are kept apart.
func addCounts[K comparable](to, from map[K]int64, other K) {
	for key, n := range from {
		if _, known := to[key]; !known && len(to) >= maxPatterns {
			key = other
		}
		to[key] += n
	}
}

func addExchanges(to map[[2]string]int64, from []Exchange) {
	for _, e := range from {
		addCounts(to, map[[2]string]int64{{e.Old, e.New}: e.Count}, [2]string{"(other)", "(other)"})
	}
}

func (s *summer) result() *Result {
	s.r.Paths = []PathCount{}
	for path, n := range s.patterns {
		s.r.Paths = append(s.r.Paths, PathCount{path, n})
	}
	slices.SortFunc(s.r.Paths, func(a, b PathCount) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Path, b.Path)) })
	s.r.BlockKinds, s.r.BiomeKinds = exchangesOf(s.blocks), exchangesOf(s.biomes)
	return s.r
}

func exchangesOf(counts map[[2]string]int64) []Exchange {
	all := []Exchange{}
	for pair, n := range counts {
		all = append(all, Exchange{pair[0], pair[1], n})
	}
	sortExchanges(all)
	return all
}
