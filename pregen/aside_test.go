package pregen

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
	"strata/region/vfs"
)

func TestWhatIsPutAsideComesBack(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	mem := vfs.NewMem(vfs.MemOptions{})
	if err := vfs.MkdirAll(mem, "w", 0o755); err != nil {
		t.Fatal(err)
	}
	a := newAside(mem, "w")
	held := make(map[int64][]byte)
	for range 2000 {
		if len(held) > 0 && random.IntN(2) == 0 {
			for name, want := range held { // any of them
				if random.IntN(4) == 0 {
					a.Drop(name)
				} else if got, err := a.Take(name, []byte("x")); err != nil || !bytes.Equal(got[1:], want) || got[0] != 'x' {
					t.Fatalf("%d: %d bytes, want %d, %v", name, len(got), len(want), err)
				}
				delete(held, name)
				break
			}
			continue
		}
		data := make([]byte, random.IntN(3*asidePage))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		name, err := a.Put(data)
		if err != nil || held[name] != nil {
			t.Fatalf("%d is there already: %v", name, err)
		}
		held[name] = data
	}
	if _, err := a.Take(1<<40, nil); err == nil {
		t.Error("what was never put aside came back")
	}
	if a.pages > 400 {
		t.Errorf("the file has %d pages", a.pages)
	}
	if err := a.close(); err != nil {
		t.Fatal(err)
	}
	if entries, err := mem.ReadDir("w"); err != nil || len(entries) != 0 {
		t.Errorf("%d files are left, %v", len(entries), err)
	}
}
