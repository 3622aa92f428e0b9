package path

import (
	"bytes"

	"strata/nbt"
)

// Matches reports whether pattern is a part of tag, as in filters of paths and
// in the game's nbt= selectors:
//
//   - a compound has all members of the pattern, which match; it may have more
//   - every element of the pattern's list is matched by some element of the
//     list, in any order, several perhaps by one, but of a list that is not
//     shorter; an empty pattern matches only an empty list
//   - everything else has the same type and the same value: 3b matches no 3,
//     strings and arrays are equal as a whole, floats have the same bits
//
// That a list must not be shorter than its pattern holds for 1.21.5 to 26.1;
// in 1.20.4 it may be.
//
// A pattern that does not exist matches everything; a tag that does not exist
// is matched by nothing else.
func Matches(tag, pattern nbt.Tag) bool {
	if !pattern.Exists() {
		return true
	}
	if tag.Type() != pattern.Type() {
		return false
	}
	switch pattern.Type() {
	case nbt.TypeCompound:
		for name, want := range pattern.Members() {
			if !Matches(tag.GetBytes(name), want) {
				return false
			}
		}
		return true
	case nbt.TypeList:
		if pattern.Len() == 0 || tag.Len() < pattern.Len() {
			return tag.Len() == pattern.Len()
		}
		for _, want := range pattern.Items() {
			if !anyMatches(tag, want) {
				return false
			}
		}
		return true
	}
	return bytes.Equal(tag.Raw().Data, pattern.Raw().Data)
}

func anyMatches(list, pattern nbt.Tag) bool {
	for _, item := range list.Items() {
		if Matches(item, pattern) {
			return true
		}
	}
	return false
}
