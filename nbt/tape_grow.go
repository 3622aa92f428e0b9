package nbt

import "encoding/binary"

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
			path = appendPathIndex(path, int(open[i].count-open[i].remain-1))
			continue
		}
		path = appendPathMember(path, memberName(data, child))
	}
	return string(path)
}

// memberName returns the name of the member of a compound at off, a view.
func memberName(data []byte, off int) []byte {
	end := off + 3 + int(binary.BigEndian.Uint16(data[off+1:]))
	return data[off+3 : end : end]
}
