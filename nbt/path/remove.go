package path

import "strata/nbt"

// Remove removes all tags that the path leads to from root, a tag of e's
// document, and returns how many. With a member all others of its name go. The
// root itself cannot be removed: that is nbt.ErrPlace.
func (p Path) Remove(e *nbt.Edit, root nbt.Tag) (int, error) {
	s := setter{edit: e}
	if n := len(p.nodes); n == 0 || p.nodes[n-1].step == stepRoot {
		for tag := range p.Select(root) {
			e.Remove(tag)
		}
		return 0, s.result(p, "remove")
	}
	last := &p.nodes[len(p.nodes)-1]
	for parent := range (Path{p.nodes[:len(p.nodes)-1]}).Select(root) {
		s.remove(last, parent)
	}
	return s.changed, s.result(p, "remove")
}

// remove removes what the node selects in tag.
func (s *setter) remove(n *node, tag nbt.Tag) {
	if n.step == stepMember {
		if old := tag.Get(n.name); old.Exists() && n.matches(old) {
			s.edit.RemoveMember(tag, n.name)
			s.changed++
		}
		return
	}
	if !holdsItems(tag) {
		return
	}
	before := s.changed
	if n.step == stepIndex {
		if i := n.at(tag); 0 <= i && i < tag.Len() {
			s.edit.RemoveElement(tag, i)
			s.changed++
		}
	} else {
		for i, item := range tag.Items() {
			if n.matches(item) {
				s.edit.RemoveElement(tag, i)
				s.changed++
			}
		}
	}
	// A mixed list may lose the type that makes it one.
	if s.changed > before && !s.edit.Mixed && tag.Mixed() {
		s.err = ErrMixed
	}
}
