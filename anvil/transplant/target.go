package transplant

import (
	"fmt"

	"strata/anvil"
	"strata/anvil/edit"
	"strata/anvil/store"
)

// Targets are the chunks that Copy would write to, with the same arguments:
// places outside of the world are left out, Copy says which. The error may wrap
// ErrDimension.
func Targets(from, to *store.Store, p *edit.Picked, o Options) (*edit.Picked, error) {
	c := &copier{from: from, to: to, o: o, routes: map[store.Dim]*route{}}
	if err := c.plan(p); err != nil {
		return nil, err
	}
	targets := &edit.Picked{}
	for ref := range p.Refs(store.Chunks) {
		r := c.routes[ref.Dim]
		pos, err := r.move.Pos(ref.Pos)
		if err != nil {
			continue
		}
		there := false
		for _, k := range kinds {
			e, err := entry(to, store.Ref{Dim: r.dim, Kind: k, Pos: pos})
			if err != nil {
				return nil, err
			}
			there = there || !e.Empty()
		}
		if o.Overwrite || !there {
			targets.Add(r.dim, pos)
		}
	}
	return targets, nil
}

// CheckHeights refuses to copy chunks into a dimension of another id that has
// other heights, or of which nobody knows them. The error wraps ErrHeight.
func CheckHeights(src, dst *anvil.World, from, to string) error {
	if from == to {
		return nil // of other versions they are raised by the game
	}
	a, err := src.Height(from)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrHeight, err)
	}
	b, err := dst.Height(to)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrHeight, err)
	}
	if a != b {
		return fmt.Errorf("%w: %s has %d blocks from %d on, %s %d from %d on", ErrHeight, from, a.Blocks, a.MinY, to, b.Blocks, b.MinY)
	}
	return nil
}
