package diff

import (
	"fmt"
	"strings"

	"strata/anvil/store"
	"strata/nbt"
	"strata/nbt/snbt"
)

// objects are what can be told apart in a document by where it is, or who.
type objects struct {
	what string
	key  []string
	list func(content nbt.Tag) []nbt.Tag
}

// listed returns the elements of the first member that there is.
func listed(names ...string) func(nbt.Tag) []nbt.Tag {
	return func(content nbt.Tag) []nbt.Tag {
		for _, name := range names {
			if list := content.Get(name); list.Exists() {
				return elements(list)
			}
		}
		return nil
	}
}

// points are the records of all sections of points of interest.
func points(content nbt.Tag) (all []nbt.Tag) {
	for _, section := range content.Get("Sections").Members() {
		all = append(all, elements(section.Get("Records"))...)
	}
	return all
}

// objectsOf is what there is in the documents of a kind.
var objectsOf = map[store.Kind][]objects{
	store.Chunks: {
		{"block_entity", []string{"x", "y", "z"}, listed("block_entities", "TileEntities")},
		{"entity", []string{"UUID"}, listed("entities", "Entities")},
		{"entity", []string{"UUIDMost", "UUIDLeast"}, listed("entities", "Entities")},
	},
	store.Entities: {{"entity", []string{"UUID"}, listed("Entities")}},
	store.POI:      {{"poi", []string{"pos"}, points}},
}

// compareObjects fills in which objects of two documents differ. Those without a
// key, or that share one, are seen as paths alone.
func compareObjects(r *Record, k store.Kind, a, b nbt.Tag, d *walker, o *Options) {
	for _, kind := range objectsOf[k] {
		old, ok := byKey(withKey(kind.list(content(a)), kind.key), kind.key)
		if !ok {
			continue
		}
		if now, ok := byKey(withKey(kind.list(content(b)), kind.key), kind.key); ok {
			pairs(old, now, func(_ []byte, a, b nbt.Tag) { addObject(r, kind, a, b, d, o) })
		}
	}
}

func content(root nbt.Tag) nbt.Tag {
	if level := root.Get("Level"); level.Exists() {
		return level
	}
	return root
}

func withKey(all []nbt.Tag, key []string) []nbt.Tag {
	kept := all[:0]
	for _, t := range all {
		if t.Get(key[0]).Exists() && t.Get(key[len(key)-1]).Exists() {
			kept = append(kept, t)
		}
	}
	return kept
}

func addObject(r *Record, kind objects, a, b nbt.Tag, d *walker, o *Options) {
	c := ObjectChange{What: kind.what, Class: Modified, Changes: 1}
	some := a
	switch {
	case d.skip(a, b):
		return
	case !a.Exists():
		c.Class, some = Created, b
	case !b.Exists():
		c.Class = Deleted
	default:
		one := walker{old: d.old, now: d.now}
		one.value(a, b)
		if one.changes == 0 {
			return
		}
		c.Changes = one.changes
	}
	r.Objects++
	if len(r.ObjectList) >= o.Paths {
		return
	}
	name := some.Get("id")
	if kind.what == "poi" {
		name = some.Get("type")
	}
	c.ID, _ = name.Text()
	c.Key = keyText(some, kind.key)
	r.ObjectList = append(r.ObjectList, c)
}

// keyText is a key for people: a position as x,y,z, a UUID in its usual form.
func keyText(t nbt.Tag, key []string) string {
	if len(key) == 1 {
		value := t.Get(key[0])
		if key[0] == "UUID" && value.Type() == nbt.TypeIntArray && value.Len() == 4 {
			b := value.Raw().Data[4:]
			return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
		}
		if value.Type() == nbt.TypeIntArray && value.Len() <= 4 {
			return joined(value)
		}
		return short(value)
	}
	texts := make([]string, len(key))
	for i, k := range key {
		texts[i] = string(snbt.Append(nil, t.Get(k), snbt.Compact))
	}
	return strings.Join(texts, ",")
}

func joined(array nbt.Tag) string {
	var texts []string
	for _, item := range array.Items() {
		n, _ := item.Int()
		texts = append(texts, fmt.Sprint(n))
	}
	return strings.Join(texts, ",")
}
