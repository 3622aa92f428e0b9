package registry

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// Kind says where the entries of a registry come from.
type Kind uint8

const (
	// Fixed registries are part of the game: every server and client of a
	// version has the same numbers.
	Fixed Kind = iota
	// Synced registries come from data packs and are sent to clients, in whose
	// order their numbers are: here those of the game's own pack.
	Synced
	// Data registries come from data packs and are not sent. Their numbers
	// mean nothing outside this package: entries are sorted by name.
	Data
)

// String returns "fixed", "synced" or "data".
func (k Kind) String() string {
	switch k {
	case Fixed:
		return "fixed"
	case Synced:
		return "synced"
	case Data:
		return "data"
	}
	return "unknown"
}

// Registry is the names and numbers of one registry in one version. It is
// immutable. A nil Registry is empty.
type Registry struct {
	key      string
	kind     Kind
	names    []string // by number
	fallback int32
	once     sync.Once
	index    map[string]int32 // by name, without the game's namespace
}

// Of returns a registry by its key, such as "minecraft:item" or "item", or
// nil if the version has no such registry.
func Of(key string, v Version) *Registry {
	return of(v).names().byKey[strings.TrimPrefix(key, namespace)]
}

// Registries returns all registries of a version: the fixed ones, the synced
// ones in the order they are sent, and those of data with tags.
func Registries(v Version) []*Registry { return slices.Clone(of(v).names().list) }

// Key returns the registry's own name, with namespace.
func (r *Registry) Key() string {
	if r == nil {
		return ""
	}
	return r.key
}

// Kind returns where the entries come from.
func (r *Registry) Kind() Kind {
	if r == nil {
		return Fixed
	}
	return r.kind
}

// Len returns the number of entries; their numbers are 0 to Len-1.
func (r *Registry) Len() int {
	if r == nil {
		return 0
	}
	return len(r.names)
}

// Name returns the name of a number, with namespace, and false if there is no
// such entry.
func (r *Registry) Name(id int32) (string, bool) {
	if r == nil || id < 0 || int(id) >= len(r.names) {
		return "", false
	}
	return r.names[id], true
}

// ID returns the number of a name, and false if there is no such entry. A
// name without namespace is one of the game's. Nothing is allocated, but the
// first call builds the index.
func (r *Registry) ID(name string) (int32, bool) {
	if r == nil {
		return 0, false
	}
	r.once.Do(r.buildIndex)
	id, ok := r.index[strings.TrimPrefix(name, namespace)]
	return id, ok && nameIs(r.names[id], name)
}

// IDBytes is [Registry.ID] of a name in bytes.
func (r *Registry) IDBytes(name []byte) (int32, bool) {
	if r == nil {
		return 0, false
	}
	r.once.Do(r.buildIndex)
	bare := name
	if len(name) >= len(namespace) && string(name[:len(namespace)]) == namespace {
		bare = name[len(namespace):]
	}
	id, ok := r.index[string(bare)]
	return id, ok && nameIs(r.names[id], name)
}

// nameIs reports whether name is full, or full without the game's namespace.
func nameIs[T string | []byte](full string, name T) bool {
	if len(name) != len(full) && len(full) >= len(namespace) && full[:len(namespace)] == namespace {
		full = full[len(namespace):]
	}
	return full == string(name)
}

// Default returns the number of the registry's default entry, such as air,
// and false if it has none.
func (r *Registry) Default() (int32, bool) {
	if r == nil || r.fallback < 0 {
		return 0, false
	}
	return r.fallback, true
}

// All returns numbers and names in order.
func (r *Registry) All() iter.Seq2[int32, string] {
	return func(yield func(int32, string) bool) {
		if r == nil {
			return
		}
		for i, name := range r.names {
			if !yield(int32(i), name) {
				return
			}
		}
	}
}

func (r *Registry) buildIndex() {
	r.index = make(map[string]int32, len(r.names))
	for i, name := range r.names {
		r.index[strings.TrimPrefix(name, namespace)] = int32(i)
	}
}

// nameTable is the section "names": all registries of a version.
type nameTable struct {
	list   []*Registry
	byKey  map[string]*Registry // without namespace
	synced []*Registry
}

// decodeNames reads n, then n registries: name, kind, number of the default
// entry plus one, m, then m names.
func decodeNames(data []byte) (*nameTable, error) {
	d := newTextDecoder(data)
	t := &nameTable{byKey: map[string]*Registry{}}
	for range d.count() {
		key := d.string()
		r := &Registry{key: withNamespace(key), kind: Kind(d.number())}
		fallback := d.number()
		r.names = make([]string, d.count())
		r.fallback = int32(fallback - 1)
		if r.kind > Data || fallback > len(r.names) {
			d.fail("registry %s: kind %d, default %d", key, r.kind, fallback)
		}
		for i := range r.names {
			r.names[i] = d.string()
		}
		t.list = append(t.list, r)
		t.byKey[key] = r
		if r.kind == Synced {
			t.synced = append(t.synced, r)
		}
	}
	addNamespaces(t.list)
	return t, d.end()
}

// addNamespaces completes the names, all of them in one allocation.
func addNamespaces(list []*Registry) {
	size := 0
	for _, r := range list {
		for _, name := range r.names {
			size += len(namespace) + len(name)
		}
	}
	var b strings.Builder
	b.Grow(size)
	for _, r := range list {
		for i, name := range r.names {
			if strings.Contains(name, ":") {
				continue
			}
			at := b.Len()
			b.WriteString(namespace)
			b.WriteString(name)
			r.names[i] = b.String()[at:]
		}
	}
}

// get returns a registry that a section refers to; one that is not there
// fails the section.
func (t *nameTable) get(d *decoder, key string) *Registry {
	r := t.byKey[key]
	if r == nil {
		d.fail("no registry %s", key)
		return &Registry{}
	}
	return r
}
