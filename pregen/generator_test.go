package pregen_test

import (
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/pregen"
	"strata/pregen/generatortest"
	"strata/region"
)

func TestTheFakeIsAGenerator(t *testing.T) {
	generatortest.Run(t, generatortest.Subject{
		Generator: pregen.NewFake(), Until: chunk.StatusFull, Version: anvil.NativeVersion, Near: region.ChunkPos{X: -3, Z: 31},
	})
}
