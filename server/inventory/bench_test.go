package inventory

import (
	"testing"

	"strata/server/item"
)

func BenchmarkCraftNothing(b *testing.B) {
	cells := make([]item.Stack, 9)
	for i := range cells {
		cells[i] = item.Named("dirt", 1)
	}
	for b.Loop() {
		Craft(cells, 3)
	}
}
