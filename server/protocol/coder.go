package protocol

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"strata/anvil/registry"
)

// coder walks the fields of a packet in the order in which they are sent, to
// write them (w is set) or to fill them (r is). As one walk does both, what
// is written can be read: each type has one method wire, which calls wire of
// its fields and the functions below in turn.
type coder struct {
	w       *Writer
	r       *Reader
	version registry.Version
	path    [MaxDepth]step
	depth   int
}

// step is a value that the walk is in.
type step struct {
	name  string
	index int // of the element, -1 outside lists
}

// wirer is a value with a place in packets. name is that of the field.
type wirer interface{ wire(c *coder, name string) }

// begin prepares the walk of one packet.
func (c *coder) begin(w *Writer, r *Reader, v registry.Version) {
	c.w, c.r, c.version, c.depth = w, r, v, 0
}

// ok reports whether there was no error yet.
func (c *coder) ok() bool {
	if c.w != nil {
		return c.w.err == nil
	}
	return c.r.err == nil
}

func (c *coder) fail(name string, err error) {
	if c.w != nil {
		c.w.fail(name, err)
	} else {
		c.r.fail(name, err)
	}
}

// push enters a value; pop leaves it. After an error both leave the path as
// it is.
func (c *coder) push(name string) {
	if c.depth == MaxDepth {
		c.fail(name, ErrTooDeep)
	}
	if c.ok() {
		c.path[c.depth] = step{name, -1}
		c.depth++
	}
}

func (c *coder) pop() {
	if c.ok() {
		c.depth--
	}
}

// where returns the path to the field, for an error.
func (c *coder) where(field string) string {
	var b strings.Builder
	add := func(name string) {
		if name != "" {
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(name)
		}
	}
	for _, s := range c.path[:c.depth] {
		add(s.name)
		if s.index >= 0 {
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		}
	}
	add(field)
	return b.String()
}

func varint(v *int32, c *coder, name string) {
	if c.w != nil {
		c.w.VarInt(*v)
	} else {
		*v = c.r.VarInt(name)
	}
}

func varlong(v *int64, c *coder, name string) {
	if c.w != nil {
		c.w.VarLong(*v)
	} else {
		*v = c.r.VarLong(name)
	}
}

func u8[T ~uint8](v *T, c *coder, name string) {
	if c.w != nil {
		c.w.Byte(uint8(*v))
	} else {
		*v = T(c.r.Byte(name))
	}
}

func i8[T ~int8](v *T, c *coder, name string) {
	if c.w != nil {
		c.w.Byte(uint8(*v))
	} else {
		*v = T(c.r.Byte(name))
	}
}

func u16(v *uint16, c *coder, name string) {
	if c.w != nil {
		c.w.Short(*v)
	} else {
		*v = c.r.Short(name)
	}
}

func i16(v *int16, c *coder, name string) {
	if c.w != nil {
		c.w.Short(uint16(*v))
	} else {
		*v = int16(c.r.Short(name))
	}
}

func i32[T ~int32 | ~uint32](v *T, c *coder, name string) {
	if c.w != nil {
		c.w.Int(int32(*v))
	} else {
		*v = T(c.r.Int(name))
	}
}

func i64(v *int64, c *coder, name string) {
	if c.w != nil {
		c.w.Long(*v)
	} else {
		*v = c.r.Long(name)
	}
}

func boolean(v *bool, c *coder, name string) {
	if c.w != nil {
		c.w.Bool(*v)
	} else {
		*v = c.r.Bool(name)
	}
}

func f32(v *float32, c *coder, name string) {
	if c.w != nil {
		c.w.Float(*v)
	} else {
		*v = c.r.Float(name)
	}
}

func f64(v *float64, c *coder, name string) {
	if c.w != nil {
		c.w.Double(*v)
	} else {
		*v = c.r.Double(name)
	}
}

// enum is a VarInt that is one of n values from 0.
func enum[T ~int32](v *T, c *coder, name string, n int) {
	switch {
	case c.r != nil:
		*v = T(c.r.number(name, n-1))
	case *v < 0 || int(*v) >= n:
		c.fail(name, fmt.Errorf("%d of 0 to %d: %w", *v, n-1, ErrRange))
	default:
		c.w.VarInt(int32(*v))
	}
}

// enumByte is a byte that is one of n values from 0.
func enumByte[T ~int32](v *T, c *coder, name string, n int) {
	if c.r != nil {
		c.r.want(kindByteNumber, n-1, name)
		if b := c.r.take(name, 1); b != nil {
			*v = T(b[0])
		}
	}
	if *v < 0 || int(*v) >= n {
		c.fail(name, fmt.Errorf("%d of 0 to %d: %w", *v, n-1, ErrRange))
	} else if c.w != nil {
		c.w.Byte(uint8(*v))
	}
}

// text is a string of at most MaxString units.
func text(v *string, c *coder, name string) { textMax(v, c, name, MaxString) }

func textMax(v *string, c *coder, name string, limit int) {
	if c.r != nil {
		*v = c.r.String(name, limit)
		return
	}
	switch {
	case !utf8.ValidString(*v):
		c.fail(name, fmt.Errorf("text: %w", ErrEncoding))
	case len(*v) > limit && units(*v) > limit:
		c.fail(name, fmt.Errorf("%d UTF-16 units, limit %d: %w", units(*v), limit, ErrTooLong))
	default:
		c.w.String(*v)
	}
}

// blob is a byte array.
func blob(v *[]byte, c *coder, name string) { blobMax(v, c, name, MaxInflated) }

