package snbt

import (
	"fmt"

	"strata/nbt"
)

// withDefaults fills in the defaults of package nbt, or says which limit is out
// of range.
func withDefaults(l nbt.Limits) (nbt.Limits, error) {
	for _, field := range [...]struct {
		name              string
		value             *int
		fallback, largest int
	}{
		{"Depth", &l.Depth, nbt.DefaultDepth, nbt.MaxDepth},
		{"Bytes", &l.Bytes, nbt.DefaultBytes, nbt.MaxBytes},
		{"Tags", &l.Tags, nbt.DefaultTags, nbt.MaxTags},
	} {
		if *field.value == 0 {
			*field.value = field.fallback
		}
		if *field.value < 1 || *field.value > field.largest {
			return l, fmt.Errorf("snbt: Limits.%s %d: want 1 to %d", field.name, *field.value, field.largest)
		}
	}
	return l, nil
}
