package registry

import (
	"slices"
	"strings"
	"sync"
)

// TagRegistry is the tags of one registry. It is immutable; a nil TagRegistry
// has none.
type TagRegistry struct {
	registry *Registry
	tags     []Tag // sorted by name
	index    map[string]*Tag
}

// Tag is a named set of entries of a registry, with tags in tags resolved. It
// is immutable; a nil Tag is empty.
type Tag struct {
	name string
	ids  []int32
	once sync.Once
	bits []uint64
}

// Tags returns the tags of every registry that has some, as the game's own
// data pack has them, sorted by the registry's key.
func Tags(v Version) []*TagRegistry { return slices.Clone(of(v).tags()) }

// TagsOf returns the tags of a registry by its key, or nil if it has none.
func TagsOf(key string, v Version) *TagRegistry {
	key = strings.TrimPrefix(key, namespace)
	for _, t := range of(v).tags() {
		if t.registry.key[len(namespace):] == key {
			return t
		}
	}
	return nil
}

// Registry returns the registry whose entries the tags name.
func (t *TagRegistry) Registry() *Registry {
	if t == nil {
		return nil
	}
	return t.registry
}

// Sent reports whether a server sends these tags to clients: those of fixed
// and of synced registries.
func (t *TagRegistry) Sent() bool { return t != nil && t.registry.kind != Data }

// Len returns the number of tags.
func (t *TagRegistry) Len() int {
	if t == nil {
		return 0
	}
	return len(t.tags)
}

// At returns the i-th tag by name.
func (t *TagRegistry) At(i int) *Tag { return &t.tags[i] }

// Tag returns a tag by its name, with or without the game's namespace and
// without a number sign, or nil.
func (t *TagRegistry) Tag(name string) *Tag {
	if t == nil {
		return nil
	}
	return t.index[strings.TrimPrefix(name, namespace)]
}

// Name returns the tag's name, with namespace and without a number sign.
func (t *Tag) Name() string {
	if t == nil {
		return ""
	}
	return t.name
}

// IDs returns the numbers of the entries in the order of the data pack, each
// once. The result must not be changed.
func (t *Tag) IDs() []int32 {
	if t == nil {
		return nil
	}
	return t.ids
}

// Has reports whether an entry is in the tag. Nothing is allocated, but the
// first call builds a set of bits.
func (t *Tag) Has(id int32) bool {
	if t == nil || id < 0 {
		return false
	}
	t.once.Do(t.buildBits)
	word := int(id >> 6)
	return word < len(t.bits) && t.bits[word]&(1<<(id&63)) != 0
}

func (t *Tag) buildBits() {
	if len(t.ids) == 0 {
		return
	}
	t.bits = make([]uint64, slices.Max(t.ids)>>6+1)
	for _, id := range t.ids {
		t.bits[id>>6] |= 1 << (id & 63)
	}
}

// decodeTags reads n, then n of: number of a registry, m, then m tags: name,
// k, then k numbers of entries as differences from the one before.
func decodeTags(data []byte, names *nameTable) ([]*TagRegistry, error) {
	d := newTextDecoder(data)
	list := make([]*TagRegistry, d.count())
	for i := range list {
		t := &TagRegistry{registry: names.list[d.index(len(names.list))], tags: make([]Tag, d.count())}
		t.index = make(map[string]*Tag, len(t.tags))
		for j := range t.tags {
			tag := &t.tags[j]
			name := d.string()
			tag.name = withNamespace(name)
			tag.ids = make([]int32, d.count())
			id := int32(0)
			for k := range tag.ids {
				id += d.signed()
				if id < 0 || int(id) >= len(t.registry.names) {
					d.fail("tag %s: entry %d of %d", name, id, len(t.registry.names))
					break
				}
				tag.ids[k] = id
			}
			t.index[name] = tag
		}
		list[i] = t
	}
	return list, d.end()
}
