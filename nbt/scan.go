package nbt

import (
	"encoding/binary"
	"math"
)

// ScanRoot calls visit with the members of the root compound of a file's
// document, in order, until visit returns false. Each member is checked and
// skipped once, no tape is made and nothing allocated: the quick way to a few
// members, such as a chunk's position and status. The views given to visit
// point into data.
//
// What follows the document is left alone, and so is the rest of it after visit
// returned false. The error is a [*SyntaxError], its Path empty, its Offset
// within the tag at fault, or says which of the limits is out of range;
// Limits.Tags does not matter here.
func ScanRoot(data []byte, limits Limits, visit func(name []byte, value Raw) bool) error {
	limits, err := limits.withDefaults()
	if err != nil {
		return err
	}
	cut := len(data) > limits.Bytes
	if cut {
		data = data[:limits.Bytes] // what is beyond may not belong to the document
	}
	pos, kind, fault := rootHeader(data, true)
	if fault != nil {
		return fault.cutAt(cut)
	}
	if kind != TypeCompound {
		return &SyntaxError{Err: ErrRoot}
	}
	warm(data)
	s := skipper{data: data, depth: limits.Depth - 1}
	for {
		name, member, at := s.member(pos)
		if member == TypeEnd {
			return s.failure(cut)
		}
		end := s.skip(at, member)
		if end < 0 {
			return s.failure(cut)
		}
		if !visit(name, Raw{member, data[at:end:end]}) {
			return nil
		}
		pos = end
	}
}

// skipper finds ends of payloads in a document that was not checked before.
type skipper struct {
	data  []byte
	depth int // containers that may still be opened
	at    int // where it failed
	err   error
}

// failure returns the error of a document that was cut off at Limits.Bytes or
// not.
func (s *skipper) failure(cut bool) error {
	if s.err == nil {
		return nil
	}
	fault := &SyntaxError{Offset: s.at, Err: s.err}
	return fault.cutAt(cut)
}

func (s *skipper) fail(at int, err error) int {
	s.at, s.err = at, err
	return -1
}

// member reads type and name of the member of a compound at pos, and returns
// where its payload begins. The type is End at the end and after an error.
func (s *skipper) member(pos int) (name []byte, kind Type, payload int) {
	if pos >= len(s.data) {
		s.fail(pos, ErrTruncated)
		return nil, TypeEnd, pos
	}
	kind = Type(s.data[pos])
	if kind == TypeEnd {
		return nil, TypeEnd, pos + 1
	}
	payload = pos + 3
	if payload <= len(s.data) {
		payload += int(binary.BigEndian.Uint16(s.data[pos+1:]))
	}
	if payload > len(s.data) {
		s.fail(pos, ErrTruncated)
		return nil, TypeEnd, pos
	}
	return s.data[pos+3 : payload : payload], kind, payload
}

// skip returns the end of the payload of the given type at pos, or -1 after an
// error.
func (s *skipper) skip(pos int, kind Type) int {
	if size := numberSize[kind]; size != 0 {
		return s.within(pos, pos+int(size))
	}
	switch kind {
	case TypeString:
		if len(s.data)-pos < 2 {
			return s.fail(pos, ErrTruncated)
		}
		return s.within(pos, pos+2+int(binary.BigEndian.Uint16(s.data[pos:])))
	case TypeByteArray, TypeIntArray, TypeLongArray:
		if len(s.data)-pos < 4 {
			return s.fail(pos, ErrTruncated)
		}
		count := binary.BigEndian.Uint32(s.data[pos:])
		if count > math.MaxInt32 {
			return s.fail(pos, ErrLength)
		}
		return s.room(pos+4, uint64(count)<<elementShift[kind])
	case TypeList:
		return s.skipList(pos)
	case TypeCompound:
		return s.skipCompound(pos)
	}
	return s.fail(pos, ErrType)
}

func (s *skipper) within(from, end int) int {
	if end > len(s.data) {
		return s.fail(from, ErrTruncated)
	}
	return end
}

// room returns the end of size bytes at pos.
func (s *skipper) room(pos int, size uint64) int {
	if size > uint64(len(s.data)-pos) {
		return s.fail(pos, ErrTruncated)
	}
	return pos + int(size)
}

func (s *skipper) skipList(pos int) int {
	if len(s.data)-pos < 5 {
		return s.fail(pos, ErrTruncated)
	}
	elem, count := Type(s.data[pos]), binary.BigEndian.Uint32(s.data[pos+1:])
	switch {
	case count > math.MaxInt32:
		return s.fail(pos, ErrLength)
	case !elem.Valid() || elem == TypeEnd && count > 0:
		return s.fail(pos, ErrType)
	case s.depth == 0:
		return s.fail(pos, ErrDepth)
	}
	pos += 5
	if size := numberSize[elem]; size != 0 {
		return s.room(pos, uint64(count)*uint64(size))
	}
	s.depth--
	if elem == TypeCompound {
		for range count {
			if pos = s.skipCompound(pos); pos < 0 {
				return -1
			}
		}
	} else {
		for range count {
			if pos = s.skip(pos, elem); pos < 0 {
				return -1
			}
		}
	}
	s.depth++
	return pos
}

// skipCompound is the inner loop of skipping: numbers, strings and arrays are
// stepped over here.
func (s *skipper) skipCompound(pos int) int {
	if s.depth == 0 {
		return s.fail(pos, ErrDepth)
	}
	s.depth--
	data := s.data
	for {
		if uint(pos)+3 > uint(len(data)) {
			if pos < len(data) && data[pos] == byte(TypeEnd) {
				break
			}
			return s.fail(min(pos, len(data)), ErrTruncated)
		}
		kind := Type(data[pos])
		if kind == TypeEnd {
			break
		}
		at := pos
		// Where the next tag begins follows from two loads, one after the other.
		// A guess at the first, made by the branch predictor, takes it out of
		// that chain: most members are the Name of a palette's entry.
		if name := binary.BigEndian.Uint16(data[pos+1:]); name == 4 {
			pos += 3 + 4
		} else {
			pos += 3 + int(name)
		}
		switch size := numberSize[kind]; {
		case size != 0:
			pos += int(size)
		case kind == TypeString && len(data)-pos >= 2:
			pos += 2 + int(binary.BigEndian.Uint16(data[pos:]))
		case kind == TypeCompound:
			if pos = s.skipCompound(pos); pos < 0 {
				return -1
			}
		case pos > len(data):
			return s.fail(at, ErrTruncated)
		default:
			if pos = s.skip(pos, kind); pos < 0 {
				return -1
			}
		}
	}
	s.depth++
	return pos + 1
}
