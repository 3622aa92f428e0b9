package path

import "strata/nbt"

// Append appends values to all lists and arrays that the path leads to from
// root, as [Path.Insert] does.
func (p Path) Append(e *nbt.Edit, root nbt.Tag, values ...nbt.Raw) (int, error) {
	return p.Insert(e, root, -1, values...)
}

// Prepend inserts values at the start of all lists and arrays that the path
// leads to from root, as [Path.Insert] does.
func (p Path) Prepend(e *nbt.Edit, root nbt.Tag, values ...nbt.Raw) (int, error) {
	return p.Insert(e, root, 0, values...)
}

// Insert inserts values, in their order, into all lists and arrays that the
// path leads to from root, a tag of e's document: before the item of that
// index; an index below zero counts from the end, -1 being the end itself. If
// the path leads nowhere a list is made as [Path.Set] does. It returns how many
// lists and arrays it changed. An index that is not in a list is nbt.ErrPlace,
// another tag ErrNotList.
func (p Path) Insert(e *nbt.Edit, root nbt.Tag, index int, values ...nbt.Raw) (int, error) {
	if len(values) == 0 {
		return 0, e.Err()
	}
	s := setter{edit: e}
	for list := range p.Select(root) {
		s.found = true
		s.insert(list, index, values)
		if s.err != nil || e.Err() != nil {
			return s.changed, s.result(p, "insert")
		}
	}
	if s.found {
		return s.changed, nil
	}
	list, err := listOf(e.Mixed, values)
	if err != nil {
		return 0, err
	}
	return p.Set(e, root, list, true)
}

func (s *setter) insert(list nbt.Tag, index int, values []nbt.Raw) {
	switch {
	case !holdsItems(list):
		s.err = ErrNotList
		return
	case list.Mixed() && !s.edit.Mixed:
		s.err = ErrMixed
		return
	}
	if index < 0 {
		index += list.Len() + 1
	}
	for _, value := range values {
		s.edit.Insert(list, index, itemOf(s.edit, list, value))
	}
	s.changed++
}

// listOf makes a list of values.
func listOf(mixed bool, values []nbt.Raw) (nbt.Raw, error) {
	tape, err := tapeOf(nbt.Raw{Type: nbt.TypeList, Data: make([]byte, 5)})
	if err != nil {
		return nbt.Raw{}, err
	}
	edit := tape.Edit()
	edit.Mixed = mixed
	for _, value := range values {
		edit.Append(tape.Root(), value)
	}
	document, err := edit.AppendTo(nil)
	if err != nil {
		return nbt.Raw{}, err
	}
	return nbt.Raw{Type: nbt.TypeList, Data: document[1:]}, nil
}
