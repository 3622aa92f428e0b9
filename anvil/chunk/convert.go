package chunk

import (
	"fmt"
	"slices"
)

// Step is what makes chunks of some DataVersions into ones of a later one.
type Step struct {
	From, Through int32 // the versions that it takes
	To            int32
	// Conversions are made in this order.
	Conversions []Conversion
}

// Conversion is one change of a [Step].
type Conversion struct {
	Name string // such as bed-block-entities
	// convert reports whether there was anything to change. It replaces members
	// of the chunk and never changes one in place.
	convert func(*Chunk) (bool, error)
}

// steps are in the order of their versions and do not overlap.
//
// From 26.1 to 26.2 the block entity bed went (26.2-snapshot-3, data pack
// version 102.0); the block of a bed tells all there is. Nothing else that a
// chunk holds was renamed or removed: the reports of 26.1.2 and 26.2 agree in
// all blocks and properties, items, entities, biomes, structure pieces, statuses
// and fluids of 26.1.2, which a test checks.
var steps = []Step{
	{From: 4786, Through: 4902, To: 4903, Conversions: []Conversion{
		{"bed-block-entities", removeBeds},
		{"bed-item-data", removeBedData},
	}},
}

// Steps lists the conversions that there are.
func Steps() []Step {
	all := slices.Clone(steps)
	for i := range all {
		all[i].Conversions = slices.Clone(all[i].Conversions)
	}
	return all
}

// CheckRaise reports whether there are steps that lead from one DataVersion to
// another. The error is a [*RaiseError].
func CheckRaise(from, to int32) error {
	_, err := path(from, to)
	return err
}

// path finds the steps from one version to another.
func path(from, to int32) ([]*Step, error) {
	var found []*Step
	for v := from; v != to; {
		i := slices.IndexFunc(steps, func(s Step) bool { return s.From <= v && v <= s.Through })
		if i < 0 {
			return nil, &RaiseError{From: from, To: to}
		}
		found, v = append(found, &steps[i]), steps[i].To
	}
	return found, nil
}

// Raise makes the chunk one of a later DataVersion, by the conversions of
// [Steps], and returns the names of those that found something to change. It is
// the only way to change the DataVersion of a chunk. The error is a
// [*RaiseError] if there are no steps to that version, or ErrType if the chunk
// has a member that cannot be converted; the chunk is then as it was.
func (c *Chunk) Raise(to int32) (applied []string, err error) {
	found, err := path(c.dataVersion, to)
	if err != nil {
		return nil, fmt.Errorf("raise chunk %v: %w", c.pos, err)
	}
	before := *c
	for _, s := range found {
		for _, v := range s.Conversions {
			changed, err := v.convert(c)
			if err != nil {
				*c = before
				return nil, fmt.Errorf("raise chunk %v to DataVersion %d: %s: %w", c.pos, s.To, v.Name, err)
			}
			if changed {
				applied = append(applied, v.Name)
			}
		}
		c.dataVersion = s.To
		c.revision++
	}
	return applied, nil
}

// RaiseError says that no list of conversions leads from one DataVersion to
// another. It wraps [ErrNoConversion].
type RaiseError struct{ From, To int32 }

func (e *RaiseError) Error() string {
	return fmt.Sprintf("from DataVersion %d to %d: %v", e.From, e.To, ErrNoConversion)
}

// Unwrap returns ErrNoConversion.
func (e *RaiseError) Unwrap() error { return ErrNoConversion }
