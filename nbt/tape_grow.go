package nbt

import (
	"encoding/binary"
	"strconv"
)

// grow returns the entries with room for more than the n in use, at most
// limit. Room grows with the entries that were read, never by what a document
// claims.
func (t *Tape) grow(n, limit int) []entry {
	grown := make([]entry, min(max(2*n, 1024), limit))
	copy(grown, t.entries[:cap(t.entries)][:n])
	t.entries = grown
	return grown
}

// growFrames doubles the room for open containers: its length stays a power of
// two.
func (t *Tape) growFrames() []frame {
	t.frames = append(t.frames, make([]frame, len(t.frames))...)
	return t.frames
}

// pathAt returns the path of the tag that begins at at, within the open
// containers.
func (t *Tape) pathAt(data []byte, open []frame, at int, list bool) string {
	var path []byte
	for i := range open {
		child := at
		if i+1 < len(open) {
			child = int(t.entries[open[i+1].entry].off)
		} else if !list {
			if at+3 > len(data) || at+3+int(binary.BigEndian.Uint16(data[at+1:])) > len(data) {
				break // no name to read
			}
		}
		if open[i].kind == TypeList {
			path = append(path, '[')
			path = strconv.AppendUint(path, uint64(open[i].count-open[i].remain-1), 10)
			path = append(path, ']')
			continue
		}
		if len(path) > 0 {
			path = append(path, '.')
		}
		path = AppendPathKey(path, memberName(data, child))
	}
	return string(path)
}

// memberName returns the name of the member of a compound at off, a view.
func memberName(data []byte, off int) []byte {
	end := off + 3 + int(binary.BigEndian.Uint16(data[off+1:]))
	return data[off+3 : end : end]
}

// AppendPathKey appends a compound's key, in modified UTF-8, as the game
// writes it in a path: bare where that is possible, else in double quotes.
func AppendPathKey(dst, name []byte) []byte {
	if isBarePathKey(name) {
		return AppendUTF8(dst, name)
	}
	dst = append(dst, '"')
	for _, c := range AppendUTF8(nil, name) {
		if c == '"' || c == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

// isBarePathKey reports whether a key needs no quotes: it is not empty and has
// none of the characters that mean something in a path.
func isBarePathKey(name []byte) bool {
	for _, c := range name {
		switch c {
		case ' ', '"', '\'', '[', ']', '.', '{', '}', '\\':
			return false
		}
		if c < ' ' || c == 0x7f {
			return false
		}
	}
	return len(name) > 0
}
