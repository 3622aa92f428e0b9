package settings

import (
	"bytes"
	"sync"
)

// renderer writes values of a table as JSON without spaces, members of objects
// in the order of their names.
type renderer struct {
	*documents
	text  []byte
	limit int // of text, in bytes
	err   error
}

// json returns a value as JSON.
func (t *documents) json(value []byte) ([]byte, error) {
	scratch, _ := scratches.Get().(*[]byte)
	if scratch == nil {
		scratch = new([]byte)
	}
	defer scratches.Put(scratch)
	text, err := t.appendWithin((*scratch)[:0], maxText, value)
	*scratch = text[:0]
	return bytes.Clone(text), err
}

// scratches are where documents are written before their length is known.
var scratches sync.Pool

// appendWithin appends a value as JSON. The limit may be passed by a scalar or
// two; after an error it returns what was written till then.
func (t *documents) appendWithin(text []byte, limit int, value []byte) ([]byte, error) {
	r := renderer{documents: t, text: text, limit: limit}
	d := decoder{data: value}
	r.value(&d, len(t.shared), 0)
	if r.err == nil {
		r.err = d.end()
	}
	return r.text, r.err
}

// value writes the next value of d, which may refer to the first shared ones.
func (r *renderer) value(d *decoder, shared, depth int) {
	if depth > maxDepth || len(r.text) > r.limit {
		r.fail(formatError("a value too deep or too long"))
	}
	if r.err != nil {
		return
	}
	head := d.number()
	switch which := head >> 2; head & 3 {
	case tagAtom:
		r.atom(which)
	case tagObject:
		r.object(d, which, shared, depth)
	case tagArray:
		r.text = append(r.text, '[')
		for i := range which {
			if i > 0 {
				r.text = append(r.text, ',')
			}
			if r.value(d, shared, depth+1); r.err != nil {
				return
			}
		}
		r.text = append(r.text, ']')
	case tagShared:
		if which >= shared {
			r.fail(formatError("reference to shared value %d from %d", which, shared))
			return
		}
		inner := decoder{data: r.shared[which]}
		r.value(&inner, which, depth+1)
		r.fail(inner.end())
	}
	r.fail(d.err)
}

func (r *renderer) object(d *decoder, shape, shared, depth int) {
	if shape >= len(r.shapes) {
		r.fail(formatError("reference to shape %d of %d", shape, len(r.shapes)))
		return
	}
	r.text = append(r.text, '{')
	for i, name := range r.shapes[shape] {
		if i > 0 {
			r.text = append(r.text, ',')
		}
		r.atom(int(name))
		r.text = append(r.text, ':')
		if r.value(d, shared, depth+1); r.err != nil {
			return
		}
	}
	r.text = append(r.text, '}')
}

func (r *renderer) atom(i int) {
	if i >= len(r.atoms) {
		r.fail(formatError("reference to atom %d of %d", i, len(r.atoms)))
		return
	}
	r.text = append(r.text, r.atoms[i]...)
}

func (r *renderer) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}
