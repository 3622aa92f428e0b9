package block

import (
	"fmt"
	"strings"
)

// maxText bounds what Parse looks at: the longest state has 130 characters.
const maxText = 1 << 10

// String returns the state in the form that commands use, with namespace and
// every property: "minecraft:oak_log[axis=y]". States that are not native
// give "unknown#" and the number.
func (s State) String() string {
	id := s.Block()
	if id == Unknown {
		return fmt.Sprintf("unknown#%d", uint16(s))
	}
	var b strings.Builder
	b.WriteString(id.Name())
	separator := byte('[')
	for name, value := range s.Values() {
		b.WriteByte(separator)
		b.WriteString(name)
		b.WriteByte('=')
		b.WriteString(value)
		separator = ','
	}
	if separator == ',' {
		b.WriteByte(']')
	}
	return b.String()
}

// Parse reads a state in the form that commands use: a name with or without
// "minecraft:", then if need be properties in brackets. Properties that are
// not given have the values of the block's default state. The errors are
// [ErrSyntax] and [ErrUnknown].
func Parse(text string) (State, error) {
	if len(text) > maxText {
		return 0, fmt.Errorf("%w: %d characters", ErrSyntax, len(text))
	}
	name, properties, bracketed := strings.Cut(text, "[")
	id, ok := Find(name)
	if !ok {
		return 0, fmt.Errorf("%w: block %q", ErrUnknown, name)
	}
	state := id.Default()
	if !bracketed {
		return state, nil
	}
	properties, closed := strings.CutSuffix(properties, "]")
	if !closed {
		return 0, fmt.Errorf("%w: %q does not end with ]", ErrSyntax, text)
	}
	if properties == "" {
		return state, nil
	}
	given := map[string]bool{}
	for pair := range strings.SplitSeq(properties, ",") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || given[key] {
			return 0, fmt.Errorf("%w: %q in %q", ErrSyntax, pair, text)
		}
		given[key] = true
		if state, ok = state.With(key, value); !ok {
			return 0, fmt.Errorf("%w: %s with %q", ErrUnknown, id, pair)
		}
	}
	return state, nil
}

// MustParse is [Parse] for texts in our own code; it panics on an error.
func MustParse(text string) State {
	s, err := Parse(text)
	if err != nil {
		panic("block: " + err.Error())
	}
	return s
}