func blobMax(v *[]byte, c *coder, name string, limit int) {
	switch {
	case c.r != nil:
		*v = c.r.ByteArray(name, limit)
	case len(*v) > limit:
		c.fail(name, fmt.Errorf("%d bytes, limit %d: %w", len(*v), limit, ErrTooLong))
	default:
		c.w.ByteArray(*v)
	}
}

// fixed is a byte array whose length both sides know.
func fixed(v []byte, c *coder, name string) {
	if c.w != nil {
		c.w.Raw(v)
	} else {
		copy(v, c.r.Fixed(name, len(v)))
	}
}

// rest is the bytes to the end of the packet.
func rest(v *[]byte, c *coder, name string) { restMax(v, c, name, MaxClientPayload) }

func restMax(v *[]byte, c *coder, name string, limit int) {
	switch {
	case c.r != nil:
		*v = c.r.Rest(name, limit)
	case len(*v) > limit:
		c.fail(name, fmt.Errorf("%d bytes, limit %d: %w", len(*v), limit, ErrTooLong))
	default:
		c.w.Raw(*v)
	}
}

func document(v *NBT, c *coder, name string) {
	switch {
	case c.r != nil:
		*v = c.r.NBT(name, false)
	case len(*v) == 0:
		c.fail(name, fmt.Errorf("no document: %w", ErrNBT))
	default:
		c.w.Raw(*v)
	}
}

// optionalDocument is NBT with the end mark in place of none.
func optionalDocument(v *NBT, c *coder, name string) {
	switch {
	case c.r != nil:
		*v = c.r.NBT(name, true)
	case *v == nil:
		c.w.Byte(0)
	default:
		c.w.Raw(*v)
	}
}

// count is the number of elements before a list.
func (c *coder) count(n int, name string, limit int) int {
	if c.r != nil {
		return c.r.length(name, limit)
	}
	if n > limit {
		c.fail(name, fmt.Errorf("%d elements, limit %d: %w", n, limit, ErrTooLong))
		return 0
	}
	c.w.VarInt(int32(n))
	return n
}

// list is a list with its number of elements before it.
func list[T any](v *[]T, c *coder, name string, element func(*T, *coder, string)) {
	listMax(v, c, name, MaxList, element)
}

func listMax[T any](v *[]T, c *coder, name string, limit int, element func(*T, *coder, string)) {
	elements(v, c, name, c.count(len(*v), name, limit), element)
}

// elements are those of a list whose number is known.
func elements[T any](v *[]T, c *coder, name string, n int, element func(*T, *coder, string)) {
	c.push(name)
	if c.r != nil {
		*v = make([]T, 0, min(n, listStart))
	}
	for i := 0; i < n && c.ok(); i++ {
		c.path[c.depth-1].index = i
		if c.r != nil {
			var zero T
			*v = append(*v, zero)
		}
		element(&(*v)[i], c, "")
	}
	c.pop()
}

// optional is a truth value, and the value if that is true.
func optional[T any](v *Optional[T], c *coder, name string, value func(*T, *coder, string)) {
	boolean(&v.Present, c, name)
	if v.Present {
		value(&v.Value, c, name)
	}
}

// pointer is as optional, for types that contain themselves.
func pointer[T any](v **T, c *coder, name string, value func(*T, *coder, string)) {
	present := *v != nil
	boolean(&present, c, name)
	if !present {
		return
	}
	if c.r != nil {
		*v = new(T)
	}
	value(*v, c, name)
}

// optionalInt is a VarInt in which 0 is none and other values are one higher.
func optionalInt(v *Optional[int32], c *coder, name string) {
	raw := v.Value + 1
	if !v.Present {
		raw = 0
	} else if raw == 0 && c.w != nil {
		c.fail(name, fmt.Errorf("-1: %w", ErrRange))
	}
	varint(&raw, c, name)
	if c.r != nil && raw != 0 {
		*v = Optional[int32]{Present: true, Value: raw - 1}
	}
}

// holder is a VarInt that is 0 before a value of the packet's own, else one
// higher than the number of an entry of a registry.
func holder[T any](v *Holder[T], c *coder, name string, value func(*T, *coder, string)) {
	raw := v.ID + 1
	if v.Inline != nil {
		raw = 0
	} else if raw == 0 && c.w != nil {
		c.fail(name, fmt.Errorf("entry -1: %w", ErrRange))
	}
	if c.w != nil {
		c.w.VarInt(raw)
	} else {
		raw = c.r.holder(name)
		v.ID = raw - 1
	}
	if raw != 0 || !c.ok() {
		return
	}
	if c.r != nil {
		v.ID, v.Inline = 0, new(T)
	}
	value(v.Inline, c, name)
}

// variant is a value whose type an earlier field says: T.
func variant[T any, P interface {
	*T
	wirer
}](v *Value, c *coder, name string) {
	if c.r != nil {
		if c.ok() {
			p := P(new(T))
			*v = p
			p.wire(c, name)
		}
		return
	}
	p, ok := (*v).(P)
	if !ok || p == nil {
		c.fail(name, fmt.Errorf("%T in place of %T: %w", *v, p, ErrMismatch))
		return
	}
	p.wire(c, name)
}

// noVariant is the value of a kind that has none.
func noVariant(v *Value, c *coder, name string) {
	if c.w != nil && *v != nil {
		c.fail(name, fmt.Errorf("%T in place of nothing: %w", *v, ErrMismatch))
	}
}
