package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
)

// document is an entry of a registry: in the versions of the mask it has this
// value.
type document struct {
	id   string
	mask byte
	root *value
}

// encodeDocuments makes the table of documents of all releases.
func encodeDocuments(releases []*release) ([]byte, error) {
	vs := newValues()
	registries := map[string][]*document{}
	for i, r := range releases {
		for _, name := range slices.Sorted(maps.Keys(r.pack)) {
			registry, id, ok := registryOf(name)
			if !ok {
				continue
			}
			root, err := vs.parse(r.pack[name])
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", r.name, name, err)
			}
			registries[registry] = addDocument(registries[registry], id, root, 1<<i)
		}
	}
	w := newWriter(vs)
	return w.table(registries), nil
}

// addDocument adds a document of one version: the one of an older version
// where that is the same.
func addDocument(list []*document, id string, root *value, mask byte) []*document {
	for _, d := range list {
		if d.id == id && d.root == root {
			d.mask |= mask
			return list
		}
	}
	root.uses++
	return append(list, &document{id: id, mask: mask, root: root})
}

// writer turns values into bytes.
type writer struct {
	atoms   numbering // scalars and the names of members
	shapes  numbering // lists of names
	shared  map[*value]int
	ordered []*value // the shared values
	names   map[string][]string
}

// numbering gives the smallest numbers to what is used most.
type numbering struct {
	uses  map[string]int
	ids   map[string]int
	texts []string
}

func (n *numbering) count(text string) {
	if n.uses == nil {
		n.uses = map[string]int{}
	}
	n.uses[text]++
}

func (n *numbering) settle() {
	n.texts = slices.SortedFunc(maps.Keys(n.uses), func(a, b string) int {
		if c := cmp.Compare(n.uses[b], n.uses[a]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	n.ids = make(map[string]int, len(n.texts))
	for i, text := range n.texts {
		n.ids[text] = i
	}
}

func newWriter(vs *values) *writer {
	w := &writer{shared: map[*value]int{}, names: map[string][]string{}}
	for _, v := range vs.list {
		switch v.kind {
		case scalar:
			for range max(v.uses, 1) {
				w.atoms.count(v.text)
			}
		case object:
			shape := fmt.Sprint(v.keys)
			w.shapes.count(shape)
			if w.names[shape] == nil {
				w.names[shape] = v.keys
				for _, k := range v.keys {
					w.atoms.count(k)
				}
			}
			fallthrough
		case array:
			// Children come before their parents, so that a shared value refers
			// to earlier ones only.
			if v.uses > 1 && len(v.items) > 0 {
				w.shared[v] = len(w.ordered)
				w.ordered = append(w.ordered, v)
			}
		}
	}
	w.atoms.settle()
	w.shapes.settle()
	return w
}

// The kinds of values in the table.
const (
	tagAtom = iota
	tagObject
	tagArray
	tagShared
)

func (w *writer) append(b []byte, v *value) []byte {
	if i, ok := w.shared[v]; ok {
		return appendHead(b, tagShared, i)
	}
	return w.appendWhole(b, v)
}

// appendWhole writes a value itself, though it be shared.
func (w *writer) appendWhole(b []byte, v *value) []byte {
	switch v.kind {
	case scalar:
		return appendHead(b, tagAtom, w.atoms.ids[v.text])
	case object:
		b = appendHead(b, tagObject, w.shapes.ids[fmt.Sprint(v.keys)])
	case array:
		b = appendHead(b, tagArray, len(v.items))
	}
	for _, item := range v.items {
		b = w.append(b, item)
	}
	return b
}

func (w *writer) table(registries map[string][]*document) []byte {
	b := appendNumber(nil, len(w.atoms.texts))
	for _, text := range w.atoms.texts {
		b = appendText(b, text)
	}
	b = appendNumber(b, len(w.shapes.texts))
	for _, shape := range w.shapes.texts {
		b = appendNumber(b, len(w.names[shape]))
		for _, k := range w.names[shape] {
			b = appendNumber(b, w.atoms.ids[k])
		}
	}
	b = appendNumber(b, len(w.ordered))
	for _, v := range w.ordered {
		b = appendText(b, string(w.appendWhole(nil, v)))
	}
	b = appendNumber(b, len(registries))
	for _, name := range slices.Sorted(maps.Keys(registries)) {
		list := registries[name]
		slices.SortFunc(list, func(a, b *document) int {
			return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.mask, b.mask))
		})
		b = appendText(b, name)
		b = appendNumber(b, len(list))
		for _, d := range list {
			b = appendText(b, d.id)
			b = append(b, d.mask)
			b = appendText(b, string(w.append(nil, d.root)))
		}
	}
	return b
}

// appendHead begins a value.
func appendHead(b []byte, kind, which int) []byte { return appendNumber(b, which<<2|kind) }

func appendNumber(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

func appendText(b []byte, text string) []byte { return append(appendNumber(b, len(text)), text...) }
