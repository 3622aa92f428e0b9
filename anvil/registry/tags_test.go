package registry

import (
	"slices"
	"testing"
)

func TestTagTotals(t *testing.T) {
	for i, want := range []int{758, 794} {
		v := Versions()[i]
		tags, sent := 0, 0
		for _, r := range Tags(v) {
			tags += r.Len()
			if r.Sent() {
				sent++
			}
		}
		if tags != want || len(Tags(v)) != 20 || sent != 15 {
			t.Errorf("%v: %d tags of %d registries, %d of them sent", v, tags, len(Tags(v)), sent)
		}
	}
}

func TestTagsHoldTheirEntriesOnce(t *testing.T) {
	for _, v := range Versions() {
		for _, r := range Tags(v) {
			if TagsOf(r.Registry().Key(), v) != r {
				t.Errorf("tags of %s are not found", r.Registry().Key())
			}
			for i := range r.Len() {
				tag := r.At(i)
				if r.Tag(tag.Name()) != tag || r.Tag(tag.Name()[len(namespace):]) != tag {
					t.Errorf("tag %s is not found by its name", tag.Name())
				}
				checkTag(t, r.Registry(), tag)
			}
		}
	}
}

func checkTag(t *testing.T, r *Registry, tag *Tag) {
	t.Helper()
	sorted := slices.Sorted(slices.Values(tag.IDs()))
	if len(slices.Compact(sorted)) != len(tag.IDs()) {
		t.Errorf("tag %s has an entry twice", tag.Name())
	}
	for id := range r.All() {
		_, want := slices.BinarySearch(sorted, id)
		if tag.Has(id) != want {
			t.Errorf("tag %s has %d: %v", tag.Name(), id, tag.Has(id))
		}
	}
	if tag.Has(-1) || tag.Has(1<<30) {
		t.Errorf("tag %s has what does not exist", tag.Name())
	}
}

func TestTagsInTagsAreResolved(t *testing.T) {
	for _, test := range []struct{ key, tag, entry string }{
		{"block", "mineable/pickaxe", "stone"},
		{"item", "logs", "stripped_oak_log"},
		{"fluid", "water", "flowing_water"},
		{"enchantment", "curse", "vanishing_curse"},
		{"timeline", "in_overworld", "day"},
		{"worldgen/structure", "village", "village_plains"},
	} {
		tags := TagsOf(test.key, V26_2)
		id, ok := tags.Registry().ID(test.entry)
		if !ok || !tags.Tag(test.tag).Has(id) {
			t.Errorf("%s is not in the tag %s of %s", test.entry, test.tag, test.key)
		}
	}
	var none *TagRegistry
	if TagsOf("sound_event", V26_2) != nil || none.Tag("x") != nil || none.Len() != 0 || none.Sent() || none.Registry() != nil {
		t.Error("a registry without tags has some")
	}
	unknown := TagsOf("block", V26_2).Tag("nothing")
	if unknown != nil || unknown.Has(0) || unknown.IDs() != nil || unknown.Name() != "" {
		t.Error("an unknown tag has entries")
	}
}
