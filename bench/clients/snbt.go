package clients

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// NBTify's SNBT is that of the game before 1.21.5, which added escapes with
// digits, other bases and mixed lists, and has gaps there too. ForNBTify
// closes these without a change of meaning:
//
//   - in byte and long arrays it wants a suffix on every number, in lower
//     case; it refuses "1B" and "1L", and cuts the last digit off a number
//     without one;
//   - it takes a number with the exponent sign E, a leading point or a
//     leading plus for a string, and one with an exponent but without a
//     point and suffix for an int;
//   - it knows the escapes of one letter, without \s, and none with digits:
//     it keeps these as they stand.
//
// What no rewriting mends, and texts for it must avoid: lists of several
// types; roots other than compounds and lists; unquoted strings that begin
// with true or false (they become a byte); numbers in other bases, with
// underscores, or with a suffix for their sign; numbers beyond their type,
// which wrap around without an error; a name "__proto__"; \N{...}. Text after
// the root is ignored. An empty list has no element type, which is so in
// SNBT itself.

var (
	numberToken = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[bBsSlLfFdD]?$`)
	arrayToken  = regexp.MustCompile(`^[+-]?[0-9]+[bBlL]?$`)
)

// ForNBTify returns SNBT text that means the same, in words that NBTify
// knows. The list is beside the function, with what it does not cover.
func ForNBTify(text Text) Text {
	var b strings.Builder
	array := byte(0) // 'b' or 'l' inside such an array
	for rest := string(text); rest != ""; {
		var n int
		switch c := rest[0]; {
		case c == '"' || c == '\'':
			n = quotedLen(rest)
			b.WriteString(unescaped(rest[:n]))
		case isUnquoted(c):
			n = len(rest) - len(strings.TrimLeftFunc(rest, func(r rune) bool { return r < utf8.RuneSelf && isUnquoted(byte(r)) }))
			b.WriteString(numberForNBTify(rest[:n], strings.TrimLeft(rest[n:], " \t\r\n"), array))
		default:
			n = 1
			switch {
			case c == ']':
				array = 0
			case len(rest) >= 3 && (strings.EqualFold(rest[:3], "[B;") || strings.EqualFold(rest[:3], "[L;")):
				array, n = rest[1]|0x20, 3
			}
			b.WriteString(rest[:n])
		}
		rest = rest[n:]
	}
	return Text(b.String())
}

func isUnquoted(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("+-._", c) >= 0
}

// quotedLen returns the length of the quoted string that text begins with,
// its quotes included.
func quotedLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}

// numberForNBTify rewrites an unquoted word if it is a number; next is the
// text that follows, and array the suffix of the array around it.
func numberForNBTify(word, next string, array byte) string {
	if array != 0 && arrayToken.MatchString(word) {
		return strings.TrimLeft(strings.TrimRight(word, "bBlL"), "+") + string(array)
	}
	if strings.HasPrefix(next, ":") || !numberToken.MatchString(word) {
		return word
	}
	word = strings.Replace(strings.TrimPrefix(word, "+"), "E", "e", 1)
	if at := strings.IndexByte(word, '.'); at == 0 || at == 1 && word[0] == '-' {
		word = word[:at] + "0" + word[at:]
	}
	if strings.Contains(word, "e") && !strings.ContainsAny(word, "fFdD") {
		word += "d"
	}
	return word
}

// unescaped replaces the escapes that NBTify does not know by the characters
// that they mean.
func unescaped(quoted string) string {
	var b strings.Builder
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' || i+1 >= len(quoted) {
			b.WriteByte(quoted[i])
			continue
		}
		i++
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[quoted[i]]
		if quoted[i] == 's' {
			b.WriteByte(' ')
			continue
		}
		if digits > 0 && i+digits < len(quoted) {
			if r, err := strconv.ParseUint(quoted[i+1:i+1+digits], 16, 21); err == nil {
				b.WriteString(plain(rune(r)))
				i += digits
				continue
			}
		}
		b.WriteString(quoted[i-1 : i+1])
	}
	return b.String()
}

// plain returns a character as it stands inside quotes of either kind.
func plain(r rune) string {
	switch r {
	case '"', '\'', '\\':
		return `\` + string(r)
	}
	return string(textOfRune(r))
}
