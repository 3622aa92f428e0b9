package table

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// piece is what is stored of a table.
type piece struct {
	full     bool
	base     ID
	from, to string // window
	rows     []change
}

const (
	flagBase  = 1
	flagFixed = 2
)

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func (p piece) append(b []byte) []byte {
	fixed := p.fixed()
	flags := byte(0)
	if !p.full {
		flags |= flagBase
	}
	if fixed > 0 {
		flags |= flagFixed
	}
	b = append(b, flags)
	if !p.full {
		b = append(b, p.base[:]...)
		b = appendText(b, p.from)
		b = appendText(b, p.to)
	}
	b = binary.AppendUvarint(b, uint64(len(p.rows)))
	before := ""
	for _, r := range p.rows {
		n := shared(before, r.Key)
		b = binary.AppendUvarint(b, uint64(n))
		b = appendText(b, r.Key[n:])
		before = r.Key
	}
	for _, r := range p.rows {
		n := uint64(len(r.Value)) + 1
		if r.gone {
			n = 0
		}
		b = binary.AppendUvarint(b, n)
	}
	if fixed == 0 {
		for _, r := range p.rows {
			b = append(b, r.Value...)
		}
		return b
	}
	for i := range fixed {
		for _, r := range p.rows {
			if !r.gone {
				b = append(b, r.Value[i])
			}
		}
	}
	return b
}

// fixed is the length of all values, 0 if they have several.
func (p piece) fixed() int {
	n := -1
	for _, r := range p.rows {
		switch {
		case r.gone:
		case n < 0:
			n = len(r.Value)
		case n != len(r.Value):
			return 0
		}
	}
	return max(0, n)
}

func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// reader takes parts off a piece that may be damaged.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uvarint(limit uint64) int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > limit {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) text() string { return string(r.take(r.uvarint(maxText))) }

// parse reads a piece.
func parse(b []byte) (*piece, error) {
	r := reader{b: b}
	head := r.take(1)
	if r.bad || head[0]&^(flagBase|flagFixed) != 0 {
		return nil, fmt.Errorf("%w: no piece of one", ErrDamaged)
	}
	p := &piece{full: head[0]&flagBase == 0}
	if !p.full {
		copy(p.base[:], r.take(len(ID{})))
		p.from, p.to = r.text(), r.text()
	}
	n := r.uvarint(maxRows)
	if n > len(r.b) { // a row takes two bytes at least
		r.bad = true
	}
	if r.bad {
		return nil, fmt.Errorf("%w: its beginning", ErrDamaged)
	}
	p.rows = make([]change, n)
	if err := r.keys(p.rows); err != nil {
		return nil, err
	}
	lengths, err := r.lengths(p.rows)
	if err != nil {
		return nil, err
	}
	r.values(p.rows, lengths, head[0]&flagFixed != 0)
	if r.bad || len(r.b) > 0 {
		return nil, fmt.Errorf("%w: its values", ErrDamaged)
	}
	return p, nil
}

func (r *reader) keys(rows []change) error {
	before := ""
	size := 0
	for i := range rows {
		n := r.uvarint(maxText)
		rest := r.take(r.uvarint(maxText))
		if r.bad || n > len(before) || n+len(rest) > maxText {
			return fmt.Errorf("%w: its keys", ErrDamaged)
		}
		var key strings.Builder
		key.WriteString(before[:n])
		key.Write(rest)
		rows[i].Key = key.String()
		if i > 0 && rows[i].Key <= before {
			return fmt.Errorf("%w: keys out of order", ErrDamaged)
		}
		before = rows[i].Key
		// Shared beginnings make much of little.
		if size += len(before); size > 1<<30 {
			return fmt.Errorf("%w: its keys are too long", ErrDamaged)
		}
	}
	return nil
}

func (r *reader) lengths(rows []change) ([]int, error) {
	lengths := make([]int, len(rows))
	total := 0
	for i := range rows {
		n := r.uvarint(maxText + 1)
		rows[i].gone = n == 0
		lengths[i] = max(0, n-1)
		total += lengths[i]
	}
	if r.bad || total != len(r.b) {
		return nil, fmt.Errorf("%w: lengths of its values", ErrDamaged)
	}
	return lengths, nil
}

func (r *reader) values(rows []change, lengths []int, fixed bool) {
	if !fixed {
		for i := range rows {
			rows[i].Value = string(r.take(lengths[i]))
		}
		return
	}
	var there []int
	for i := range rows {
		if !rows[i].gone {
			there = append(there, i)
		}
	}
	if len(there) == 0 {
		return
	}
	n := lengths[there[0]]
	columns := r.take(n * len(there))
	if r.bad {
		return
	}
	value := make([]byte, n)
	for k, i := range there {
		if lengths[i] != n {
			r.bad = true
			return
		}
		for c := range value {
			value[c] = columns[c*len(there)+k]
		}
		rows[i].Value = string(value)
	}
}
