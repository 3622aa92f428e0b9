package tree

// The red-black trees of long buckets. Their shape shows in the order of a
// bucket: a new node follows its parent in the list, and the root is moved to
// the front. Nodes are sorted by hash; those of equal hashes, which the game
// sorts by where they are in memory, do not occur in sets as small as a tree's.

// growTree makes a tree of the nodes of a bucket, in their order.
func (s *hashSet) growTree(bucket int) {
	root := int32(none)
	for n := s.heads[bucket]; n != none; n = s.nodes[n].next {
		at := &s.nodes[n]
		at.parent, at.left, at.right, at.red = none, none, none, false
		if root == none {
			root = n
			continue
		}
		s.attach(root, n)
		root = s.balanceAdded(root, n)
	}
	s.toFront(bucket, root)
}

// attach makes a node a leaf of the tree.
func (s *hashSet) attach(root, n int32) {
	parent := int32(none)
	left := false
	for at := root; at != none; {
		parent = at
		if left = int32(s.nodes[n].hash) <= int32(s.nodes[at].hash); left {
			at = s.nodes[at].left
		} else {
			at = s.nodes[at].right
		}
	}
	s.nodes[n].parent = parent
	if left {
		s.nodes[parent].left = n
	} else {
		s.nodes[parent].right = n
	}
}

// addToTree puts a new node into the tree of a bucket, and into its list behind
// the node that it is attached to.
func (s *hashSet) addToTree(bucket int, n int32) {
	root := s.rootOf(s.heads[bucket])
	s.attach(root, n)
	at := &s.nodes[n]
	before := at.parent
	at.treed, at.prev, at.next = true, before, s.nodes[before].next
	s.nodes[before].next = n
	if at.next != none {
		s.nodes[at.next].prev = n
	}
	s.toFront(bucket, s.balanceAdded(root, n))
}

func (s *hashSet) rootOf(n int32) int32 {
	for s.nodes[n].parent != none {
		n = s.nodes[n].parent
	}
	return n
}

// toFront moves the root of a bucket to the front of its list.
func (s *hashSet) toFront(bucket int, root int32) {
	first := s.heads[bucket]
	if root == none || root == first {
		return
	}
	before, after := s.nodes[root].prev, s.nodes[root].next
	if after != none {
		s.nodes[after].prev = before
	}
	if before != none {
		s.nodes[before].next = after
	}
	s.nodes[first].prev = root
	s.nodes[root].next, s.nodes[root].prev = first, none
	s.heads[bucket] = root
}

// rotate turns the tree at a node, its right child coming up, or its left one
// if leftUp, and returns the root.
func (s *hashSet) rotate(root, n int32, leftUp bool) int32 {
	at := &s.nodes[n]
	up := at.right
	if leftUp {
		up = at.left
	}
	above := at.parent
	inner := s.nodes[up].left
	if leftUp {
		inner = s.nodes[up].right
		at.left, s.nodes[up].right = inner, n
	} else {
		at.right, s.nodes[up].left = inner, n
	}
	if inner != none {
		s.nodes[inner].parent = n
	}
	s.nodes[up].parent, at.parent = above, up
	return s.replaceChild(root, above, n, up)
}

// replaceChild puts a node in the place of a child; it is the root if there is
// no parent.
func (s *hashSet) replaceChild(root, parent, old, by int32) int32 {
	switch {
	case parent == none:
		return by
	case s.nodes[parent].left == old:
		s.nodes[parent].left = by
	default:
		s.nodes[parent].right = by
	}
	return root
}

