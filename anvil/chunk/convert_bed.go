package chunk

import (
	"bytes"

	"strata/nbt"
)

// bedType is the type of block entity that 26.2 does not have any more.
const bedType = "bed"

// isVanilla reports whether a name is one of the game's own namespace, which
// may be left out.
func isVanilla(name []byte, path string) bool {
	rest, _ := bytes.CutPrefix(name, []byte("minecraft:"))
	return string(rest) == path
}

// isBed reports whether a compound is, or describes, the block entity of a bed.
func isBed(compound []byte) bool {
	id := findMember(inside(compound), "id")
	return id.Type == nbt.TypeString && isVanilla(id.Data[2:], bedType)
}

// removeBeds removes the block entities of beds.
func removeBeds(c *Chunk) (bool, error) {
	list, err := c.elements(memberBlockEntities, nbt.TypeCompound)
	if err != nil {
		return false, err
	}
	var left [][]byte
	beds := 0
	for _, data := range list {
		if isBed(data) {
			beds++
		} else {
			left = append(left, data)
		}
	}
	if beds == 0 {
		return false, nil
	}
	return true, c.setList(memberBlockEntities, nbt.TypeCompound, left)
}

// removeBedData removes the component block_entity_data of items where it is of
// a bed. An item whose component has a type that the game does not know does not
// load. Items are in block entities and, while a chunk is not full, in its
// entities, at any depth: in other items, equipment, what spawners hold.
func removeBedData(c *Chunk) (bool, error) {
	changed := false
	for _, m := range [...]member{memberBlockEntities, memberEntities} {
		whole := c.members[m]
		if !bytes.Contains(whole, []byte("block_entity_data")) {
			continue
		}
		kind, payload := memberPayload(whole)
		f := finder{data: whole}
		f.value(len(whole)-len(payload), kind, false)
		if len(f.found) > 0 {
			c.members[m] = without(whole, f.found)
			c.revision++
			changed = true
		}
	}
	return changed, nil
}

// finder finds the components of a document that was checked before.
type finder struct {
	data  []byte
	found []span
}

// value looks through the payload at pos and returns its end.
func (f *finder) value(pos int, kind nbt.Type, components bool) int {
	switch kind {
	case nbt.TypeCompound:
		return f.compound(pos, components)
	case nbt.TypeList:
		elem, n := listHead(f.data, pos)
		if elem != nbt.TypeCompound && elem != nbt.TypeList {
			return skip(f.data, pos, kind)
		}
		pos += 5
		for range n {
			pos = f.value(pos, elem, false)
		}
		return pos
	}
	return skip(f.data, pos, kind)
}

// compound is value of a compound, which may be the components of an item.
func (f *finder) compound(pos int, components bool) int {
	for {
		kind, name, at := memberAt(f.data, pos)
		if kind == nbt.TypeEnd {
			return at
		}
		var end int
		switch {
		case isForeign(name):
			end = skip(f.data, at, kind)
		case components && kind == nbt.TypeCompound && isVanilla(name, "block_entity_data"):
			if end = skip(f.data, at, kind); isBed(f.data[at:end]) {
				f.found = append(f.found, span{pos, end})
			} else {
				f.value(at, kind, false)
			}
		default:
			end = f.value(at, kind, string(name) == "components")
		}
		pos = end
	}
}

// isForeign reports whether a member is somebody else's data, which the game
// does not look into.
func isForeign(name []byte) bool {
	return isVanilla(name, "custom_data") || string(name) == "PublicBukkitValues"
}

// without returns data with members cut out. Compounds do not tell their size,
// so nothing else has to follow.
func without(data []byte, cuts []span) []byte {
	left := make([]byte, 0, len(data)-total(cuts))
	from := 0
	for _, s := range cuts {
		left = append(left, data[from:s.from]...)
		from = s.to
	}
	return append(left, data[from:]...)
}
