package registry

import (
	"strings"
	"sync"
)

// Translation turns the numbers of a registry in one version into those of
// another, by name. It is immutable; a nil Translation knows nothing.
type Translation struct {
	from, to *Registry
	exact    []int32 // by number in from, -1 for what is missing
	nearest  []int32 // the same with substitutes
}

type translationKey struct {
	registry string
	from, to Version
}

var translations sync.Map // translationKey to *Translation

// Translate returns the translation of a registry's numbers, or nil if one of
// the versions has no such registry. It is worked out once and kept.
func Translate(key string, from, to Version) *Translation {
	id := translationKey{strings.TrimPrefix(key, namespace), from, to}
	if t, ok := translations.Load(id); ok {
		return t.(*Translation)
	}
	a, b := Of(key, from), Of(key, to)
	if a == nil || b == nil {
		return nil
	}
	t, _ := translations.LoadOrStore(id, newTranslation(a, b, substitutes[id.registry]))
	return t.(*Translation)
}

func newTranslation(from, to *Registry, others map[string]string) *Translation {
	t := &Translation{from: from, to: to, exact: make([]int32, from.Len()), nearest: make([]int32, from.Len())}
	for id, name := range from.All() {
		t.exact[id], t.nearest[id] = -1, -1
		if other, ok := to.ID(name); ok {
			t.exact[id], t.nearest[id] = other, other
		} else if other, ok := to.ID(others[strings.TrimPrefix(name, namespace)]); ok {
			t.nearest[id] = other
		}
	}
	return t
}

// ID returns the number of the entry with the same name, and false if the
// other version does not have it.
func (t *Translation) ID(id int32) (int32, bool) {
	if t == nil || id < 0 || int(id) >= len(t.exact) || t.exact[id] < 0 {
		return 0, false
	}
	return t.exact[id], true
}

// Nearest returns the number to show for an entry: the one of the same name,
// with exact true, or what stands in for it in a version that does not have
// it. It returns -1 if nothing does: such a thing is left out.
func (t *Translation) Nearest(id int32) (other int32, exact bool) {
	if t == nil || id < 0 || int(id) >= len(t.nearest) {
		return -1, false
	}
	return t.nearest[id], t.exact[id] >= 0
}

// Missing returns the names that the other version does not have.
func (t *Translation) Missing() []string {
	if t == nil {
		return nil
	}
	var names []string
	for id, name := range t.from.All() {
		if t.exact[id] < 0 {
			names = append(names, name)
		}
	}
	return names
}
