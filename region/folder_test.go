package region

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"

	"strata/region/codec"
	"strata/region/vfs"
)

func openFolder(t testing.TB, fsys vfs.FS, opts FolderOptions) *Folder {
	t.Helper()
	opts.FS = fsys
	d, err := OpenFolder("w", opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Errorf("close: %v", err)
		}
		es, _ := fsys.ReadDir("w")
		for _, e := range es {
			if _, ok := ParseName(e.Name()); ok {
				checkClean(t, fsys, "w/"+e.Name())
			}
		}
	})
	return d
}

func put(t testing.TB, d *Folder, c ChunkPos, version, n int) {
	t.Helper()
	err := d.Write(context.Background(), c, Write{Scheme: codec.None, Data: payload(c.Slot(), version, n)})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFolderKeepsABoundedNumberOfFilesOpen(t *testing.T) {
	m := newWorld(t)
	d := openFolder(t, m, FolderOptions{MaxOpen: 4})
	var wg sync.WaitGroup
	for w := range int32(4) {
		wg.Go(func() {
			for i := range int32(60) {
				c := ChunkPos{X: (i % 20) * 32, Z: w * 32}
				put(t, d, c, int(i/20), 3000)
				if _, err := d.Read(c, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := d.OpenFiles(); n > 4 {
		t.Fatalf("%d files open", n)
	}
	regions, err := d.Regions()
	if err != nil || len(regions) != 80 {
		t.Fatalf("%d regions, %v", len(regions), err)
	}
	if got := d.Metrics().Writes; got != 240 {
		t.Fatalf("metrics count %d writes", got)
	}
}

func TestFolderReadsMissingRegionsAsAbsent(t *testing.T) {
	m := newWorld(t)
	d := openFolder(t, m, FolderOptions{})
	for range 2 { // the second time from memory
		_, err := d.Read(ChunkPos{-1, -1}, nil)
		wantErr(t, err, ErrAbsent)
	}
	err := d.Write(context.Background(), ChunkPos{-1, -1}, Write{Delete: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Stat("w/r.-1.-1.mca"); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("deleting nothing created a file")
	}
	put(t, d, ChunkPos{-1, -1}, 1, 100)
	if _, err := d.Read(ChunkPos{-1, -1}, nil); err != nil {
		t.Fatal(err)
	}
}

func TestFolderMakesItsFolderAndNamesDurable(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	d, err := OpenFolder("new/dimensions/region", FolderOptions{Options: Options{FS: m}})
	if err != nil {
		t.Fatal(err)
	}
	put(t, d, ChunkPos{3, 4}, 1, 100)
	crashed := m.CrashClone(vfs.CrashOptions{})
	e, err := OpenFolder("new/dimensions/region", FolderOptions{Options: Options{FS: crashed, ReadOnly: true}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Read(ChunkPos{3, 4}, nil); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Close(), e.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read(ChunkPos{3, 4}, nil); !errors.Is(err, ErrClosed) {
		t.Fatalf("read after close: %v", err)
	}
}

func TestNamesAreParsedAsTheGameSpellsThem(t *testing.T) {
	for name, want := range map[string]bool{
		"r.0.0.mca": true, "r.-12.7.mca": true, "r.2147483647.-2147483648.mca": true,
		"r.00.0.mca": false, "r.+1.0.mca": false, "r.-0.0.mca": false, "R.0.0.mca": false,
		"r.0.0.MCA": false, "r.0.mca": false, "r.0.0.0.mca": false, "r.2147483648.0.mca": false,
		"r.0.0.mcr": false, "": false,
	} {
		p, ok := ParseName(name)
		if ok != want {
			t.Errorf("ParseName(%q) = %v, %v", name, p, ok)
		}
		if ok && p.Name() != name {
			t.Errorf("%q becomes %q", name, p.Name())
		}
	}
	for _, c := range []ChunkPos{{0, 0}, {-1, -1}, {31, 32}, {-33, 1000}, {1 << 26, -1 << 26}} {
		if got := c.Region().Chunk(c.Slot()); got != c {
			t.Errorf("%v becomes %v", c, got)
		}
		if got, ok := ParseExternalName(c.ExternalName()); !ok || got != c {
			t.Errorf("external name of %v becomes %v", c, got)
		}
	}
	if (ChunkPos{-1, -1}).Slot() != 1023 || (ChunkPos{1, 2}).Slot() != 65 {
		t.Error("slot is not x + 32 z")
	}
}

func BenchmarkRead(b *testing.B) {
	f, err := Open(b.TempDir()+"/r.0.0.mca", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for s := range Slot(Slots) {
		f.Submit(Write{Slot: s, Scheme: codec.None, Data: payload(s, 1, 6000)})
	}
	f.queue.drain()
	for _, readers := range []int{1, 2} {
		b.Run(fmt.Sprintf("readers=%d", readers), func(b *testing.B) {
			b.SetBytes(6000)
			b.SetParallelism(readers)
			b.RunParallel(func(pb *testing.PB) {
				var buf []byte
				for s := Slot(0); pb.Next(); s = (s + 37) % Slots {
					rec, err := f.Read(s, buf)
					if err != nil {
						b.Error(err)
						return
					}
					buf = rec.Buffer()
				}
			})
		})
	}
}

func BenchmarkAllocate(b *testing.B) {
	m := newSectorMap()
	var held []extent
	for i := range uint32(1024) {
		x, _ := m.alloc(1 + i*7%9)
		held = append(held, x)
	}
	i := 0
	for b.Loop() {
		m.release(held[i])
		held[i], _ = m.alloc(1 + uint32(i)*5%9)
		i = (i + 613) % len(held)
	}
}
