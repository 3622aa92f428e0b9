package nbt

import (
	"bytes"
	"errors"
	"testing"
)

// oracle edits a document the slow way: as a tree that is changed and written
// anew.
type oracle struct {
	mixed    bool
	wild     bool // used for the nodes alone
	root     *oracleNode
	all      []*oracleNode
	conflict bool
}

type oracleNode struct {
	tag     Tag
	name    []byte // modified UTF-8
	parent  *oracleNode
	index   int // in the parent
	kids    []*oracleNode
	changed *Raw
	removed bool
	before  map[int][]Raw // inserted before an element, or at the end
	added   []oracleMember
}

type oracleMember struct {
	name  string
	value Raw
}

func newOracle(root Tag, mixed bool) *oracle {
	o := &oracle{mixed: mixed}
	if root.Exists() {
		o.root = o.node(root, nil, nil, 0)
	}
	return o
}

func (o *oracle) node(tag Tag, name []byte, parent *oracleNode, index int) *oracleNode {
	n := &oracleNode{tag: tag, name: name, parent: parent, index: index, before: map[int][]Raw{}}
	o.all = append(o.all, n)
	switch {
	case tag.kind == TypeCompound:
		for name, member := range tag.Members() {
			n.kids = append(n.kids, o.node(member, name, n, len(n.kids)))
		}
	case tag.kind == TypeList:
		for i, e := range tag.Elements() {
			n.kids = append(n.kids, o.node(e, nil, n, i))
		}
	case tag.kind.Array():
		for i, e := range tag.Items() {
			n.kids = append(n.kids, o.node(e, nil, n, i))
		}
	}
	return n
}

// last returns the last member of that name.
func (n *oracleNode) last(name string) *oracleNode {
	for i := len(n.kids) - 1; i >= 0; i-- {
		if text(n.kids[i].name) == name {
			return n.kids[i]
		}
	}
	return nil
}

func (o *oracle) change(n *oracleNode, value Raw) {
	o.conflict = o.conflict || n.changed != nil || n.removed
	n.changed = &value
}

func (o *oracle) remove(n *oracleNode) {
	o.conflict = o.conflict || n.changed != nil || n.removed
	n.removed = true
}

func (o *oracle) set(n *oracleNode, name string, value Raw) {
	if old := n.last(name); old != nil {
		o.change(old, value)
		return
	}
	for _, m := range n.added {
		o.conflict = o.conflict || m.name == name
	}
	n.added = append(n.added, oracleMember{name, value})
}

// overlaps reports whether there are edits within what is replaced or removed.
func (n *oracleNode) overlaps(covered bool) bool {
	edited := n.changed != nil || n.removed || len(n.before) > 0 || len(n.added) > 0
	if covered && edited || (n.changed != nil || n.removed) && (len(n.before) > 0 || len(n.added) > 0) {
		return true
	}
	for _, kid := range n.kids {
		if kid.overlaps(covered || n.changed != nil || n.removed) {
			return true
		}
	}
	return false
}

// write returns the tag as it is after the edits.
func (o *oracle) write(n *oracleNode) (Raw, error) {
	if n.changed != nil {
		return *n.changed, nil
	}
	var w Writer // a network document: the payload follows its type
	var err error
	switch {
	case n.tag.kind == TypeCompound:
		err = o.writeCompound(&w, n)
	case n.tag.kind == TypeList:
		err = o.writeList(&w, n)
	case n.tag.kind.Array():
		return o.writeArray(n)
	default:
		return n.tag.Raw(), nil
	}
	if err != nil {
		return Raw{}, err
	}
	data, err := w.Bytes()
	if err != nil {
		return Raw{}, err
	}
	return Raw{n.tag.kind, data[1:]}, nil
}

func (o *oracle) writeCompound(w *Writer, n *oracleNode) error {
	w.BeginCompound()
	for _, kid := range n.kids {
		if kid.removed {
			continue
		}
		value, err := o.write(kid)
		if err != nil {
			return err
		}
		w.NameBytes(kid.name).Raw(value)
	}
	for _, m := range n.added {
		w.Name(m.name).Raw(m.value)
	}
	w.End()
	return nil
}

// oracleItem is an element of an edited list, at the level of values.
type oracleItem struct {
	value Raw
	wrap  bool // what its form in a list of several types is
}

