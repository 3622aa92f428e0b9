package nbt

import "encoding/binary"

// entry is one tag on the tape.
type entry struct {
	// off is where the tag begins in the document: a member of a compound with
	// its type byte, an element of a list with its payload.
	off uint32
	// next is the index of the entry after this tag and all in it.
	next uint32
}

// noEntry stands for the entry of a number in a list, which has none: its
// place follows from its index.
const noEntry = 1<<32 - 1

// frame is a compound or list whose end is not reached yet.
type frame struct {
	entry  uint32
	remain uint32 // elements of a list that are still to come
	count  uint32 // elements of a list
	kind   Type   // TypeCompound or TypeList
	elem   Type   // of a list
}

// Tape is the index of one document: where each tag begins, and which comes
// after it. It is made in one pass that checks every type, length and bound,
// and allocates nothing once its buffers have grown. Strings and arrays stay
// where they are in the document.
//
// There is an entry for every tag except the numbers of a list, whose places
// follow from their index.
//
// The zero value is ready to use. A Tape holds on to the document of the last
// Parse, which must not change while the tape is in use; Parse again reuses the
// buffers and makes all [Tag] values of the document before stale. One
// goroutine may parse; any number may read a parsed tape at the same time.
type Tape struct {
	// Limits of the documents to parse.
	Limits Limits

	data    []byte
	entries []entry
	frames  []frame
	payload uint32 // of the root
	size    int    // bytes of the document
	kind    Type   // of the root
}

// Parse indexes the document at the start of data in the form that files have:
// type, name and payload of the root. What follows the root is left alone, as
// the game does; [Tape.Size] says where that begins.
//
// The error is a [*SyntaxError] or says which of the limits is out of range;
// the tape is then empty. data is kept, not copied.
func (t *Tape) Parse(data []byte) error { return t.parse(data, true) }

// ParseNetwork indexes the document at the start of data in the form that the
// protocol has since version 764 (1.20.2): type and payload of the root,
// without a name. A root of type End is a document of one byte that stands for
// none. Otherwise it is as Parse.
func (t *Tape) ParseNetwork(data []byte) error { return t.parse(data, false) }

// Size returns the bytes of the document, trailing ones left out.
func (t *Tape) Size() int { return t.size }

// Len returns the number of entries on the tape.
func (t *Tape) Len() int { return len(t.entries) }

// Data returns the bytes of the document, a view.
func (t *Tape) Data() []byte { return t.data[:t.size:t.size] }

// Rooted reports whether the document was read in the form that files have.
func (t *Tape) Rooted() bool { return t.payload > 1 }

// RootName returns the root's name in modified UTF-8, a view; it is empty
// nearly always, and always in the network form.
func (t *Tape) RootName() []byte {
	if t.payload < 3 {
		return nil
	}
	return t.data[3:t.payload:t.payload]
}

// Root returns the root tag, one that does not exist if nothing was parsed or
// the document is a network form of type End.
func (t *Tape) Root() Tag {
	if len(t.entries) == 0 {
		return Tag{}
	}
	return Tag{tape: t, index: 0, off: t.payload, kind: t.kind}
}

func (t *Tape) parse(data []byte, rooted bool) error {
	t.entries, t.data, t.size, t.payload, t.kind = t.entries[:0], nil, 0, 0, TypeEnd
	limits, err := t.Limits.withDefaults()
	if err != nil {
		return err
	}
	cut := len(data) > limits.Bytes
	if cut {
		data = data[:limits.Bytes] // what is beyond may not belong to the document
	}
	pos, kind, fault := rootHeader(data, rooted)
	if fault != nil {
		return fault.cutAt(cut)
	}
	t.data, t.payload, t.kind = data, uint32(pos), kind
	if kind == TypeEnd {
		t.size = pos
		return nil
	}
	warm(data)
	end, fault := t.walk(data, pos, kind, limits)
	if fault != nil {
		t.entries, t.data, t.payload, t.kind = t.entries[:0], nil, 0, TypeEnd
		return fault.cutAt(cut)
	}
	t.size = end
	return nil
}

// rootHeader reads type and, in a rooted document, name of the root, and
// returns where its payload begins.
func rootHeader(data []byte, rooted bool) (pos int, kind Type, fault *SyntaxError) {
	if len(data) == 0 {
		return 0, 0, &SyntaxError{Err: ErrTruncated}
	}
	kind = Type(data[0])
	if !kind.Valid() {
		return 0, 0, &SyntaxError{Err: ErrType}
	}
	if !rooted {
		return 1, kind, nil
	}
	if kind == TypeEnd {
		return 0, 0, &SyntaxError{Err: ErrRoot}
	}
	if len(data) < 3 || len(data)-3 < int(binary.BigEndian.Uint16(data[1:])) {
		return 0, 0, &SyntaxError{Err: ErrTruncated}
	}
	return 3 + int(binary.BigEndian.Uint16(data[1:])), kind, nil
}
