package nbt

import "fmt"

// The defaults and the largest values of [Limits].
const (
	DefaultDepth = 512
	MaxDepth     = 1 << 16
	DefaultBytes = 1 << 30
	MaxBytes     = 1<<31 - 1
	DefaultTags  = 1 << 25
	MaxTags      = 1 << 30
)

// Limits bound what reading a document may cost. The zero value has the
// defaults.
type Limits struct {
	// Depth is how deep compounds and lists may nest, the root included: 1 to
	// MaxDepth, 0 means DefaultDepth, which is the game's own limit (since
	// before 1.13; NbtAccounter in 1.20.2 and later).
	Depth int
	// Bytes is the size of the largest document: 1 to MaxBytes, 0 means
	// DefaultBytes. Input that may be longer and is compressed is bounded while
	// it is inflated.
	Bytes int
	// Tags is how many tape entries a document may have, 8 bytes of memory
	// each: 1 to MaxTags, 0 means DefaultTags. An entry takes at least one byte
	// of the document.
	Tags int
}

// withDefaults fills in the defaults, or says which limit is out of range.
func (l Limits) withDefaults() (Limits, error) {
	for _, err := range [...]error{
		bound("Depth", &l.Depth, DefaultDepth, MaxDepth),
		bound("Bytes", &l.Bytes, DefaultBytes, MaxBytes),
		bound("Tags", &l.Tags, DefaultTags, MaxTags),
	} {
		if err != nil {
			return l, err
		}
	}
	return l, nil
}

// bound puts the fallback in place of 0 and checks the range.
func bound(name string, value *int, fallback, largest int) error {
	if *value == 0 {
		*value = fallback
	}
	if *value < 1 || *value > largest {
		return fmt.Errorf("nbt: Limits.%s %d: want 1 to %d", name, *value, largest)
	}
	return nil
}
