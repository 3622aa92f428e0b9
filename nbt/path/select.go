package path

import (
	"iter"

	"strata/nbt"
)

// Select returns all tags that the path leads to from root, in the order of
// the document.
func (p Path) Select(root nbt.Tag) iter.Seq[nbt.Tag] {
	return func(yield func(nbt.Tag) bool) {
		if root.Exists() {
			follow(p.nodes, root, yield)
		}
	}
}

// First returns the first tag that the path leads to, one that does not exist
// if there is none.
func (p Path) First(root nbt.Tag) nbt.Tag {
	for tag := range p.Select(root) {
		return tag
	}
	return nbt.Tag{}
}

// Count returns how many tags the path leads to.
func (p Path) Count(root nbt.Tag) int {
	n := 0
	for range p.Select(root) {
		n++
	}
	return n
}

// follow yields what the nodes lead to from tag, until yield returns false.
func follow(nodes []node, tag nbt.Tag, yield func(nbt.Tag) bool) bool {
	for i := range nodes {
		n := &nodes[i]
		switch n.step {
		case stepMember:
			tag = tag.Get(n.name)
		case stepIndex:
			tag = tag.Item(n.at(tag))
		case stepRoot:
		case stepItems, stepMatch:
			if !holdsItems(tag) {
				return true
			}
			for _, item := range tag.Items() {
				if n.matches(item) && !follow(nodes[i+1:], item, yield) {
					return false
				}
			}
			return true
		}
		if !tag.Exists() || !n.matches(tag) {
			return true
		}
	}
	return yield(tag)
}

// at returns the node's index in a list or array, counted from its start. It
// may be outside.
func (n *node) at(list nbt.Tag) int {
	if n.index < 0 && holdsItems(list) {
		return n.index + list.Len()
	}
	return n.index
}

func holdsItems(tag nbt.Tag) bool { return tag.Type() == nbt.TypeList || tag.Type().Array() }
