package path

import (
	"fmt"

	"strata/nbt"
)

// Merge merges a compound into all compounds that the path leads to from root,
// a tag of e's document: members that are compounds on both sides are merged,
// all others set. If the path leads nowhere the compound is made as [Path.Set]
// does. It returns how many compounds it changed. Another tag or value is
// ErrNotCompound.
func (p Path) Merge(e *nbt.Edit, root nbt.Tag, value nbt.Raw) (int, error) {
	if value.Type != nbt.TypeCompound {
		return 0, fmt.Errorf("path: merge %s: value: %w", p, ErrNotCompound)
	}
	tape, err := lastMembers(value)
	if err != nil {
		return 0, fmt.Errorf("path: merge %s: value: %w", p, err)
	}
	s := setter{edit: e}
	compounds := 0
	for tag := range p.Select(root) {
		s.found = true
		if tag.Type() != nbt.TypeCompound {
			s.err = ErrNotCompound
			break
		}
		before := s.changed
		s.merge(tag, tape.Root())
		if s.changed > before {
			compounds++
		}
	}
	if s.found {
		return compounds, s.result(p, "merge")
	}
	return p.Set(e, root, tape.Root().Raw(), true)
}

func (s *setter) merge(into, from nbt.Tag) {
	for key, member := range from.Members() {
		name := string(nbt.AppendUTF8(nil, key))
		old := into.Get(name)
		if old.Type() == nbt.TypeCompound && member.Type() == nbt.TypeCompound {
			s.merge(old, member)
			continue
		}
		value := member.Raw()
		s.put(old, value, func() { s.edit.Set(into, name, value) })
	}
}
