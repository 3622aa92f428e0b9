package journal_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"strata/anvil/store/journal"
	"strata/region"
	"strata/region/codec"
)

// A chest is filled from a player's inventory: the chunk and the player file
// are saved as one.
func Example() {
	world, err := os.MkdirTemp("", "world")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(world)
	os.Mkdir(filepath.Join(world, "region"), 0o755)

	j, err := journal.Open(journal.Options{Roots: []journal.Root{{Dir: world}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer j.Close()
	fmt.Println("found:", j.Report().Outcome)
	f, err := region.Open(filepath.Join(world, "region", "r.0.0.mca"), region.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()

	e, err := j.Begin()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Abort() // does nothing once the epoch is committed
	g, err := f.Stage(region.Write{Slot: 3, Scheme: codec.None, Data: []byte("chunk"), Journaled: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := e.Add(g); err != nil {
		g.Abort()
		fmt.Println(err)
		return
	}
	player := filepath.Join(world, "playerdata", "a.dat")
	if err := e.Write(player, []byte("player"), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	if err := e.Commit(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	rec, _ := f.Read(3, nil)
	data, _ := os.ReadFile(player)
	fmt.Printf("%s and %s\n", rec.Data, data)
	// Output:
	// found: nothing
	// chunk and player
}
