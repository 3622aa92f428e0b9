package nether_test

import (
	"os"
	"slices"
	"testing"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
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
	{"vanilla-a", -24, -72, "JWBDIQSXPEYLGOCRFVMKHNAUT", false},
	{"vanilla-a", -23, -72, "BSXPIEYGOCRFJVNMKWDAULQTH", false},
	{"vanilla-a", -22, -73, "BSXPIEYGOCRFJVNMKWDAULQTH", false},
	{"vanilla-a", -20, -73, "ABFGCKHLDPMIQEUNRJVSOWTXY", false},
	{"vanilla-a", -19, -73, "BSXPIEYGOCRFJVNMKWDAULQTH", false},
	{"vanilla-a", -16, -73, "ETUWVPOSQRLMGNHI", true}, // a basalt delta
	{"vanilla-a", -17, -73, "WBFDVQREUSMNGTHAYOPLKIJCX", false},
	{"vanilla-a", 7, -67, "WVRXQUSPMYLNTKOHGIFJCBDAE", false},
	{"fabric-b", -16, 2, "EDCBAJIHGFONMLKTSRQPYXWVU", false},
	{"fabric-b", -16, 3, "BSXPIEYGOCRFJVNMKWDAULQTH", false},
	{"fabric-b", -16, 4, "EDCBAJIHGFONMLKTSRQPYXWVU", false},
	{"fabric-b", -5, 4, "HCIPGYTXQNLWVDOFMKSRJEUBA", false},
	{"fabric-b", -4, 3, "JGYHFXLIVMUNTROABPEKDQCWS", false},
	{"fabric-b", -4, 4, "ECBGHOKIPQFXMDULNYATRJVSW", false},
	{"fabric-b", -3, 4, "FPBOGHLUYEINTMSDQACRXKJVW", true}, // a basalt delta
	{"fabric-b", -2, 4, "FGHMIKNLSRQ", false},
	{"paper-c", -58, 38, "BSXPIEYGOCRFJVNMKWDAULQTH", false},
	{"paper-c", -23, -9, "TOFSERNMJXIPHQCBWYLAUVDKG", true}, // a crimson forest
	{"paper-c", -17, 42, "BSXPIEYGOCRFJVNMKWDAULQTH", false},
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
		compareMarks(t, ours, saved)
		compareTicks(t, ours, saved)
	}
}

// compareMarks compares what is to be updated when a chunk first ticks. The
// game marks a block as often as something there was placed.
func compareMarks(t *testing.T, ours *feature.Chunk, saved featuretest.Real) {
	t.Helper()
	marks, err := saved.Marks(chunk.PostProcessing)
	if err != nil {
		t.Fatal(err)
	}
	times := make(map[int]int)
	for _, p := range marks {
		times[ours.Index(int(p.X&15), int(p.Y), int(p.Z&15))]++
	}
	for _, i := range ours.Marks {
		times[int(i)]--
	}
	for i, n := range times {
		if n != 0 {
			t.Errorf("%s %v: %d,%d,%d is marked %d times too few", saved.Folder, saved.Pos(), i&15, ours.MinY+i>>8, i>>4&15, n)
		}
	}
}

// compareTicks compares the fluids that are to flow.
func compareTicks(t *testing.T, ours *feature.Chunk, saved featuretest.Real) {
	t.Helper()
	ticks, err := saved.Ticks(chunk.FluidTicks)
	if err != nil {
		t.Fatal(err)
	}
	var want []feature.Tick
	for _, tick := range ticks {
		want = append(want, feature.Tick{X: tick.Pos.X, Y: tick.Pos.Y, Z: tick.Pos.Z, ID: tick.Name, Delay: tick.Delay})
	}
	if !slices.Equal(ours.FluidTicks, want) {
		t.Errorf("%s %v: fluids tick at %v, want %v", saved.Folder, saved.Pos(), ours.FluidTicks, want)
	}
}
