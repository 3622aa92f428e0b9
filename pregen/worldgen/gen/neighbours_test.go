package gen_test

import (
	"slices"
	"testing"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/oracletest"
)

// What is wrong in chunks at carvers has been written by features of their
// neighbours, most of which are known.
func TestNeighboursWroteWhatIsWrongAtCarvers(t *testing.T) {
	world := oracletest.Worlds[1] // fabric-b
	for _, c := range []struct {
		dimension string
		every     int     // chunk that is looked at
		least     float64 // of what is wrong
		most      int     // masked for one that is wrong
	}{
		{"overworld", 6, 0.8, 20},
		{"the_nether", 1, 0.93, 6},
	} {
		t.Run(c.dimension, func(t *testing.T) {
			wrong, masked, cells := 0, 0, 0
			d := dimensionOf(t, worldOf(t, world.Seed, native), c.dimension)
			neighbours, err := d.NewNeighbours(nil)
			if err != nil {
				t.Fatal(err)
			}
			maker, made := d.NewMaker(), d.New()
			for i, saved := range oracletest.Chunks(t, chunk.NewTables(), world.Folder, c.dimension, "carvers") {
				if i%c.every != 0 {
					continue
				}
				pos := saved.Pos()
				made.Reset(pos.X, pos.Z)
				if err := maker.Advance(made, chunk.StatusEmpty, chunk.StatusCarvers); err != nil {
					t.Fatal(err)
				}
				written, err := neighbours.Written(pos.X, pos.Z)
				if err != nil {
					t.Fatal(err)
				}
				for i, state := range made.Blocks {
					known := written[i>>6]&(1<<(i&63)) != 0
					if known {
						cells++
					}
					if state != saved.Block(i&15, made.MinY+i>>8, i>>4&15) {
						wrong++
						if known {
							masked++
						}
					}
				}
			}
			t.Logf("%d wrong, %d of them masked, %d masked in all", wrong, masked, cells)
			if wrong == 0 || float64(masked) < c.least*float64(wrong) || cells > c.most*wrong {
				t.Errorf("%d blocks are wrong, %d of them masked of %d that are", wrong, masked, cells)
			}
		})
	}
}

// A chunk of a real world comes out as the game made it in one of the orders, and
// what is wrong in another depends on the order.
func TestFinishedChunksAreExactInOneOfTheOrders(t *testing.T) {
	world := oracletest.Worlds[1] // fabric-b
	d := dimensionOf(t, worldOf(t, world.Seed, native), "overworld")
	neighbours, err := d.NewNeighbours(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, saved := range oracletest.Chunks(t, chunk.NewTables(), world.Folder, "overworld", "full") {
		if pos := saved.Pos(); pos.X != 25 || pos.Z != -204 {
			continue
		}
		orders, differ, err := neighbours.Finished(25, -204)
		if err != nil {
			t.Fatal(err)
		}
		wrong := make([]int, len(orders))
		for order, made := range orders {
			for i, state := range made.Blocks {
				if state == saved.Block(i&15, made.MinY+i>>8, i>>4&15) {
					continue
				}
				wrong[order]++
				if differ[i>>6]&(1<<(i&63)) == 0 {
					t.Errorf("order %d: block %d is wrong, but alike in all orders", order, i)
				}
			}
		}
		if !slices.Contains(wrong, 0) || slices.Max(wrong) == 0 {
			t.Errorf("wrong blocks by order: %v; want none in one of them and some in another", wrong)
		}
		return
	}
	t.Fatal("the chunk is not there")
}
