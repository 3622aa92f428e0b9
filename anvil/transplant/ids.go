package transplant

import (
	"encoding/binary"
	"strings"

	"github.com/cespare/xxhash/v2"

	"strata/nbt"
)

// ID is a UUID, the most significant byte first.
type ID [16]byte

// IDs gives the entities of a copy UUIDs of their own: always the same ones for
// the same move. What refers to an entity that is copied refers to the copy;
// players and others keep theirs.
type IDs struct {
	move  Move
	known map[ID]ID
}

// NewIDs makes an empty set for a move.
func NewIDs(m Move) *IDs { return &IDs{m, map[ID]ID{}} }

// Add adds an entity that is copied.
func (ids *IDs) Add(id ID) {
	if _, known := ids.known[id]; !known {
		ids.known[id] = ids.derive(id)
	}
}

// Of is the new UUID of an entity, false if it is not copied.
func (ids *IDs) Of(id ID) (ID, bool) {
	to, ok := ids.known[id]
	return to, ok
}

func (ids *IDs) derive(id ID) ID {
	seed := append([]byte(nil), id[:]...)
	seed = binary.BigEndian.AppendUint32(seed, uint32(ids.move.X))
	seed = binary.BigEndian.AppendUint32(seed, uint32(ids.move.Z))
	seed = append(seed, ids.move.From+" "+ids.move.To...)
	var to ID
	binary.BigEndian.PutUint64(to[:], xxhash.Sum64(seed))
	binary.BigEndian.PutUint64(to[8:], xxhash.Sum64(append(seed, 1)))
	to[6] = to[6]&0x0f | 0x40 // version 4, as the game makes them
	to[8] = to[8]&0x3f | 0x80
	return to
}

// collect adds the entities of a document: of an entity chunk, or of a chunk.
func (ids *IDs) collect(root nbt.Tag) {
	if level := root.Get("Level"); level.Type() == nbt.TypeCompound {
		root = level
	}
	each(root.Get("Entities"), ids.entity)
	each(root.Get("entities"), ids.entity)
}

func (ids *IDs) entity(t nbt.Tag) {
	if ints, ok := t.Get("UUID").IntArray(); ok && ints.Len() == 4 {
		ids.Add(ID(ints.Bytes()))
	}
	if most, least := t.Get("UUIDMost"), t.Get("UUIDLeast"); most.Type() == nbt.TypeLong && least.Type() == nbt.TypeLong {
		ids.Add(pair(most, least))
	}
	each(t.Get("Passengers"), ids.entity)
}

// pair is a UUID in two longs, as it was before 1.16.
func pair(most, least nbt.Tag) (id ID) {
	a, _ := most.Int()
	b, _ := least.Int()
	binary.BigEndian.PutUint64(id[:], uint64(a))
	binary.BigEndian.PutUint64(id[8:], uint64(b))
	return id
}

// identities replaces the UUIDs of copied entities wherever they are: their own
// and those that others keep of them.
func (p *patcher) identities(t nbt.Tag) {
	switch t.Type() {
	case nbt.TypeIntArray:
		if ints, _ := t.IntArray(); ints.Len() == 4 {
			if to, ok := p.ids.Of(ID(ints.Bytes())); ok {
				copy(p.out[t.Offset()+4:], to[:])
			}
		}
	case nbt.TypeList:
		if !t.Elem().Numeric() {
			for _, e := range t.Elements() {
				p.identities(e)
			}
		}
	case nbt.TypeCompound:
		for name, member := range t.Members() {
			if stem, ok := strings.CutSuffix(string(name), "Most"); ok && member.Type() == nbt.TypeLong {
				p.halves(member, t.Get(stem+"Least"))
				continue
			}
			p.identities(member)
		}
	}
}

func (p *patcher) halves(most, least nbt.Tag) {
	if least.Type() != nbt.TypeLong {
		return
	}
	if to, ok := p.ids.Of(pair(most, least)); ok {
		copy(p.out[most.Offset():], to[:8])
		copy(p.out[least.Offset():], to[8:])
	}
}
