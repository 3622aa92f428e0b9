package store_test

import (
	"context"
	"fmt"
	"log"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// A chunk is made, changed and made durable.
func Example() {
	ctx, fsys := context.Background(), vfs.NewMem(vfs.MemOptions{})
	w, err := anvil.Create("alps", anvil.CreateOptions{Options: anvil.Options{FS: fsys}})
	if err != nil {
		log.Fatal(err)
	}
	parts, err := store.WorldOf(w)
	if err != nil {
		log.Fatal(err)
	}
	w.Close() // the store takes the lock itself
	s, err := store.Open(parts, store.Options{})
	if err != nil {
		log.Fatal(err)
	}
	pos := region.ChunkPos{X: 3, Z: -2}
	c, err := chunk.New(s.Tables(), pos, chunk.Options{DataVersion: level.NativeVersion, MinSection: -4, Sections: 24})
	if err == nil {
		err = s.Put(ctx, 0, c)
	}
	if err == nil {
		err = s.Update(ctx, 0, pos, store.Structural, func(c *chunk.Chunk) error {
			c.SetBlock(5, 64, 5, block.Stone.Default())
			return nil
		})
	}
	if err == nil {
		err = s.Barrier(ctx) // all of it is on the disk now
	}
	if err != nil {
		log.Fatal(err)
	}
	h, err := s.Load(ctx, 0, pos, store.Normal)
	if err != nil {
		log.Fatal(err)
	}
	h.Read(func(c *chunk.Chunk) {
		fmt.Println(c.Block(5, 64, 5) == block.Stone.Default(), s.Metrics().Saves)
	})
	h.Release()
	if err := s.Close(); err != nil {
		log.Fatal(err)
	}
	// Output: true 1
}
