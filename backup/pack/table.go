package pack

import "encoding/binary"

// ref is an object of a pack: of the pack's place in Store.packs, and its own in
// the pack's index.
type ref struct{ pack, object uint32 }

// table finds objects by their IDs. There may be several of one ID. It holds no
// pointers, which is what keeps a million objects cheap.
type table struct {
	slots []uint32 // place in refs and one, 0: empty
	refs  []ref
}

func hashOf(id *ID) uint64 { return binary.LittleEndian.Uint64(id[:]) }

// add adds an object, whose ID idOf gives, as it does for all others.
func (t *table) add(r ref, idOf func(ref) ID) {
	if 4*len(t.refs) >= 3*len(t.slots) {
		t.grow(idOf)
	}
	t.refs = append(t.refs, r)
	id := idOf(r)
	t.place(&id, uint32(len(t.refs)))
}

func (t *table) place(id *ID, n uint32) {
	mask := uint64(len(t.slots) - 1)
	i := hashOf(id) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = n
}

func (t *table) grow(idOf func(ref) ID) {
	t.slots = make([]uint32, max(1024, 2*len(t.slots)))
	for i, r := range t.refs {
		id := idOf(r)
		t.place(&id, uint32(i+1))
	}
}

// prefix calls f with each object whose ID begins so until it returns true.
func (t *table) prefix(begin [PrefixBytes]byte, idOf func(ref) ID, f func(ref) bool) bool {
	if len(t.slots) == 0 {
		return false
	}
	var id ID
	copy(id[:], begin[:])
	mask := uint64(len(t.slots) - 1)
	for i := hashOf(&id) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		r := t.refs[t.slots[i]-1]
		if at := idOf(r); [PrefixBytes]byte(at[:]) == begin && f(r) {
			return true
		}
	}
	return false
}

// find calls f with each object of that ID until it returns true.
func (t *table) find(id ID, idOf func(ref) ID, f func(ref) bool) bool {
	if len(t.slots) == 0 {
		return false
	}
	mask := uint64(len(t.slots) - 1)
	for i := hashOf(&id) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		r := t.refs[t.slots[i]-1]
		if idOf(r) == id && f(r) {
			return true
		}
	}
	return false
}
