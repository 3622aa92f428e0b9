package chunk

import (
	"encoding/binary"
	"math/bits"

	"strata/anvil/block"
	"strata/nbt"
)

// entryCache remembers which state a palette entry is, by its bytes.
type entryCache struct {
	slots []cachedEntry
	pairs []block.Pair
}

type cachedEntry struct {
	key   []byte
	state block.State
}

const (
	entrySlotBits  = 12
	entrySlots     = 1 << entrySlotBits
	maxCachedEntry = 512
)

// state returns the state of the palette entry whose payload begins at pos,
// and where it ends.
func (e *entryCache) state(t *Tables, data []byte, pos int) (state block.State, end int, err error) {
	end = skipEntry(data, pos)
	entry := data[pos:end]
	if e.slots == nil {
		e.slots = make([]cachedEntry, entrySlots)
	}
	slot := &e.slots[entrySlot(entry)]
	if string(slot.key) == string(entry) && slot.key != nil {
		return slot.state, end, nil
	}
	state, err = e.resolve(t, entry)
	if err == nil && len(entry) <= maxCachedEntry {
		slot.key, slot.state = append(slot.key[:0], entry...), state
	}
	return state, end, err
}

// entrySlot hashes an entry, eight bytes at a time. Entries that meet in a
// slot cost time and nothing else.
func entrySlot(entry []byte) uint64 {
	const odd = 0x9E3779B97F4A7C15
	h := uint64(len(entry))
	for b := entry; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64((h^binary.LittleEndian.Uint64(b))*odd, 31)
	}
	if n := len(entry); n >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(entry[n-8:])) * odd
	}
	return h >> (64 - entrySlotBits)
}

// skipEntry is skip for a compound, quicker for one of strings and of
// compounds of strings.
func skipEntry(data []byte, pos int) int {
	for depth := 1; ; {
		kind := nbt.Type(data[pos])
		if kind == nbt.TypeEnd {
			pos++
			if depth--; depth == 0 {
				return pos
			}
			continue
		}
		pos += 3 + int(binary.BigEndian.Uint16(data[pos+1:]))
		switch kind {
		case nbt.TypeString:
			pos += 2 + int(binary.BigEndian.Uint16(data[pos:]))
		case nbt.TypeCompound:
			depth++
		default:
			pos = skip(data, pos, kind)
		}
	}
}

// resolve reads an entry that is not in the cache.
func (e *entryCache) resolve(t *Tables, entry []byte) (block.State, error) {
	var name []byte
	var properties span
	exact := true
	for pos := 0; ; {
		kind, key, at := memberAt(entry, pos)
		if kind == nbt.TypeEnd {
			break
		}
		end := skip(entry, at, kind)
		switch {
		case kind == nbt.TypeString && string(key) == "Name":
			exact = exact && name == nil
			name = entry[at+2 : end]
		case kind == nbt.TypeCompound && string(key) == "Properties":
			exact = exact && properties.len() == 0
			properties = span{at, end}
		default:
			exact = false
		}
		pos = end
	}
	e.pairs = e.pairs[:0]
	if properties.len() > 0 {
		exact = e.readPairs(entry[properties.from:properties.to]) && exact
	}
	if exact && name != nil {
		if state, ok := block.Resolve(name, e.pairs); ok {
			return state, nil
		}
	}
	return t.States.Intern(entry, name, e.pairs)
}

// readPairs reads properties and reports whether all are strings.
func (e *entryCache) readPairs(compound []byte) bool {
	exact := true
	for pos := 0; ; {
		kind, key, at := memberAt(compound, pos)
		if kind == nbt.TypeEnd {
			return exact
		}
		end := skip(compound, at, kind)
		if kind == nbt.TypeString {
			e.pairs = append(e.pairs, block.Pair{Key: key, Value: compound[at+2 : end]})
		} else {
			exact = false
		}
		pos = end
	}
}
