package registry

import (
	"iter"
	"slices"
)

// Enum is a numbering that is no registry. Numbers may have gaps. It is
// immutable; a nil Enum is empty.
type Enum struct {
	names []string // by number, sorted
	ids   []int32
}

// EnumOf returns an enum, or nil if there is none of that name. There are
// "chunk_status", "entity_event", "entity_pose", "level_event",
// "metadata_type", "scoreboard_display_slot" and "sound_category"; names in
// them are in lower case, without namespace.
func EnumOf(name string, v Version) *Enum { return of(v).rules().enums[name] }

// ID returns the number of a name.
func (e *Enum) ID(name string) (int32, bool) {
	if e == nil {
		return 0, false
	}
	if i := slices.Index(e.names, name); i >= 0 {
		return e.ids[i], true
	}
	return 0, false
}

// Name returns the name of a number.
func (e *Enum) Name(id int32) (string, bool) {
	if e == nil {
		return "", false
	}
	if i, ok := slices.BinarySearch(e.ids, id); ok {
		return e.names[i], true
	}
	return "", false
}

// Len returns how many names there are.
func (e *Enum) Len() int {
	if e == nil {
		return 0
	}
	return len(e.ids)
}

// All returns numbers and names, by number.
func (e *Enum) All() iter.Seq2[int32, string] {
	return func(yield func(int32, string) bool) {
		for i := range e.Len() {
			if !yield(e.ids[i], e.names[i]) {
				return
			}
		}
	}
}

// decodeEnums reads n enums: name, m pairs of name and number, sorted by
// number.
func decodeEnums(d *decoder) map[string]*Enum {
	n := d.count()
	enums := make(map[string]*Enum, n)
	for range n {
		name := d.string()
		e := &Enum{names: make([]string, d.count())}
		e.ids = make([]int32, len(e.names))
		for i := range e.names {
			e.names[i], e.ids[i] = d.string(), d.int32()
		}
		if !slices.IsSorted(e.ids) {
			d.fail("enum %s is not sorted", name)
		}
		enums[name] = e
	}
	return enums
}