func (o *oracle) writeList(w *Writer, n *oracleNode) error {
	edited := len(n.before) > 0
	for _, kid := range n.kids {
		edited = edited || kid.changed != nil || kid.removed
	}
	several, needed := map[Type]bool{}, true
	for _, kid := range n.kids {
		inner := oracleUnwrap(kid)
		several[inner.tag.kind] = true
		needed = needed && (inner == kid || inner.tag.kind != TypeCompound || oracleUnwrap(inner) != inner)
	}
	wasMixed := o.mixed && edited && n.tag.Elem() == TypeCompound && len(several) > 1 && needed
	var items []oracleItem
	for i := 0; i <= len(n.kids); i++ {
		for _, value := range n.before[i] {
			items = append(items, oracleItem{value, oracleWraps(value)})
		}
		if i == len(n.kids) || n.kids[i].removed {
			continue
		}
		kid := n.kids[i]
		if wasMixed && kid.changed == nil && oracleUnwrap(kid) != kid {
			value, err := o.write(oracleUnwrap(kid))
			if err != nil {
				return err
			}
			items = append(items, oracleItem{value, true})
			continue
		}
		value, err := o.write(kid)
		if err != nil {
			return err
		}
		wrap := oracleWraps(value)
		if kid.changed == nil {
			wrap = !wasMixed && oracleWraps(kid.tag.Raw())
		}
		items = append(items, oracleItem{value, wrap})
	}
	return o.writeItems(w, n, items, edited)
}

func (o *oracle) writeItems(w *Writer, n *oracleNode, items []oracleItem, edited bool) error {
	mixed := false
	for _, it := range items {
		mixed = mixed || it.value.Type != items[0].value.Type
	}
	switch {
	case mixed && !o.mixed:
		return ErrElementType
	case !edited:
		w.BeginList(n.tag.Elem(), len(items))
	case len(items) == 0:
		w.BeginList(TypeEnd, 0)
	default:
		w.BeginList(TypeEnd, -1)
	}
	for _, it := range items {
		if mixed && it.wrap {
			w.BeginCompound()
			w.Name("").Raw(it.value)
			w.End()
			continue
		}
		w.Raw(it.value)
	}
	w.End()
	return nil
}

// oracleUnwrap returns the only member of a compound if its name is "".
func oracleUnwrap(n *oracleNode) *oracleNode {
	if n.tag.kind == TypeCompound && len(n.kids) == 1 && len(n.kids[0].name) == 0 {
		return n.kids[0]
	}
	return n
}

func oracleWraps(value Raw) bool {
	if value.Type != TypeCompound {
		return true
	}
	var t Tape
	if err := t.ParseNetwork(append([]byte{byte(TypeCompound)}, value.Data...)); err != nil {
		panic(err)
	}
	return t.Root().Len() == 1 && t.Root().Get("").Exists()
}

func (o *oracle) writeArray(n *oracleNode) (Raw, error) {
	var data []byte
	count := 0
	put := func(value Raw) {
		data = append(data, value.Data...)
		count++
	}
	for i := 0; i <= len(n.kids); i++ {
		for _, value := range n.before[i] {
			put(value)
		}
		if i < len(n.kids) && !n.kids[i].removed {
			value, err := o.write(n.kids[i])
			if err != nil {
				return Raw{}, err
			}
			put(value)
		}
	}
	head := []byte{byte(count >> 24), byte(count >> 16), byte(count >> 8), byte(count)}
	return Raw{n.tag.kind, append(head, data...)}, nil
}

// check compares the result of an edit with the oracle's.
func (o *oracle) check(tb testing.TB, e *Edit) {
	tb.Helper()
	got, err := e.AppendTo([]byte("before"))
	conflict := o.conflict || o.root.overlaps(false)
	want, wantErr := o.write(o.root)
	switch {
	case conflict:
		if !errors.Is(err, ErrOverlap) && !errors.Is(err, ErrElementType) {
			tb.Fatalf("overlapping edits: %v", err)
		}
		return
	case wantErr != nil:
		if !errors.Is(err, wantErr) {
			tb.Fatalf("got %v, want %v", err, wantErr)
		}
		return
	case err != nil:
		tb.Fatal(err)
	}
	var w Writer
	w.Reset([]byte("before"))
	if e.tape.Rooted() {
		w.NameBytes(e.tape.RootName())
	}
	w.Raw(want)
	document, err := w.Bytes()
	if err != nil {
		tb.Fatal(err)
	}
	if !bytes.Equal(got, document) {
		tb.Fatalf("got  %x\nwant %x\nfrom %x", got[6:], document[6:], e.tape.Data())
	}
	if size, err := e.Size(); err != nil || size != len(got)-6 {
		tb.Fatalf("Size %d, %v, want %d", size, err, len(got)-6)
	}
	o.parses(tb, e, got[6:])
}

// parses checks that the result of an edit is a document.
func (o *oracle) parses(tb testing.TB, e *Edit, result []byte) {
	tb.Helper()
	t := Tape{Limits: e.tape.Limits}
	var err error
	if e.tape.Rooted() {
		err = t.Parse(result)
	} else {
		err = t.ParseNetwork(result)
	}
	if err != nil || t.Size() != len(result) {
		tb.Fatalf("%x does not parse: %v", result, err)
	}
}
