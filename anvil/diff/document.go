package diff

import (
	"bytes"
	"slices"

	"strata/nbt"
)

// Documents compares two documents in the form that files have. The errors are
// *nbt.SyntaxError.
func Documents(old, now []byte, o Options) (*Document, error) {
	var a, b nbt.Tape
	if err := a.Parse(old); err != nil {
		return nil, err
	}
	if err := b.Parse(now); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	var d walker
	d.begin(&o, a.Root(), b.Root(), false)
	d.value(a.Root(), b.Root())
	return d.document(), nil
}

// maxPatterns is how many paths are counted apart; what is beyond counts as
// otherPattern.
const (
	maxPatterns  = 1000
	otherPattern = "(other paths)"
)

// walker goes through two documents at the same time.
type walker struct {
	old, now ignored
	keep     int
	list     []PathChange
	changes  int64
	patterns map[string]int64 // nil: not counted

	path, pattern []byte
	// times: LastUpdate and InhabitedTime are not content. content is set when
	// anything else differs.
	times   bool
	content bool
}

// begin makes the walker ready for two documents.
func (d *walker) begin(o *Options, a, b nbt.Tag, times bool) {
	*d = walker{
		old: o.Ignore.in(a), now: o.Ignore.in(b), keep: o.Paths, patterns: d.patterns,
		path: d.path[:0], pattern: d.pattern[:0], times: times,
	}
}

func (d *walker) document() *Document {
	list := d.list
	if list == nil {
		list = []PathChange{}
	}
	return &Document{Changes: d.changes, Paths: list}
}

// skip reports whether a place does not count.
func (d *walker) skip(a, b nbt.Tag) bool {
	return len(d.old) > 0 && a.Exists() && d.old.has(a) || len(d.now) > 0 && b.Exists() && d.now.has(b)
}

// value compares two tags at the same place, either of which may not exist.
func (d *walker) value(a, b nbt.Tag) {
	switch {
	case d.skip(a, b):
	case a.Type() != b.Type():
		d.differ(a, b)
	case bytes.Equal(a.Raw().Data, b.Raw().Data):
	case a.Type() == nbt.TypeCompound:
		d.compounds(a, b)
	case a.Type() == nbt.TypeList:
		d.lists(a, b)
	default:
		d.differ(a, b)
	}
}

// differ counts a place that differs.
func (d *walker) differ(a, b nbt.Tag) {
	d.changes++
	if !d.times || !isTime(d.pattern) {
		d.content = true
	}
	if d.patterns != nil {
		if _, known := d.patterns[string(d.pattern)]; known || len(d.patterns) < maxPatterns {
			d.patterns[string(d.pattern)]++
		} else {
			d.patterns[otherPattern]++
		}
	}
	if len(d.list) < d.keep {
		d.list = append(d.list, PathChange{string(d.path), short(a), short(b)})
	}
}

// isTime reports whether a path is that of what changes while nothing happens.
func isTime(path []byte) bool {
	path = bytes.TrimPrefix(path, []byte("Level."))
	return string(path) == "LastUpdate" || string(path) == "InhabitedTime"
}

// member is a member of a compound, or an element of a list by its key.
type member struct {
	name []byte
	tag  nbt.Tag
}

// members are the members of a compound by name; of those with the same name the
// last one counts.
func members(t nbt.Tag) []member {
	var all []member
	for name, tag := range t.Members() {
		all = append(all, member{name, tag})
	}
	return lastOfEach(all)
}

// lastOfEach sorts by name, and of those with the same name leaves the last one.
func lastOfEach(all []member) []member {
	slices.SortStableFunc(all, func(a, b member) int { return bytes.Compare(a.name, b.name) })
	kept := all[:0]
	for i, m := range all {
		if i+1 < len(all) && bytes.Equal(m.name, all[i+1].name) {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// pairs calls f with what two sorted lists have of each name.
func pairs(a, b []member, f func(name []byte, a, b nbt.Tag)) {
	for len(a) > 0 || len(b) > 0 {
		var order int
		switch {
		case len(a) == 0:
			order = 1
		case len(b) == 0:
			order = -1
		default:
			order = bytes.Compare(a[0].name, b[0].name)
		}
		switch {
		case order < 0:
			f(a[0].name, a[0].tag, nbt.Tag{})
			a = a[1:]
		case order > 0:
			f(b[0].name, nbt.Tag{}, b[0].tag)
			b = b[1:]
		default:
			f(a[0].name, a[0].tag, b[0].tag)
			a, b = a[1:], b[1:]
		}
	}
}

func (d *walker) compounds(a, b nbt.Tag) {
	path, pattern := len(d.path), len(d.pattern)
	pairs(members(a), members(b), func(name []byte, a, b nbt.Tag) {
		d.path = appendName(d.path, name)
		d.pattern = appendName(d.pattern, name)
		d.value(a, b)
		d.path, d.pattern = d.path[:path], d.pattern[:pattern]
	})
}

func (d *walker) lists(a, b nbt.Tag) {
	x, y := elements(a), elements(b)
	path, pattern := len(d.path), len(d.pattern)
	d.pattern = append(d.pattern, "[]"...)
	defer func() { d.pattern = d.pattern[:pattern] }()
	if old, now, key := keyed(x, y); key != nil {
		pairs(old, now, func(_ []byte, a, b nbt.Tag) {
			d.path = appendKey(d.path, key, a, b)
			d.value(a, b)
			d.path = d.path[:path]
		})
		return
	}
	first := 0
	for first < min(len(x), len(y)) && sameBytes(x[first], y[first]) {
		first++
	}
	end := 0
	for len(x) != len(y) && end < min(len(x), len(y))-first && sameBytes(x[len(x)-1-end], y[len(y)-1-end]) {
		end++
	}
	for i := first; i < max(len(x), len(y))-end; i++ {
		d.path = appendIndex(d.path, i)
		d.value(elementAt(x, i, end), elementAt(y, i, end))
		d.path = d.path[:path]
	}
}

func elementAt(all []nbt.Tag, i, end int) nbt.Tag {
	if i < len(all)-end {
		return all[i]
	}
	return nbt.Tag{}
}

func elements(t nbt.Tag) []nbt.Tag {
	all := make([]nbt.Tag, 0, t.Len())
	for _, e := range t.Elements() {
		all = append(all, e)
	}
	return all
}

func sameBytes(a, b nbt.Tag) bool {
	return a.Type() == b.Type() && bytes.Equal(a.Raw().Data, b.Raw().Data)
}
