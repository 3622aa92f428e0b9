package clients

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is the text of a string or a name. It is UTF-8, except that a UTF-16
// surrogate without its partner, which Java's and JavaScript's strings may
// hold, stands as three bytes the way any other unit of its size would. NUL
// is a zero byte, and a pair of surrogates is the one character it means.
type Text string

// ModifiedUTF8 returns the text of bytes in the form that NBT uses: each
// UTF-16 unit by itself in one to three bytes, NUL in two. The error names
// the offset of what is no such form; overlong forms are none.
func ModifiedUTF8(data []byte) (Text, error) {
	units := make([]uint16, 0, len(data))
	for at := 0; at < len(data); {
		b := data[at]
		rest := data[at+1:]
		switch {
		case b != 0 && b < 0x80:
			units = append(units, uint16(b))
			at++
		case b&0xe0 == 0xc0 && len(rest) >= 1 && rest[0]&0xc0 == 0x80 && (b > 0xc1 || b == 0xc0 && rest[0] == 0x80):
			units = append(units, uint16(b&0x1f)<<6|uint16(rest[0]&0x3f))
			at += 2
		case b&0xf0 == 0xe0 && len(rest) >= 2 && rest[0]&0xc0 == 0x80 && rest[1]&0xc0 == 0x80 && (b > 0xe0 || rest[0] >= 0xa0):
			units = append(units, uint16(b&0x0f)<<12|uint16(rest[0]&0x3f)<<6|uint16(rest[1]&0x3f))
			at += 3
		default:
			return "", fmt.Errorf("no modified UTF-8 at offset %d", at)
		}
	}
	return textOfUnits(units), nil
}

// textOfUnits returns the text of UTF-16 units.
func textOfUnits(units []uint16) Text {
	var b strings.Builder
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if !utf16.IsSurrogate(r) {
			b.WriteRune(r)
			continue
		}
		if i+1 < len(units) {
			if pair := utf16.DecodeRune(r, rune(units[i+1])); pair != utf8.RuneError {
				b.WriteRune(pair)
				i++
				continue
			}
		}
		b.Write([]byte{0xe0 | byte(r>>12), 0x80 | byte(r>>6&0x3f), 0x80 | byte(r&0x3f)})
	}
	return Text(b.String())
}

// runes returns the characters of a text, and lone surrogates as the numbers
// they have. The error is about bytes that are neither.
func (t Text) runes() ([]rune, error) {
	runes := make([]rune, 0, len(t))
	for at := 0; at < len(t); {
		r, size := utf8.DecodeRuneInString(string(t[at:]))
		if r == utf8.RuneError && size <= 1 {
			if r = t.surrogateAt(at); r == 0 {
				return nil, fmt.Errorf("%q is no UTF-8 at offset %d", string(t), at)
			}
			size = 3
		}
		runes = append(runes, r)
		at += size
	}
	return runes, nil
}

// surrogateAt returns the surrogate whose three bytes begin at an offset, or
// 0 when there is none.
func (t Text) surrogateAt(at int) rune {
	if len(t)-at < 3 || t[at] != 0xed || t[at+1] < 0xa0 || t[at+1] > 0xbf || t[at+2]&0xc0 != 0x80 {
		return 0
	}
	return 0xd000 | rune(t[at+1]&0x3f)<<6 | rune(t[at+2]&0x3f)
}

// wireUnits is how the judges say a text that JSON cannot hold.
type wireUnits struct {
	UTF16 string `json:"utf16"` // four hexadecimal digits a unit
}

// MarshalJSON writes a text for the judges.
func (t Text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	runes, err := t.runes()
	if err != nil {
		return nil, err
	}
	var digits strings.Builder
	for _, r := range runes {
		if r > 0xffff {
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&digits, "%04x%04x", high, low)
			continue
		}
		fmt.Fprintf(&digits, "%04x", r)
	}
	return json.Marshal(wireUnits{digits.String()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Text) UnmarshalJSON(data []byte) error {
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return err
	}
	text, err := textOf(tree)
	if err != nil {
		return err
	}
	*t = text
	return nil
}

// textOf reads a text as valueOf reads a value.
func textOf(tree any) (Text, error) {
	switch said := tree.(type) {
	case string:
		return Text(said), nil
	case map[string]any:
		units, _ := said["utf16"].(string)
		return textOfHex(units)
	}
	return "", errShape
}

func textOfHex(digits string) (Text, error) {
	data, err := hex.DecodeString(digits)
	if err != nil || len(data) == 0 || len(data)%2 != 0 {
		return "", fmt.Errorf("%q are no UTF-16 units: %w", digits, errShape)
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = binary.BigEndian.Uint16(data[2*i:])
	}
	return textOfUnits(units), nil
}

// textOfRune returns the text of one character, or of one lone surrogate.
func textOfRune(r rune) Text {
	if r > 0xffff {
		return Text(string(r))
	}
	return textOfUnits([]uint16{uint16(r)})
}
