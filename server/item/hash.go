package item

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
	"unicode/utf16"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/protocol"
)

// The tags by which the game marks values in what it hashes.
const (
	hashMapStart = iota + 2
	hashMapEnd
	hashListStart
	hashListEnd
	hashByte
	hashShort
	hashInt
	hashLong
	hashFloat
	hashDouble
	hashString
	hashBool
	hashBytesStart
	hashBytesEnd
	hashIntsStart
	hashIntsEnd
	hashLongsStart
	hashLongsEnd
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// hashValue returns the hash of a value in the canonical form: that of NBT, and
// bool. Numbers are little-endian; maps are sorted by the hashes of their keys.
func hashValue(v any) uint32 {
	var b [9]byte
	switch v := v.(type) {
	case bool:
		b[0] = hashBool
		if v {
			b[1] = 1
		}
		return crc32.Checksum(b[:2], castagnoli)
	case int8:
		return crc32.Checksum(append(b[:0], hashByte, byte(v)), castagnoli)
	case int16:
		return crc32.Checksum(binary.LittleEndian.AppendUint16(append(b[:0], hashShort), uint16(v)), castagnoli)
	case int32:
		return crc32.Checksum(binary.LittleEndian.AppendUint32(append(b[:0], hashInt), uint32(v)), castagnoli)
	case int64:
		return crc32.Checksum(binary.LittleEndian.AppendUint64(append(b[:0], hashLong), uint64(v)), castagnoli)
	case float32:
		return crc32.Checksum(binary.LittleEndian.AppendUint32(append(b[:0], hashFloat), math.Float32bits(v)), castagnoli)
	case float64:
		return crc32.Checksum(binary.LittleEndian.AppendUint64(append(b[:0], hashDouble), math.Float64bits(v)), castagnoli)
	case string:
		return hashText(v)
	}
	return hashMany(v)
}

// hashText hashes a string by its UTF-16 units.
func hashText(s string) uint32 {
	units := utf16.Encode([]rune(s))
	data := binary.LittleEndian.AppendUint32([]byte{hashString}, uint32(len(units)))
	for _, u := range units {
		data = binary.LittleEndian.AppendUint16(data, u)
	}
	return crc32.Checksum(data, castagnoli)
}

func hashMany(v any) uint32 {
	var data []byte
	switch v := v.(type) {
	case []byte:
		data = append(append([]byte{hashBytesStart}, v...), hashBytesEnd)
	case []int32:
		data = []byte{hashIntsStart}
		for _, n := range v {
			data = binary.LittleEndian.AppendUint32(data, uint32(n))
		}
		data = append(data, hashIntsEnd)
	case []int64:
		data = []byte{hashLongsStart}
		for _, n := range v {
			data = binary.LittleEndian.AppendUint64(data, uint64(n))
		}
		data = append(data, hashLongsEnd)
	case nbt.List:
		data = []byte{hashListStart}
		for _, e := range v.Items {
			data = binary.LittleEndian.AppendUint32(data, hashValue(e))
		}
		data = append(data, hashListEnd)
	case nbt.Compound:
		data = hashMap(v)
	}
	return crc32.Checksum(data, castagnoli)
}

func hashMap(c nbt.Compound) []byte {
	pairs := make([]uint64, 0, len(c))
	for i, m := range c {
		if last := c[i+1:]; slices.ContainsFunc(last, func(n nbt.Member) bool { return n.Name == m.Name }) {
			continue // hidden by a later one
		}
		pairs = append(pairs, uint64(hashText(m.Name))<<32|uint64(hashValue(m.Value)))
	}
	slices.Sort(pairs)
	data := []byte{hashMapStart}
	for _, p := range pairs {
		data = binary.LittleEndian.AppendUint32(data, uint32(p>>32))
		data = binary.LittleEndian.AppendUint32(data, uint32(p))
	}
	return append(data, hashMapEnd)
}

// hashComponent returns the hash of a component, false if it is not known.
func hashComponent(in protocol.Component, v registry.Version) (uint32, bool) {
	c := conv{version: v, canonical: true}
	value := encodeComponent(&c, in)
	return hashValue(value), !c.failed
}

// Hashed returns the stack as a client that was shown it says it.
func Hashed(s Stack, v registry.Version) protocol.Optional[protocol.HashedItem] {
	if s.Empty() {
		return protocol.Optional[protocol.HashedItem]{}
	}
	shown := show(s, v, 0)
	h := protocol.HashedItem{Item: shown.id, Count: s.Count}
	for _, added := range shown.added {
		hash, _ := hashComponent(added, v)
		h.Components = append(h.Components, protocol.HashedComponent{Type: added.Type, Hash: int32(hash)})
	}
	for _, removed := range shown.removed {
		h.RemoveComponents = append(h.RemoveComponents, protocol.RemovedComponent{Type: removed})
	}
	return protocol.Some(h)
}

// Matches reports whether a client's hashed stack is the one that it is shown of
// s. A hash that cannot be worked out does not match.
func Matches(h protocol.Optional[protocol.HashedItem], s Stack, v registry.Version) bool {
	if s.Empty() || !h.Present {
		return s.Empty() && !h.Present
	}
	want := Hashed(s, v).Value
	got := h.Value
	if got.Item != want.Item || got.Count != want.Count ||
		len(got.Components) != len(want.Components) || len(got.RemoveComponents) != len(want.RemoveComponents) {
		return false
	}
	for _, c := range got.Components {
		if !slices.Contains(want.Components, c) {
			return false
		}
	}
	for _, c := range got.RemoveComponents {
		if !slices.Contains(want.RemoveComponents, c) {
			return false
		}
	}
	return true
}
