package preset

import (
	"testing"

	"strata/nbt"
)

// TagOf turns JSON into NBT as New does.
func TagOf(t testing.TB, text []byte) nbt.Raw {
	t.Helper()
	raw, err := toNBT("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
