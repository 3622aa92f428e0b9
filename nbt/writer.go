package nbt

import (
	"encoding/binary"
	"math"
)

// Writer writes a document tag by tag into a buffer. In a compound, and at the
// root of a file, [Writer.Name] precedes each tag; elements of lists have no
// names. A root without a name makes the network form.
//
//	var w nbt.Writer
//	w.Reset(buf[:0])
//	w.Name("").BeginCompound()
//	w.Name("xPos").Int(3)
//	w.Name("sections").BeginList(nbt.TypeCompound, -1)
//	...
//	w.End()
//	w.End()
//	data, err := w.Bytes()
//
// The first mistake stays, and everything after it does nothing; Bytes returns
// it. The zero value is ready to use; one goroutine at a time may use it.
type Writer struct {
	buf   []byte
	open  []writeFrame
	err   error
	start int  // of the document in buf
	named int  // index + 1 of the type that Name left open, 0 if it did not
	done  bool // the root is complete
}

type writeFrame struct {
	kind  Type
	elem  Type
	at    int // of a list: where its element type stands
	count int // elements so far
	want  int // elements announced, or -1
}

// Reset makes the writer append a new document to buf, which it takes over.
func (w *Writer) Reset(buf []byte) {
	*w = Writer{buf: buf, start: len(buf), open: w.open[:0]}
}

// Bytes returns the buffer with the document at its end, or what was wrong. It
// belongs to the caller again.
func (w *Writer) Bytes() ([]byte, error) {
	if w.err == nil && !w.done {
		w.err = ErrUnbalanced
	}
	return w.buf, w.err
}

// Len returns the bytes written so far.
func (w *Writer) Len() int { return len(w.buf) - w.start }

// Name begins a member of a compound, or the root of a file.
func (w *Writer) Name(name string) *Writer {
	if w.beginName() {
		w.appendText(name)
	}
	return w
}

// NameBytes is [Writer.Name] with a name in modified UTF-8.
func (w *Writer) NameBytes(name []byte) *Writer {
	if w.beginName() {
		w.appendModified(name)
	}
	return w
}

func (w *Writer) beginName() bool {
	if w.err != nil {
		return false
	}
	root := len(w.buf) == w.start
	if !root && (w.named != 0 || len(w.open) == 0 || w.open[len(w.open)-1].kind != TypeCompound) {
		w.err = ErrUnbalanced
		return false
	}
	w.buf = append(w.buf, 0)
	w.named = len(w.buf)
	return true
}

// begin writes what precedes the payload of a tag.
func (w *Writer) begin(kind Type) bool {
	switch {
	case w.err != nil:
		return false
	case w.named != 0:
		w.buf[w.named-1] = byte(kind)
		w.named = 0
	case len(w.buf) == w.start:
		w.buf = append(w.buf, byte(kind))
	case !w.beginElement(kind):
		return false
	}
	w.done = len(w.open) == 0 && kind != TypeCompound && kind != TypeList
	return true
}

// beginElement counts an element of the list that is open.
func (w *Writer) beginElement(kind Type) bool {
	if len(w.open) == 0 {
		w.err = ErrUnbalanced // a second root
		return false
	}
	top := &w.open[len(w.open)-1]
	switch {
	case top.kind != TypeList, top.count == top.want:
		w.err = ErrUnbalanced
		return false
	case top.elem == TypeEnd:
		top.elem = kind
		w.buf[top.at] = byte(kind)
	case top.elem != kind:
		w.err = ErrElementType
		return false
	}
	top.count++
	return true
}

// BeginCompound begins a compound, which End closes.
func (w *Writer) BeginCompound() {
	if w.begin(TypeCompound) {
		w.open = append(w.open, writeFrame{kind: TypeCompound})
	}
}

// BeginList begins a list of n elements of type elem, which End closes. With n
// below 0 the elements are counted; with elem End the first one says the type,
// and an empty list keeps End.
func (w *Writer) BeginList(elem Type, n int) {
	if !w.begin(TypeList) {
		return
	}
	switch {
	case !elem.Valid():
		w.err = ErrElementType
		return
	case n > math.MaxInt32:
		w.err = ErrSize
		return
	}
	w.open = append(w.open, writeFrame{kind: TypeList, elem: elem, at: len(w.buf), want: max(n, -1)})
	w.buf = append(w.buf, byte(elem))
	w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(max(n, 0)))
}

