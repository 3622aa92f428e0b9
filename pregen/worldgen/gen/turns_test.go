package gen_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/oracletest"
)

// What ores tell of chunks that were decorated in a known order is that order.
func TestOresTellTheOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	d := dimensionOf(t, worldOf(t, 1, native), "overworld")
	n, err := d.NewNeighbours(nil)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for range 2 {
		order := r.Perm(9)
		blocks, err := n.DecoratedIn(40, -7, order)
		if err != nil {
			t.Fatal(err)
		}
		turns := new(gen.Turns)
		if err := n.Learn(turns, 40, -7, blocks); err != nil {
			t.Fatal(err)
		}
		for _, v := range turns.Votes(40, -7) {
			told++
			if slices.Index(order, v[0]) > slices.Index(order, v[1]) {
				t.Errorf("in the order %v %d blocks say that %d is before %d", order, v[2], v[0], v[1])
			}
		}
	}
	if told < 4 {
		t.Errorf("only %d pairs are told of", told)
	}
}

// Of a chunk of a real world its ores do not tell enough; with those of the
// chunk beside it comes out as the game made it.
func TestChunksAreExactInTheOrderThatOresTell(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	world := oracletest.Worlds[1] // fabric-b
	n, err := dimensionOf(t, worldOf(t, world.Seed, native), "overworld").NewNeighbours(nil)
	if err != nil {
		t.Fatal(err)
	}
	saved := make(map[int32][]block.State) // of chunks at z -291
	for _, c := range oracletest.Chunks(t, chunk.NewTables(), world.Folder, "overworld", "full") {
		if c.Pos().Z == -291 {
			blocks := make([]block.State, c.Height()*256)
			for i := range blocks {
				blocks[i] = c.Block(i&15, c.MinY()+i>>8, i>>4&15)
			}
			saved[c.Pos().X] = blocks
		}
	}
	turns := new(gen.Turns)
	for _, step := range []struct {
		learn int32 // x of the chunk that is learnt
		least int   // wrong blocks of chunk 25,-291 after that
		most  int
	}{{25, 1, 100}, {24, 0, 0}} {
		if err := n.Learn(turns, step.learn, -291, saved[step.learn]); err != nil {
			t.Fatal(err)
		}
		made, err := n.FinishedInTurn(turns, 25, -291)
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i, want := range saved[25] {
			if made.Blocks[i] != want {
				wrong++
			}
		}
		if wrong < step.least || wrong > step.most {
			t.Errorf("having learnt %d: %d blocks are wrong, want %d to %d", step.learn, wrong, step.least, step.most)
		}
	}
	if err := n.Learn(turns, 25, -291, saved[25][:4096]); err == nil {
		t.Error("a chunk of another height was learnt")
	}
}

func TestTurnsKeepTheClearestVotes(t *testing.T) {
	rows := make([]int, 25)
	for i := range rows {
		rows[i] = i
	}
	var turns gen.Turns
	if got := turns.Order(7, -7); !slices.Equal(got, rows) {
		t.Errorf("with no votes the order is %v, want row by row", got)
	}
	// 12 is the chunk itself, 13 the one to the east, 17 the one to the south.
	turns.Add(8, -7, 7, -7, 5)
	turns.Add(7, -6, 8, -7, 3)
	turns.Add(7, -7, 7, -6, 2) // contradicts both
	turns.Add(7, -7, 8, -7, 1) // is less than what says otherwise
	got := turns.Order(7, -7)
	if south, east, own := slices.Index(got, 17), slices.Index(got, 13), slices.Index(got, 12); south > east || east > own {
		t.Errorf("the order is %v, want 17, 13, 12", got)
	}
	if sorted := slices.Sorted(slices.Values(got)); !slices.Equal(sorted, rows) {
		t.Errorf("the order is %v, want each of 25 once", got)
	}
}

// Where no blocks tell, the order is that of the chunks nearby.
func TestTurnsGoOnInTheDirectionOfTheChunksNearby(t *testing.T) {
	var turns gen.Turns
	turns.Add(5, 0, 4, 0, 9)
	turns.Add(5, 1, 4, 1, 1)
	turns.Add(6, 3, 7, 3, 9)
	for x := int32(200); x < 220; x++ { // too far away
		turns.Add(x, 0, x+1, 0, 9)
	}
	want := []int{4, 9, 14, 19, 24, 3, 8, 13, 18, 23, 2, 7, 12, 17, 22, 1, 6, 11, 16, 21, 0, 5, 10, 15, 20}
	if got := turns.Order(0, 0); !slices.Equal(got, want) {
		t.Errorf("the order is %v, want from the east", got)
	}
}