// balanceAdded colours and turns the tree after a node was attached.
func (s *hashSet) balanceAdded(root, n int32) int32 {
	s.nodes[n].red = true
	for {
		parent := s.nodes[n].parent
		if parent == none {
			s.nodes[n].red = false
			return n
		}
		above := s.nodes[parent].parent
		if !s.nodes[parent].red || above == none {
			return root
		}
		onLeft := s.nodes[above].left == parent
		uncle := s.nodes[above].left
		if onLeft {
			uncle = s.nodes[above].right
		}
		if uncle != none && s.nodes[uncle].red {
			s.nodes[uncle].red, s.nodes[parent].red, s.nodes[above].red = false, false, true
			n = above
			continue
		}
		if inner := (s.nodes[parent].left == n) != onLeft; inner {
			root = s.rotate(root, parent, !onLeft)
			n, parent = parent, n
		}
		s.nodes[parent].red = false
		s.nodes[above].red = true
		root = s.rotate(root, above, onLeft)
	}
}

// removeFromTree takes a node that has left the list out of the tree.
func (s *hashSet) removeFromTree(n int32) {
	root := s.rootOf(n)
	at := &s.nodes[n]
	if at.left != none && at.right != none {
		root = s.swapWithNext(root, n)
	}
	child := at.left
	if child == none {
		child = at.right
	}
	black := !at.red
	if child != none {
		s.nodes[child].parent = at.parent
		root = s.replaceChild(root, at.parent, n, child)
		if at.parent == none {
			s.nodes[child].red = false
			return
		}
		if black {
			s.balanceRemoved(root, child)
		}
		return
	}
	if black {
		root = s.balanceRemoved(root, n)
	}
	s.replaceChild(root, at.parent, n, none)
}

// swapWithNext lets a node and the one that is next by hash change places in
// the tree.
func (s *hashSet) swapWithNext(root, n int32) int32 {
	at := &s.nodes[n]
	follower := at.right
	for s.nodes[follower].left != none {
		follower = s.nodes[follower].left
	}
	f := &s.nodes[follower]
	at.red, f.red = f.red, at.red
	root = s.replaceChild(root, at.parent, n, follower)
	above, right := f.parent, f.right
	f.parent = at.parent
	f.left = at.left
	s.nodes[f.left].parent = follower
	if above == n {
		f.right, at.parent = n, follower
	} else {
		f.right = at.right
		s.nodes[f.right].parent = follower
		at.parent = above
		s.nodes[above].left = n
	}
	at.left, at.right = none, right
	if right != none {
		s.nodes[right].parent = n
	}
	return root
}

// isRed reports whether there is a node and it is red.
func (s *hashSet) isRed(n int32) bool { return n != none && s.nodes[n].red }

// balanceRemoved makes up for a black node that is missing above n.
func (s *hashSet) balanceRemoved(root, n int32) int32 {
	for n != root {
		if s.nodes[n].red {
			s.nodes[n].red = false
			return root
		}
		parent := s.nodes[n].parent
		onLeft := s.nodes[parent].left == n
		other := s.sibling(parent, onLeft)
		if s.isRed(other) {
			s.nodes[other].red, s.nodes[parent].red = false, true
			root = s.rotate(root, parent, !onLeft)
			other = s.sibling(parent, onLeft)
		}
		if other == none {
			n = parent
			continue
		}
		near, far := s.nodes[other].left, s.nodes[other].right
		if !onLeft {
			near, far = far, near
		}
		if !s.isRed(near) && !s.isRed(far) {
			s.nodes[other].red = true
			n = parent
			continue
		}
		if !s.isRed(far) {
			s.nodes[near].red, s.nodes[other].red = false, true
			root = s.rotate(root, other, onLeft)
			other = s.sibling(parent, onLeft)
			far = s.nodes[other].right
			if !onLeft {
				far = s.nodes[other].left
			}
		}
		s.nodes[other].red, s.nodes[parent].red = s.nodes[parent].red, false
		if far != none {
			s.nodes[far].red = false
		}
		return s.rotate(root, parent, !onLeft)
	}
	s.nodes[n].red = false
	return root
}

func (s *hashSet) sibling(parent int32, onLeft bool) int32 {
	if onLeft {
		return s.nodes[parent].right
	}
	return s.nodes[parent].left
}
