package gen_test

import (
	"testing"
)

func TestAllFeaturesOfTheGameCanBeMade(t *testing.T) {
	for _, version := range []int32{4790, native} {
		for _, id := range []string{"overworld", "the_nether", "the_end"} {
			d := dimensionOf(t, worldOf(t, 1, version), id)
			missing, err := d.MissingFeatures()
			if err != nil || len(missing) > 0 {
				t.Errorf("%s of version %d lacks %v, %v", id, version, missing, err)
			}
		}
	}
}
