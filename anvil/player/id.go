package player

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// ID is a player's UUID.
type ID [16]byte

// ErrID says that a text is no UUID.
var ErrID = errors.New("not a UUID")

// ParseID reads a UUID, with its four dashes or without any, in either case.
// The error wraps ErrID.
func ParseID(s string) (ID, error) {
	var id ID
	digits := s
	if len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' {
		digits = strings.ReplaceAll(s, "-", "")
	}
	if len(digits) != 32 {
		return id, fmt.Errorf("%q: %w", s, ErrID)
	}
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return ID{}, fmt.Errorf("%q: %w", s, ErrID)
	}
	return id, nil
}

// String returns the UUID with dashes and in lower case, as files are named.
func (id ID) String() string {
	s := hex.EncodeToString(id[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// MarshalText implements encoding.TextMarshaler.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}
