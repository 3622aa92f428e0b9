package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"strata/nbt"
	"strata/nbt/snbt"
)

// elementKeys are what elements of lists are told apart by, the first one that
// all have. Their order in a list is not content. Elements of palettes have none
// of them: there the order counts.
var elementKeys = [][]string{{"UUID"}, {"UUIDMost", "UUIDLeast"}, {"x", "y", "z"}, {"Y"}, {"pos"}, {"Slot"}}

// keyed returns the elements of two lists by their keys, sorted. key is nil if
// there is none that tells them apart.
func keyed(a, b []nbt.Tag) (old, now []member, key []string) {
	if len(a)+len(b) == 0 {
		return nil, nil, nil
	}
	for _, key := range elementKeys {
		old, ok := byKey(a, key)
		if !ok {
			continue
		}
		if now, ok := byKey(b, key); ok {
			return old, now, key
		}
	}
	return nil, nil, nil
}

// byKey reports false if an element lacks the key or shares it with another.
func byKey(all []nbt.Tag, key []string) ([]member, bool) {
	sorted := make([]member, 0, len(all))
	for _, t := range all {
		if t.Type() != nbt.TypeCompound {
			return nil, false
		}
		var name []byte
		for _, k := range key {
			value := t.Get(k)
			if !value.Exists() {
				return nil, false
			}
			name = append(append(name, byte(value.Type())), value.Raw().Data...)
		}
		sorted = append(sorted, member{name, t})
	}
	slices.SortFunc(sorted, func(a, b member) int { return bytes.Compare(a.name, b.name) })
	for i := 1; i < len(sorted); i++ {
		if bytes.Equal(sorted[i-1].name, sorted[i].name) {
			return nil, false
		}
	}
	return sorted, true
}

// appendKey appends the node of a path that leads to the element.
func appendKey(path []byte, key []string, a, b nbt.Tag) []byte {
	if !a.Exists() {
		a = b
	}
	path = append(path, "[{"...)
	for i, k := range key {
		if i > 0 {
			path = append(path, ',')
		}
		path = append(append(path, k...), ':')
		path = snbt.Append(path, a.Get(k), snbt.Compact)
	}
	return append(path, "}]"...)
}

func appendIndex(path []byte, i int) []byte {
	path = append(path, '[')
	path = strconv.AppendInt(path, int64(i), 10)
	return append(path, ']')
}

// appendName appends the node of a member with a name in modified UTF-8, in
// quotes if it needs them.
func appendName(path, name []byte) []byte {
	if len(path) > 0 {
		path = append(path, '.')
	}
	if len(name) > 0 && !bytes.ContainsAny(name, "\"'[]{}. ") && utf8.Valid(name) {
		return append(path, name...)
	}
	text := string(nbt.AppendUTF8(nil, name))
	text = strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`)
	return append(append(append(path, '"'), text...), '"')
}

// maxShort is how long the text of a value may be, in bytes.
const maxShort = 120

// short is the text of a value, "" if it does not exist. A large one is only
// described.
func short(t nbt.Tag) string {
	raw := t.Raw()
	if t.Exists() && len(raw.Data) <= maxShort {
		if text := snbt.Append(nil, t, snbt.Compact); len(text) <= maxShort {
			return string(text)
		}
	}
	switch t.Type() {
	case nbt.TypeEnd:
		return ""
	case nbt.TypeByteArray:
		return fmt.Sprintf("[B; %d values]", t.Len())
	case nbt.TypeIntArray:
		return fmt.Sprintf("[I; %d values]", t.Len())
	case nbt.TypeLongArray:
		return fmt.Sprintf("[L; %d values]", t.Len())
	case nbt.TypeList:
		return fmt.Sprintf("[%d elements]", t.Len())
	case nbt.TypeCompound:
		return fmt.Sprintf("{%d members}", t.Len())
	default:
		text := string(snbt.Append(nil, t, snbt.Compact))
		cut := maxShort - 3
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		return text[:cut] + "..."
	}
}
