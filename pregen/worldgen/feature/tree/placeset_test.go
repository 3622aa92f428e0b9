package tree

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The orders were worked out by hand from the table's rules: the hash of x, y, z
// is x + 31*(y + 31*z), xor its upper half.
func TestPlacesAreInTheOrderOfJavasTable(t *testing.T) {
	for name, c := range map[string]struct{ added, want []Place }{
		"by bucket, then as added": {
			added: []Place{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, 0}},
			// 31 is bucket 15 of 16, 961 bucket 1, 0xffffffff ^ 0xffff bucket 0.
			want: []Place{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
		},
		"twelve in sixteen buckets": {
			added: []Place{{16, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 0}, {9, 0, 0}, {10, 0, 0}},
			want:  []Place{{16, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 0}, {9, 0, 0}, {10, 0, 0}},
		},
		"thirteen make more": {
			added: []Place{{16, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 0}, {9, 0, 0}, {10, 0, 0}, {11, 0, 0}},
			want:  []Place{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 0}, {9, 0, 0}, {10, 0, 0}, {11, 0, 0}, {16, 0, 0}},
		},
		"eight in a bucket": {
			added: []Place{{16, 0, 0}, {0, 0, 0}, {32, 0, 0}, {48, 0, 0}, {64, 0, 0}, {80, 0, 0}, {96, 0, 0}, {112, 0, 0}},
			want:  []Place{{16, 0, 0}, {0, 0, 0}, {32, 0, 0}, {48, 0, 0}, {64, 0, 0}, {80, 0, 0}, {96, 0, 0}, {112, 0, 0}},
		},
		"nine in a bucket make more": {
			added: []Place{{16, 0, 0}, {0, 0, 0}, {32, 0, 0}, {48, 0, 0}, {64, 0, 0}, {80, 0, 0}, {96, 0, 0}, {112, 0, 0}, {128, 0, 0}},
			want:  []Place{{0, 0, 0}, {32, 0, 0}, {64, 0, 0}, {96, 0, 0}, {128, 0, 0}, {16, 0, 0}, {48, 0, 0}, {80, 0, 0}, {112, 0, 0}},
		},
	} {
		var s PlaceSet
		s.Reset()
		for _, p := range c.added {
			s.Add(p[0], p[1], p[2])
		}
		if diff := cmp.Diff(c.want, s.List(nil)); diff != "" || s.Len() != len(c.want) {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
