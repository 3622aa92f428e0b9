package nbt

import "strconv"

// AppendPathKey appends a compound's key, in modified UTF-8, as the game
// writes it in a path: bare where that is possible, else in double quotes.
func AppendPathKey(dst, name []byte) []byte {
	if isBarePathKey(name) {
		return AppendUTF8(dst, name)
	}
	dst = append(dst, '"')
	for _, c := range AppendUTF8(nil, name) {
		if c == '"' || c == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

// isBarePathKey reports whether a key needs no quotes: it is not empty and has
// none of the characters that mean something in a path, and none that do not
// show.
func isBarePathKey(name []byte) bool {
	for _, c := range name {
		switch c {
		case ' ', '"', '\'', '[', ']', '.', '{', '}', '\\', 0xC0: // C0 80 is NUL
			return false
		}
		if c < ' ' || c == 0x7f {
			return false
		}
	}
	return len(name) > 0
}

// appendPathMember appends the step to a member, in modified UTF-8.
func appendPathMember(path, name []byte) []byte {
	if len(path) > 0 {
		path = append(path, '.')
	}
	return AppendPathKey(path, name)
}

// appendPathIndex appends the step to an element.
func appendPathIndex(path []byte, i int) []byte {
	path = append(path, '[')
	path = strconv.AppendInt(path, int64(i), 10)
	return append(path, ']')
}
