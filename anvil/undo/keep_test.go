package undo

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// keepOne makes a change that keeps one chunk of about n bytes.
func keepOne(t *testing.T, s *store.Store, n int, when time.Time, limits Limits) string {
	t.Helper()
	if err := put(raw(t, s, 0, store.Chunks), at(0, 0), codec.None, bytes.Repeat([]byte{1}, n)); err != nil {
		t.Fatal(err)
	}
	c, err := Begin(s, "test", Options{Now: func() time.Time { return when }, Limits: limits})
	if err == nil {
		err = c.Keep(over, store.Chunks, at(0, 0))
	}
	if err == nil {
		err = c.Commit()
	}
	if err == nil {
		err = c.Finish(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c.ID()
}

func ids(t *testing.T, m vfs.FS) (all []string) {
	t.Helper()
	infos, err := List(m, "w")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range infos {
		all = append(all, i.ID)
	}
	return all
}

func TestOldChangesGoFirstAndTheNewestStays(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	s := open(t, makeWorld(t, m, "w"))
	defer closeStore(t, s)
	limits := Limits{Bytes: 250_000}
	start := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var made []string
	for i := range 5 {
		made = append(made, keepOne(t, s, 100_000, start.Add(time.Duration(i)*time.Hour), limits))
	}
	// Begin has room made before it keeps more.
	if got, want := ids(t, m), []string{made[4], made[3], made[2]}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if size, err := Size(m, "w"); err != nil || size < 300_000 || size > 310_000 {
		t.Errorf("%d bytes, %v", size, err)
	}
	// A clock that was set back does not change the order.
	made = append(made, keepOne(t, s, 900_000, start.Add(-time.Hour), limits))
	removed, err := Prune(m, "w", start, limits)
	if err != nil || !slices.Equal(removed, []string{made[4], made[3]}) {
		t.Errorf("removed %v, %v", removed, err)
	}
	if got := ids(t, m); !slices.Equal(got, made[5:]) {
		t.Errorf("%v, want %v", got, made[5:])
	}
	if removed, err = Prune(m, "w", start.Add(8*24*time.Hour), limits); err != nil || !slices.Equal(removed, made[5:]) {
		t.Errorf("after eight days: %v, %v", removed, err)
	}
	if got := ids(t, m); len(got) != 0 {
		t.Errorf("%v is left", got)
	}
}

func TestEstimateCoversWhatIsKept(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	s := open(t, makeWorld(t, m, "w"))
	defer closeStore(t, s)
	sc := makeScene(t, s, rng, 60, true)
	space, err := Estimate(s, func(yield func(store.Ref) bool) {
		for _, x := range sc.objects {
			if !yield(store.Ref{Dim: x.dim, Kind: x.kind, Pos: x.pos}) {
				return
			}
		}
	}, sc.paths)
	if err != nil {
		t.Fatal(err)
	}
	if err := sc.run(s, rng, false); err != nil {
		t.Fatal(err)
	}
	size, err := Size(m, "w")
	if err != nil || size > space.Need || space.Need > 2*size+60*region.SectorBytes {
		t.Errorf("%d bytes, estimated %d, %v", size, space.Need, err)
	}
	if err := (Space{Need: 2, Free: 1}).Check(); !errors.Is(err, vfs.ErrNoSpace) {
		t.Errorf("too much: %v", err)
	}
	if err := space.Check(); err != nil {
		t.Error(err)
	}
}

func TestAFullDiskKeepsNothingAndLosesNothing(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{Capacity: 6 << 20})
	s := open(t, makeWorld(t, m, "w"))
	defer closeStore(t, s)
	r := raw(t, s, 0, store.Chunks)
	for x := range int32(4) { // the journal takes 4 MiB
		if err := put(r, at(x, 0), codec.None, make([]byte, 300_000)); err != nil {
			t.Fatal(err)
		}
	}
	before := content(t, s)
	c, err := Begin(s, "delete", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for x := range int32(4) {
		if err = c.Keep(over, store.Chunks, at(x, 0)); err != nil {
			break
		}
	}
	if err == nil {
		err = c.Commit()
	}
	if !errors.Is(err, vfs.ErrNoSpace) {
		t.Fatalf("kept: %v", err)
	}
	if err := c.Abort(); err != nil {
		t.Error(err)
	}
	if d := compareContent(content(t, s), before); d != "" {
		t.Error(d)
	}
	if got := ids(t, m); len(got) != 0 {
		t.Errorf("%v is left", got)
	}
	// With nothing kept, records can be removed on a full disk.
	fill(t, m)
	if c, err = Begin(s, "delete", Options{Off: true}); err != nil {
		t.Fatal(err)
	}
	for x := range int32(4) {
		if err := errors.Join(c.Keep(over, store.Chunks, at(x, 0)), c.Commit(), remove(r, at(x, 0))); err != nil {
			t.Fatal(err)
		}
	}
	if removed, err := r.RemoveEmpty(ctx, at(0, 0).Region()); err != nil || !removed {
		t.Errorf("removed the region: %v, %v", removed, err)
	}
	if err := c.Finish(ctx); err != nil {
		t.Error(err)
	}
}

func fill(t *testing.T, m *vfs.Mem) {
	t.Helper()
	f, err := m.OpenFile("filler", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for off := int64(0); ; off += 4096 {
		if _, err := f.WriteAt(block, off); err != nil {
			if !errors.Is(err, vfs.ErrNoSpace) {
				t.Fatal(err)
			}
			return
		}
	}
}

func TestTheFolderOfChangesIsNoSymbolicLink(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	s := open(t, makeWorld(t, vfs.OS(), dir))
	defer closeStore(t, s)
	if err := os.MkdirAll(filepath.Join(dir, "strata"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, "strata", "undo")); err != nil {
		testbed.SkipOrFail(t, "no symbolic links here: %v", err)
	}
	if _, err := Begin(s, "test", Options{}); !errors.Is(err, ErrSymlink) {
		t.Errorf("begun: %v", err)
	}
	if _, err := List(vfs.OS(), dir); !errors.Is(err, ErrSymlink) {
		t.Errorf("listed: %v", err)
	}
}

func TestDamagedChangesAreSaidToBe(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	s := open(t, makeWorld(t, m, "w"))
	sc := makeScene(t, s, rng, 10, false)
	before := content(t, s)
	if err := sc.run(s, rng, false); err != nil {
		t.Fatal(err)
	}
	id := ids(t, m)[0]
	after := content(t, s)
	closeStore(t, s)
	for _, name := range []string{recordsName, afterName, manifestName} {
		for range 6 {
			c := m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll})
			path := filepath.Join("w", ownFolder, undoFolder, id, name)
			damage(t, c, path, rng.Uint32(), byte(1+rng.IntN(255)))
			s := open(t, worldAt(c, "w"))
			r, err := undoLast(s, RestoreOptions{})
			got := content(t, s)
			switch {
			case errors.Is(err, ErrDamaged) || errors.Is(err, ErrSince) || errors.Is(err, ErrNoChange):
				if d := compareContent(got, after); d != "" {
					t.Errorf("%s: %v, and yet: %s", name, err, d)
				}
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case len(r.Failed) > 0: // a payload
				if !errors.Is(r.Failed[0].Err, ErrDamaged) {
					t.Errorf("%s: %v", name, r.Failed[0].Err)
				}
			default: // what was damaged was not needed
				if d := compareContent(got, before); d != "" {
					t.Errorf("%s: undone: %s", name, d)
				}
			}
			if _, err := List(c, "w"); err != nil {
				t.Errorf("%s: list: %v", name, err)
			}
			closeStore(t, s)
		}
	}
}

func damage(t *testing.T, m vfs.FS, path string, at uint32, by byte) {
	t.Helper()
	f, err := m.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	off := int64(at) % info.Size
	b := make([]byte, 1)
	if _, err := f.ReadAt(b, off); err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	b[0] ^= by
	if _, err := f.WriteAt(b, off); err != nil {
		t.Fatal(err)
	}
}

func FuzzLog(f *testing.F) {
	one := (&frame{kind: objectFrame, state: stateOf(present, codec.Zlib, []byte("ab")), pos: at(-3, 9), name: over}).append(nil)
	f.Add(append(one, 'a', 'b'))
	f.Add(one)
	f.Add((&frame{kind: fileFrame, state: absence, name: "/level.dat"}).append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, payloads := range []bool{true, false} {
			in := newLogReader(bytes.NewReader(data), int64(len(data)), payloads)
			for {
				head, off, err := in.next()
				if err != nil {
					break
				}
				if payloads {
					if _, err := readPayload(bytes.NewReader(data), head, off); err == nil && head.state.length > uint64(len(data)) {
						t.Fatal("a payload longer than the log")
					}
				}
				// What was read is written again as it was.
				start := off - frameBytes - int64(len(head.name))
				if again := head.append(nil); !bytes.Equal(again, data[start:off]) {
					t.Fatalf("%x became %x", data[start:off], again)
				}
			}
		}
	})
}
