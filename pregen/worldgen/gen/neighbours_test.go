package gen_test

import (
	"testing"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/oracletest"
)

// What is wrong in chunks at carvers has been written by features of their
// neighbours, most of which are known.
func TestNeighboursWroteWhatIsWrongAtCarvers(t *testing.T) {
	const folder = 1 // fabric-b
	world := oracletest.Worlds[folder]
	d := dimensionOf(t, worldOf(t, world.Seed, native), "overworld")
	neighbours, err := d.NewNeighbours()
	if err != nil {
		t.Fatal(err)
	}
	maker, c := d.NewMaker(), d.New()
	wrong, masked, cells := 0, 0, 0
	for i, saved := range oracletest.Chunks(t, chunk.NewTables(), world.Folder, "overworld", "carvers") {
		if i%4 != 0 {
			continue
		}
		pos := saved.Pos()
		c.Reset(pos.X, pos.Z)
		if err := maker.Advance(c, chunk.StatusEmpty, chunk.StatusCarvers); err != nil {
			t.Fatal(err)
		}
		written, err := neighbours.Written(pos.X, pos.Z)
		if err != nil {
			t.Fatal(err)
		}
		for i, state := range c.Blocks {
			known := written[i>>6]&(1<<(i&63)) != 0
			if known {
				cells++
			}
			if state != saved.Block(i&15, c.MinY+i>>8, i>>4&15) {
				wrong++
				if known {
					masked++
				}
			}
		}
	}
	t.Logf("%d wrong, %d of them masked, %d masked in all", wrong, masked, cells)
	if wrong == 0 || masked*10 < wrong*8 || cells > 20*wrong {
		t.Errorf("%d blocks are wrong, %d of them masked of %d that are", wrong, masked, cells)
	}
}
