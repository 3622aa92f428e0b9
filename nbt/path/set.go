package path

import (
	"fmt"

	"strata/nbt"
)

// Set sets all tags that the path leads to from root, a tag of e's document,
// to a value, and returns how many it changed. Numbers set into arrays are
// converted to what these hold.
//
// With create, what is missing is made, as the game does: a member, the
// compounds and lists on the way to it, an element of an empty list ([]), and
// where no element of a list matches a filter ([{...}], not as the last node)
// one like the filter. Only an index, and a last node with a filter, must find
// something.
func (p Path) Set(e *nbt.Edit, root nbt.Tag, value nbt.Raw, create bool) (int, error) {
	s := setter{edit: e, value: value, create: create}
	if root.Exists() {
		s.follow(p.nodes, root)
	}
	return s.changed, s.result(p, "set")
}

// setter sets what nodes lead to.
type setter struct {
	edit    *nbt.Edit
	value   nbt.Raw
	create  bool
	found   bool // the nodes lead somewhere
	changed int
	err     error
}

// result returns what went wrong, in the setter or before in the edit.
func (s *setter) result(p Path, op string) error {
	if err := s.edit.Err(); err != nil {
		return err
	}
	if s.err != nil {
		return fmt.Errorf("path: %s %s: %w", op, p, s.err)
	}
	return nil
}

// follow sets what the nodes lead to from tag.
func (s *setter) follow(nodes []node, tag nbt.Tag) {
	if s.err != nil || s.edit.Err() != nil {
		return
	}
	if len(nodes) == 0 { // only the root comes here
		s.put(tag, s.value, func() { s.edit.Replace(tag, s.value) })
		return
	}
	n, rest := &nodes[0], nodes[1:]
	switch n.step {
	case stepRoot:
		if n.matches(tag) {
			s.follow(rest, tag)
		}
	case stepMember:
		s.member(n, rest, tag)
	case stepIndex:
		if i := n.at(tag); tag.Item(i).Exists() {
			s.item(rest, tag, i, tag.Item(i), tag.Mixed())
		}
	case stepItems, stepMatch:
		s.items(n, rest, tag)
	}
}

// put makes an edit that gives tag, which may not exist, a value.
func (s *setter) put(tag nbt.Tag, value nbt.Raw, edit func()) {
	s.found = true
	if !value.Exists() {
		s.err = nbt.ErrType
		return
	}
	if !same(tag, value) {
		s.changed++
		edit()
	}
}

func (s *setter) member(n *node, rest []node, tag nbt.Tag) {
	if tag.Type() != nbt.TypeCompound {
		return
	}
	old := tag.Get(n.name)
	switch {
	case old.Exists() && !n.matches(old):
	case old.Exists() && len(rest) > 0:
		s.follow(rest, old)
	case old.Exists() || len(rest) == 0 && s.create && !n.filter.Exists():
		s.put(old, s.value, func() { s.edit.Set(tag, n.name, s.value) })
	case len(rest) > 0 && s.create:
		if value, ok := s.made(n, rest); ok {
			s.put(old, value, func() { s.edit.Set(tag, n.name, value) })
		}
	}
}

func (s *setter) item(rest []node, list nbt.Tag, i int, item nbt.Tag, mixed bool) {
	if len(rest) > 0 {
		s.follow(rest, item)
		return
	}
	if mixed && !s.edit.Mixed {
		s.err = ErrMixed
		return
	}
	value := itemOf(s.edit, list, s.value)
	s.put(item, value, func() { s.edit.SetElement(list, i, value) })
}

func (s *setter) items(n *node, rest []node, list nbt.Tag) {
	if !holdsItems(list) || n.step == stepMatch && list.Type() != nbt.TypeList {
		return
	}
	mixed, none := list.Mixed(), true
	for i, item := range list.Items() {
		if n.matches(item) {
			none = false
			s.item(rest, list, i, item, mixed)
		}
	}
	switch {
	case !none || !s.create:
	case len(rest) > 0 && (n.step == stepMatch || list.Len() == 0):
		if value, ok := s.made(n, rest); ok {
			s.put(nbt.Tag{}, value, func() { s.edit.Append(list, value) })
		}
	case list.Len() == 0:
		value := itemOf(s.edit, list, s.value)
		s.put(nbt.Tag{}, value, func() { s.edit.Append(list, value) })
	}
}

// made returns a new value for a node that found nothing: what the node's
// filter says, else the empty compound or list that the next node needs, with
// the rest of the path set in it. It is false if the rest leads nowhere.
func (s *setter) made(n *node, rest []node) (nbt.Raw, bool) {
	value := nbt.Raw{Type: nbt.TypeCompound, Data: []byte{0}}
	switch {
	case n.filter.Exists():
		value = n.filter.Raw()
	case rest[0].step != stepMember:
		value = nbt.Raw{Type: nbt.TypeList, Data: make([]byte, 5)}
	}
	tape, err := tapeOf(value)
	if err != nil {
		s.err = err
		return nbt.Raw{}, false
	}
	inner := setter{edit: tape.Edit(), value: s.value, create: true}
	inner.edit.Mixed = s.edit.Mixed
	inner.follow(rest, tape.Root())
	document, err := inner.edit.AppendTo(nil)
	if err == nil {
		err = inner.err
	}
	if err != nil {
		s.err = err
		return nbt.Raw{}, false
	}
	return nbt.Raw{Type: value.Type, Data: document[1:]}, inner.found
}
