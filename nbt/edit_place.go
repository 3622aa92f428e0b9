package nbt

// place is a container on the way to a tag, and where in it the way went on.
type place struct {
	home Tag
	at   uint32 // entry of the member or element, 0 before the first
}

// cursor is an element of a list that was looked up, from where the ones after
// it are quicker to reach than from the start.
type cursor struct {
	list uint32 // its payload, 0 for none
	i    int
	at   uint32 // entry of the element
}

// locate finds the container that holds the tag with its payload at off, and
// how many it is nested in: none and 0 for the root. It goes on from where it
// was the last time, so that many tags one after another cost little.
func (e *Edit) locate(off uint32) (home Tag, depth int) {
	if off == e.tape.payload {
		return Tag{}, 0
	}
	for n := len(e.trail); n > 0 && !e.trail[n-1].home.holds(off); n-- {
		e.trail = e.trail[:n-1]
	}
	if len(e.trail) == 0 {
		e.trail = append(e.trail, place{home: e.tape.Root()})
	}
	for {
		p := &e.trail[len(e.trail)-1]
		child, _ := p.seek(off)
		if child.off == off {
			return p.home, len(e.trail)
		}
		e.trail = append(e.trail, place{home: child})
	}
}

// path returns the path of the tag with its payload at off.
func (e *Edit) path(off uint32) string {
	var path []byte
	for at := e.tape.Root(); at.off != off; {
		p := place{home: at}
		child, i := p.seek(off)
		if at.kind == TypeCompound {
			path = appendPathMember(path, memberName(e.tape.data, int(e.tape.entries[child.index].off)))
		} else {
			path = appendPathIndex(path, i)
		}
		at = child
	}
	return string(path)
}

// holds reports whether the payload at off is within the container.
func (t Tag) holds(off uint32) bool {
	entries := t.tape.entries
	next := entries[t.index].next
	return t.off < off && (int(next) == len(entries) || off < entries[next].off)
}

// seek returns the member or item that is or holds the payload at off, and its
// index from where it began to look.
func (p *place) seek(off uint32) (Tag, int) {
	t := p.home
	if t.kind.Array() {
		i := int(off-t.off-4) >> elementShift[t.kind]
		return t.number(i), i
	}
	if size := numberSize[t.Elem()]; size != 0 {
		i := int(off-t.off-5) / int(size)
		return t.At(i), i
	}
	entries := t.tape.entries
	if p.at == 0 || entries[p.at].off > off {
		p.at = t.index + 1
	}
	i, end := 0, entries[t.index].next
	for next := entries[p.at].next; next < end && entries[next].off <= off; next = entries[p.at].next {
		p.at = next
		i++
	}
	if t.kind == TypeCompound {
		return t.tape.member(p.at), i
	}
	return Tag{t.tape, p.at, entries[p.at].off, t.Elem()}, i
}

// span returns where an element that exists begins and ends.
func (e *Edit) span(list Tag, i int) (from, to uint32) {
	var tag Tag
	switch {
	case list.kind.Array():
		tag = list.number(i)
	case numberSize[list.Elem()] != 0:
		tag = list.At(i)
	default:
		entries := e.tape.entries
		if e.last.list != list.off || e.last.i > i {
			e.last = cursor{list: list.off, at: list.index + 1}
		}
		for ; e.last.i < i; e.last.i++ {
			e.last.at = entries[e.last.at].next
		}
		tag = Tag{e.tape, e.last.at, entries[e.last.at].off, list.Elem()}
	}
	return tag.off, tag.last()
}

// last returns where the payload ends, found through the tape: members and
// elements are stepped over, and only the last of them is looked into.
func (t Tag) last() uint32 {
	ends := uint32(0) // of compounds
	entries := t.tape.entries
	for t.index != noEntry && entries[t.index].next > t.index+1 {
		at := t.index + 1
		for next := entries[at].next; next < entries[t.index].next; next = entries[at].next {
			at = next
		}
		if t.kind == TypeCompound {
			ends++
			t = t.tape.member(at)
		} else {
			t = Tag{t.tape, at, entries[at].off, t.Elem()}
		}
	}
	return uint32(t.end()) + ends
}
