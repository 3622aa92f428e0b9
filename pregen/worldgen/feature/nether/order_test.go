package nether_test

import (
	"os"
	"testing"

	"strata/pregen/worldgen/feature/featuretest"
)

// orders are those in which the chunks within 2 of real chunks were decorated,
// as far as it shows: they were found by trying which makes the chunk equal.
// Letters are chunks by row and column, M being the chunk itself.
var orders = []struct {
	folder string
	x, z   int32
	order  string
	often  bool // tried with every run of the tests
}{
	{"vanilla-a", -22, -73, "AIQFKPUBGLVSCRWDXENHJOTYM", false},
	{"vanilla-a", -17, -73, "WBFDVQREUSMNGTHAYOPLKIJCX", true}, // a basalt delta
	{"vanilla-a", -24, -72, "JWBDIQSXPEYLGOCRFVMKHNAUT", false},
	{"vanilla-a", 7, -67, "TQHNDWIULAKPVGFYOJBRMXCSE", false},
	{"paper-c", -23, -9, "TOFSERNMJXIPHQCBWYLAUVDKG", true}, // a crimson forest
}

// Blobs, deltas, columns and plants of forests land on what was built before,
// so that the order in which chunks were decorated shows nearly everywhere. In
// the right one a chunk must be equal block for block.
func TestChunksAreEqualInAnOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	type key struct {
		folder string
		x, z   int32
	}
	known := make(map[key]featuretest.Real)
	for _, saved := range featuretest.RealChunks(t, "the_nether") {
		pos := saved.Pos()
		known[key{saved.Folder, pos.X, pos.Z}] = saved
	}
	made := make(worlds)
	for _, o := range orders {
		if !o.often && os.Getenv("STRATA_ALL_CHUNKS") == "" {
			continue
		}
		saved, ok := known[key{o.folder, o.x, o.z}]
		if !ok {
			t.Errorf("there is no chunk %d,%d in %s", o.x, o.z, o.folder)
			continue
		}
		var list [][2]int32
		for _, letter := range o.order {
			n := letter - 'A'
			list = append(list, [2]int32{o.x + n%5 - 2, o.z + n/5 - 2})
		}
		ours := made.of(t, saved).DecoratedAs(o.x, o.z, list)
		wrong := 0
		for i, got := range ours.Blocks {
			if want := saved.Block(i&15, ours.MinY+i>>8, i>>4&15); got != want {
				if wrong++; wrong < 5 {
					t.Errorf("%s %d,%d: at %d,%d,%d is %v, want %v", o.folder, o.x, o.z, i&15, ours.MinY+i>>8, i>>4&15, got, want)
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s %d,%d: %d blocks are wrong", o.folder, o.x, o.z, wrong)
		}
	}
}
