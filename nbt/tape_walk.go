package nbt

import "encoding/binary"

// walk fills the tape with the root, whose payload begins at pos, and all in
// it, and returns the end of the document.
//
// This is the inner loop of all reading: one turn of the outer loop for each
// member of a compound, or for a run of list elements. Its state stands in
// local variables, and containers that are open in t.frames.
func (t *Tape) walk(data []byte, pos int, kind Type, limits Limits) (int, *SyntaxError) {
	var (
		tape  = t.entries[:min(cap(t.entries), limits.Tags)]
		n     = 1 // entries
		open  = 0 // frames in use
		fault error
		// list says that the innermost open container is a list, whose next
		// element is to be read; otherwise a member of a compound is.
		list bool
	)
	if len(tape) == 0 {
		tape = t.grow(0, limits.Tags)
	}
	if len(t.frames) == 0 {
		t.frames = make([]frame, 16)
	}
	frames := t.frames
	tape[0] = entry{0, 1}
	value := kind // of the tag at hand
	at := 0       // where the tag at hand begins, for errors
	goto begin

next:
	if list {
		top := &frames[(open-1)&(len(frames)-1)]
		if top.remain == 0 {
			goto closed
		}
		top.remain--
		value = top.elem
		at = pos
	} else {
		if uint(pos) >= uint(len(data)) {
			at, fault = pos, ErrTruncated
			goto failed
		}
		value = Type(data[pos])
		if value == TypeEnd {
			pos++
			goto closed
		}
		if len(data)-pos < 3 {
			at, fault = pos, ErrTruncated
			goto failed
		}
		at = pos
		pos += 3 + int(binary.BigEndian.Uint16(data[pos+1:]))
	}
	if n == len(tape) {
		if n >= limits.Tags {
			fault = ErrTags
			goto failed
		}
		tape = t.grow(n, limits.Tags)
	}
	tape[n] = entry{uint32(at), uint32(n + 1)}
	n++

begin:
	// The payload of the tag at hand, of type value, begins at pos.
	if size := numberSize[value]; size != 0 {
		pos += int(size)
		if pos > len(data) {
			fault = ErrTruncated
			goto failed
		}
		if open == 0 {
			goto done
		}
		goto next
	}
	switch value {
	case TypeString:
		if len(data)-pos < 2 {
			fault = ErrTruncated
			goto failed
		}
		pos += 2 + int(binary.BigEndian.Uint16(data[pos:]))
		if pos > len(data) {
			fault = ErrTruncated
			goto failed
		}
		if open == 0 {
			goto done
		}
		goto next

	case TypeByteArray, TypeIntArray, TypeLongArray:
		if len(data)-pos < 4 {
			fault = ErrTruncated
			goto failed
		}
		count := binary.BigEndian.Uint32(data[pos:])
		if int32(count) < 0 {
			fault = ErrLength
			goto failed
		}
		if uint64(count)<<elementShift[value] > uint64(len(data)-pos-4) {
			fault = ErrTruncated
			goto failed
		}
		pos += 4 + int(count)<<elementShift[value]
		if open == 0 {
			goto done
		}
		goto next

	case TypeList:
		if len(data)-pos < 5 {
			fault = ErrTruncated
			goto failed
		}
		elem, count := Type(data[pos]), binary.BigEndian.Uint32(data[pos+1:])
		switch {
		case !elem.Valid() || elem == TypeEnd && int32(count) > 0:
			fault = ErrType
			goto failed
		case int32(count) < 0:
			fault = ErrLength
			goto failed
		}
		pos += 5
		if size := uint64(numberSize[elem]); size != 0 || count == 0 {
			if uint64(count)*size > uint64(len(data)-pos) {
				fault = ErrTruncated
				goto failed
			}
			pos += int(count) * int(size)
			if open >= limits.Depth {
				fault = ErrDepth
				goto failed
			}
			if open == 0 {
				goto done
			}
			goto next
		}
		if open == len(frames) {
			frames = t.growFrames()
		}
		if open >= limits.Depth {
			fault = ErrDepth
			goto failed
		}
		frames[open&(len(frames)-1)] = frame{entry: uint32(n - 1), remain: count, count: count, kind: TypeList, elem: elem}
		open++
		list = true
		goto next

	case TypeCompound:
		if pos > len(data) { // the name is cut off
			fault = ErrTruncated
			goto failed
		}
		if open == len(frames) {
			frames = t.growFrames()
		}
		if open >= limits.Depth {
			fault = ErrDepth
			goto failed
		}
		frames[open&(len(frames)-1)] = frame{entry: uint32(n - 1), kind: TypeCompound}
		open++
		list = false
		goto next

	default: // TypeEnd cannot be: a member of that type closes its compound
		fault = ErrType
		goto failed
	}

closed:
	open--
	tape[frames[open&(len(frames)-1)].entry].next = uint32(n)
	if open != 0 {
		list = frames[(open-1)&(len(frames)-1)].kind == TypeList
		goto next
	}

done:
	t.entries = tape[:n]
	return pos, nil

failed:
	t.entries = tape[:n]
	return 0, &SyntaxError{Offset: at, Path: t.pathAt(data, frames[:open], at, list), Err: fault}
}