// End closes the compound or list that was begun last.
func (w *Writer) End() {
	if w.err != nil {
		return
	}
	if len(w.open) == 0 || w.named != 0 {
		w.err = ErrUnbalanced
		return
	}
	top := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	switch {
	case top.kind == TypeCompound:
		w.buf = append(w.buf, byte(TypeEnd))
	case top.count > math.MaxInt32:
		w.err = ErrSize
		return
	case top.want < 0:
		binary.BigEndian.PutUint32(w.buf[top.at+1:], uint32(top.count))
	case top.count != top.want:
		w.err = ErrUnbalanced
		return
	}
	w.done = len(w.open) == 0
}

// Byte writes a byte.
func (w *Writer) Byte(v int8) {
	if w.begin(TypeByte) {
		w.buf = append(w.buf, byte(v))
	}
}

// Bool writes a byte, 1 for true and 0 for false.
func (w *Writer) Bool(v bool) {
	if v {
		w.Byte(1)
	} else {
		w.Byte(0)
	}
}

// Short writes a short.
func (w *Writer) Short(v int16) {
	if w.begin(TypeShort) {
		w.buf = binary.BigEndian.AppendUint16(w.buf, uint16(v))
	}
}

// Int writes an int.
func (w *Writer) Int(v int32) {
	if w.begin(TypeInt) {
		w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(v))
	}
}

// Long writes a long.
func (w *Writer) Long(v int64) {
	if w.begin(TypeLong) {
		w.buf = binary.BigEndian.AppendUint64(w.buf, uint64(v))
	}
}

// Float writes a float, its bits as they are.
func (w *Writer) Float(v float32) {
	if w.begin(TypeFloat) {
		w.buf = binary.BigEndian.AppendUint32(w.buf, math.Float32bits(v))
	}
}

// Double writes a double, its bits as they are.
func (w *Writer) Double(v float64) {
	if w.begin(TypeDouble) {
		w.buf = binary.BigEndian.AppendUint64(w.buf, math.Float64bits(v))
	}
}

// String writes a string.
func (w *Writer) String(s string) {
	if w.begin(TypeString) {
		w.appendText(s)
	}
}

// StringBytes writes a string in modified UTF-8.
func (w *Writer) StringBytes(s []byte) {
	if w.begin(TypeString) {
		w.appendModified(s)
	}
}

// ByteArray writes a byte array.
func (w *Writer) ByteArray(v []byte) {
	if w.beginArray(TypeByteArray, len(v)) {
		w.buf = append(w.buf, v...)
	}
}

// IntArray writes an int array.
func (w *Writer) IntArray(v []int32) {
	if w.beginArray(TypeIntArray, len(v)) {
		w.buf = appendInts(w.buf, v)
	}
}

// LongArray writes a long array.
func (w *Writer) LongArray(v []int64) {
	if w.beginArray(TypeLongArray, len(v)) {
		w.buf = appendLongs(w.buf, v)
	}
}

// Raw writes a payload as it is. It must be a whole one of its type, such as
// [Tag.Raw] returns: it is not checked.
func (w *Writer) Raw(r Raw) {
	if r.Type == TypeEnd || !r.Type.Valid() {
		if w.err == nil {
			w.err = ErrType
		}
		return
	}
	if w.begin(r.Type) {
		w.buf = append(w.buf, r.Data...)
		w.done = len(w.open) == 0 // begin waits for the End of containers
	}
}

func (w *Writer) beginArray(kind Type, n int) bool {
	if n > math.MaxInt32 {
		if w.err == nil {
			w.err = ErrSize
		}
		return false
	}
	if !w.begin(kind) {
		return false
	}
	w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(n))
	return true
}

// appendText appends length and bytes of a string in UTF-8.
func (w *Writer) appendText(s string) {
	at := len(w.buf)
	w.buf = append(w.buf, 0, 0)
	if isPlain(s) {
		w.buf = append(w.buf, s...)
	} else {
		w.buf = AppendModifiedUTF8(w.buf, s)
	}
	w.putLength(at)
}

// appendModified appends length and bytes of a string in modified UTF-8.
func (w *Writer) appendModified(s []byte) {
	at := len(w.buf)
	w.buf = append(append(w.buf, 0, 0), s...)
	w.putLength(at)
}

// putLength fills in the length of the string at at, which ends the buffer.
func (w *Writer) putLength(at int) {
	n := len(w.buf) - at - 2
	if n > math.MaxUint16 {
		w.buf = w.buf[:at]
		w.err = ErrStringLength
		return
	}
	binary.BigEndian.PutUint16(w.buf[at:], uint16(n))
}
