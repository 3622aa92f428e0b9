package prune

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/edit"
	"strata/anvil/query"
	"strata/anvil/store"
	"strata/region"
)

// Plan is the decision for a world.
type Plan struct {
	// Looked are the chunks that were looked at.
	Looked int64 `json:"looked_at"`
	Decided
	Dimensions []Dimension `json:"decided"`
	// Chunks are those to remove.
	Chunks *edit.Picked `json:"-"`
	// Result is that of the query.
	Result *query.Result `json:"-"`
	// Blind are files without which nobody knows what is to be protected:
	// players, tickets.
	Blind []anvil.Failed `json:"-"`
}

// Dimension is the decision for a dimension.
type Dimension struct {
	Name   string `json:"name"`
	Looked int64  `json:"looked_at"`
	Decided
	Inhabited *Histogram `json:"inhabited"`
}

// Decide decides which of the chunks that a query picks may go. w is the world
// that s is the store of. The errors are those of query.Select, and ErrRules.
func Decide(ctx context.Context, w *anvil.World, s *store.Store, q *query.Query, o query.Options, rules Rules) (*Plan, error) {
	if err := rules.check(); err != nil {
		return nil, err
	}
	d := &deciding{w: w, rules: rules, areas: map[string]*area{}, p: &Plan{Dimensions: []Dimension{}, Chunks: &edit.Picked{}}}
	if err := d.look(ctx, o); err != nil {
		return nil, err
	}
	d.addSpawn()
	var err error
	d.p.Result, err = query.Select(ctx, w, q, o, func(row *query.Row) error {
		d.area(row.Dimension).flags.Add(row.Pos(), Picked)
		return nil
	})
	if err != nil {
		return nil, err
	}
	// What could be read a moment ago and now cannot is not to be believed.
	d.failed(d.p.Result.Failed)
	d.decide(s)
	return d.p, nil
}

type deciding struct {
	w     *anvil.World
	rules Rules
	areas map[string]*area
	p     *Plan
}

// area is what is known of a dimension.
type area struct {
	flags  Map
	points set // to protect with what is around them
	looked int64
	ticks  Histogram
}

func (d *deciding) area(dimension string) *area {
	a := d.areas[dimension]
	if a == nil {
		a = &area{points: set{}}
		d.areas[dimension] = a
	}
	return a
}

// look looks at all chunks for what the rules need.
func (d *deciding) look(ctx context.Context, o query.Options) error {
	all, err := query.Compile("", d.rules.columns()...)
	if err != nil {
		return err
	}
	o.Selection = nil
	result, err := query.Select(ctx, d.w, all, o, func(row *query.Row) error {
		a := d.area(row.Dimension)
		a.looked++
		flags := flagsOf(row)
		if d.rules.protects(row) {
			flags |= Protected
		}
		if d.rules.point(row) {
			a.points.add(row.Pos())
		}
		a.flags.Add(row.Pos(), flags)
		if row.Readable && flags&Decorated != 0 && chunk.ParseStatus(row.Status) >= chunk.StatusFull {
			a.ticks.add(int64(row.Inhabited))
		}
		return nil
	})
	if err != nil {
		return err
	}
	d.failed(result.Failed)
	return nil
}

// addSpawn protects what is around the spawn, whose own chunk may be absent.
func (d *deciding) addSpawn() {
	spawn, ok := d.w.Level().Spawn()
	if !ok || !d.rules.Spawn {
		return
	}
	if spawn.Dimension == "" {
		spawn.Dimension = anvil.Overworld
	}
	if a := d.areas[spawn.Dimension]; a != nil {
		a.points.add(region.ChunkPos{X: spawn.X >> 4, Z: spawn.Z >> 4})
	}
}

// flagsOf says what a chunk's status tells.
func flagsOf(row *query.Row) Flags {
	switch status := chunk.ParseStatus(row.Status); {
	case !row.Readable || status == chunk.StatusUnknown || status >= chunk.StatusFeatures:
		return Decorated | Touched
	case status >= chunk.StatusCarvers:
		return Touched
	default:
		return 0
	}
}

// failed protects region files that could not be read, and sets aside what else
// could not be.
func (d *deciding) failed(list []anvil.Failed) {
	folders := map[string]string{}
	for _, dim := range d.w.Dimensions() {
		folders[filepath.Clean(dim.Region)] = dim.ID
	}
	for _, f := range list {
		dim, isFolder := folders[filepath.Dir(filepath.Clean(f.Path))]
		pos, isRegion := region.ParseName(filepath.Base(f.Path))
		switch {
		case isFolder && isRegion:
			d.area(dim).flags.AddRegion(pos, Protected|Decorated)
		case !slices.ContainsFunc(d.p.Blind, func(b anvil.Failed) bool { return b.Path == f.Path }):
			d.p.Blind = append(d.p.Blind, f)
		}
	}
}

func (d *deciding) decide(s *store.Store) {
	for i, dim := range s.World().Dimensions {
		a := d.areas[dim.Name]
		if a == nil {
			continue
		}
		a.ticks.finish()
		a.points.grow(d.rules.Radius)
		for at, words := range a.points {
			for slot := range region.Slot(region.Slots) {
				if words[slot/64]&(1<<(slot%64)) != 0 {
					a.flags.Add(at.Chunk(slot), Protected)
				}
			}
		}
		decided := a.flags.Decide(d.rules.Margin, func(pos region.ChunkPos) { d.p.Chunks.Add(store.Dim(i), pos) })
		d.p.Dimensions = append(d.p.Dimensions, Dimension{dim.Name, a.looked, decided, &a.ticks})
		d.p.Looked += a.looked
		d.p.Picked += decided.Picked
		d.p.Protected += decided.Protected
		d.p.Margin += decided.Margin
		d.p.Remove += decided.Remove
	}
	slices.SortFunc(d.p.Dimensions, func(a, b Dimension) int { return cmp.Compare(a.Name, b.Name) })
}
