package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Row is a key and what it has.
type Row struct{ Key, Value string }

// ID names a piece.
type ID = [32]byte

// ErrDamaged says that bytes are no piece, or that pieces do not go together.
var ErrDamaged = errors.New("damaged table")

const (
	maxText  = 64 << 10
	maxRows  = 4 << 20
	maxChain = 1024
	// windows is the part of the keys, one in so many, that a piece repeats.
	windows = 64
	// renew is how long a chain may be before a table is stored whole after all,
	// which it only gets if keys come and go all the time.
	renew = 256
)

// Table is a table that was read or written.
type Table struct {
	ID   ID
	Rows []Row // sorted by keys
	// Chain are the pieces that are needed to read it, its own first.
	Chain []ID

	end string // of the window of its own piece
}

// Find returns the value of a key.
func (t *Table) Find(key string) (value string, ok bool) {
	i, ok := slices.BinarySearchFunc(t.Rows, key, func(r Row, k string) int { return strings.Compare(r.Key, k) })
	if !ok {
		return "", false
	}
	return t.Rows[i].Value, true
}

// Encode returns the piece that makes a table of rows, which are sorted by their
// keys, on a base, which may be nil. If the rows are those of the base there is
// none. The caller gives the piece a name, and if need be calls Written.
func Encode(rows []Row, base *Table) ([]byte, error) {
	if err := check(rows); err != nil {
		return nil, err
	}
	if base == nil || len(base.Chain) >= renew {
		return piece{rows: whole(rows), full: true}.append(nil), nil
	}
	changed := differences(base.Rows, rows)
	if len(changed) == 0 {
		return nil, nil
	}
	if 2*len(changed) >= len(rows) {
		return piece{rows: whole(rows), full: true}.append(nil), nil
	}
	p := piece{base: base.ID, from: base.end}
	var repeat []Row
	repeat, p.to = window(rows, base.end)
	p.rows = merge(changed, whole(repeat))
	return p.append(nil), nil
}

func check(rows []Row) error {
	if len(rows) > maxRows {
		return fmt.Errorf("a table of %d rows", len(rows))
	}
	for i, r := range rows {
		if len(r.Key) > maxText || len(r.Value) > maxText || i > 0 && rows[i-1].Key >= r.Key {
			return fmt.Errorf("row %d of a table is too long or out of order", i)
		}
	}
	return nil
}

// change is a row of a piece.
type change struct {
	Row
	gone bool
}

func whole(rows []Row) []change {
	all := make([]change, len(rows))
	for i, r := range rows {
		all[i].Row = r
	}
	return all
}

// differences are the changes that make now of old.
func differences(old, now []Row) (all []change) {
	for len(old) > 0 || len(now) > 0 {
		switch {
		case len(now) == 0 || len(old) > 0 && old[0].Key < now[0].Key:
			all = append(all, change{Row{Key: old[0].Key}, true})
			old = old[1:]
		case len(old) == 0 || now[0].Key < old[0].Key:
			all = append(all, change{Row: now[0]})
			now = now[1:]
		default:
			if old[0].Value != now[0].Value {
				all = append(all, change{Row: now[0]})
			}
			old, now = old[1:], now[1:]
		}
	}
	return all
}

// window returns the next part of the rows behind a key, sorted, and its last key.
func window(rows []Row, after string) (part []Row, last string) {
	if len(rows) == 0 {
		return nil, after
	}
	n := (len(rows) + windows - 1) / windows
	first, _ := slices.BinarySearchFunc(rows, after, func(r Row, k string) int {
		if r.Key <= k {
			return -1
		}
		return 1
	})
	for i := range n {
		part = append(part, rows[(first+i)%len(rows)])
	}
	last = part[n-1].Key
	slices.SortFunc(part, func(a, b Row) int { return strings.Compare(a.Key, b.Key) })
	return part, last
}

// merge merges two sorted lists; of a key in both that of a stays.
func merge(a, b []change) []change {
	all := append(slices.Clone(a), b...)
	slices.SortStableFunc(all, func(x, y change) int { return strings.Compare(x.Key, y.Key) })
	return slices.CompactFunc(all, func(x, y change) bool { return x.Key == y.Key })
}

// between reports whether a key lies behind from and not behind to, in a circle.
func between(key, from, to string) bool {
	if from < to {
		return from < key && key <= to
	}
	return key > from || key <= to
}

// Load reads a table. get returns a piece by its name, to be kept until the next
// call. The error is get's, or wraps ErrDamaged.
func Load(id ID, get func(ID) ([]byte, error)) (*Table, error) {
	t := &Table{ID: id}
	rows := map[string]change{}
	var lo, hi string
	for next := id; ; {
		if len(t.Chain) == maxChain || slices.Contains(t.Chain, next) {
			return nil, fmt.Errorf("%w: a chain of more than %d pieces, or a circle", ErrDamaged, maxChain)
		}
		data, err := get(next)
		if err != nil {
			return nil, err
		}
		p, err := parse(data)
		if err != nil {
			return nil, err
		}
		first := len(t.Chain) == 0
		t.Chain = append(t.Chain, next)
		if first {
			t.end, lo, hi = p.to, p.from, p.to
		} else if !p.full && p.to != lo {
			return nil, fmt.Errorf("%w: windows do not follow on each other", ErrDamaged)
		}
		for _, r := range p.rows {
			if _, decided := rows[r.Key]; decided || !first && between(r.Key, lo, hi) {
				continue
			}
			rows[r.Key] = r
		}
		if p.full || !first && (p.from == hi || between(hi, p.from, lo)) {
			break
		}
		lo, next = p.from, p.base
	}
	for _, r := range rows {
		if !r.gone {
			t.Rows = append(t.Rows, r.Row)
		}
	}
	slices.SortFunc(t.Rows, func(a, b Row) int { return strings.Compare(a.Key, b.Key) })
	return t, nil
}
