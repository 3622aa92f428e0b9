package undo

import (
	"testing"

	"strata/anvil/store"
	"strata/region/codec"
	"strata/region/vfs"
)

// A world that no store has ever had open, on a disk on which nothing is free.
func TestRecordsAreRemovedOnAFullDiskFromTheStart(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{Capacity: 8 << 20})
	w := makeWorld(t, m, "w")
	s := open(t, w)
	if err := put(raw(t, s, 0, store.Chunks), at(0, 0), codec.None, make([]byte, 300_000)); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	if err := m.Remove("w/strata/journal"); err != nil {
		t.Fatal(err)
	}
	fill(t, m)
	s = open(t, w)
	defer closeStore(t, s)
	if err := remove(raw(t, s, 0, store.Chunks), at(0, 0)); err != nil {
		t.Fatal(err)
	}
}
