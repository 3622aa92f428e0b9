package nbt

import "encoding/binary"

const (
	// internedBytes is the longest string that is looked up among those seen
	// before; names of blocks and biomes have 10 to 50 bytes.
	internedBytes = 64
	internedSlots = 1024
	// copyBlock is how many bytes small copies of raw tags share: one that
	// stays alive keeps at most so many.
	copyBlock  = 2048
	copyShared = 128
)

// interned is a string that was seen before, and an any that holds it.
type interned struct {
	text  string
	boxed any
}

// copy returns a copy of a view that the caller may keep, or the view itself
// if that is wished.
func (d *reader) copy(b []byte) []byte {
	n := len(b)
	switch {
	case d.views:
		return b[:n:n]
	case n > copyShared:
		return append(make([]byte, 0, n), b...)
	case n > len(d.block):
		d.block = make([]byte, copyBlock)
	}
	c := d.block[:n:n]
	d.block = d.block[n:]
	copy(c, b)
	return c
}

// text returns a string in modified UTF-8 as a Go string, the same one for
// short strings that were seen before.
func (d *reader) text(b []byte) string {
	if len(b) > internedBytes || len(b) == 0 {
		return text(b)
	}
	slot := &d.strings[hashName(b)%internedSlots]
	if slot.text == string(b) {
		return slot.text
	}
	s := text(b)
	if s == string(b) { // otherwise it does not stand for these bytes
		*slot = interned{text: s}
	}
	return s
}

// boxed is text in an any, also the same one.
func (d *reader) boxed(b []byte) any {
	if len(b) > internedBytes || len(b) == 0 {
		return text(b)
	}
	slot := &d.strings[hashName(b)%internedSlots]
	if slot.boxed != nil && slot.text == string(b) {
		return slot.boxed
	}
	s := d.text(b)
	if slot.text == string(b) {
		slot.boxed = s
		return slot.boxed
	}
	return s
}

// hashName mixes all bytes of a name, eight at a time.
func hashName(b []byte) uint32 {
	const prime = 0x9E3779B97F4A7C15
	h := uint64(len(b)) * prime
	for len(b) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(b)) * prime
		h ^= h >> 29
		b = b[8:]
	}
	var last uint64
	switch {
	case len(b) >= 4:
		last = uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[len(b)-4:]))<<32
	case len(b) > 0:
		last = uint64(b[0]) | uint64(b[len(b)/2])<<8 | uint64(b[len(b)-1])<<16
	}
	h = (h ^ last) * prime
	return uint32(h >> 40)
}
