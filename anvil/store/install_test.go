package store

import (
	"errors"
	"testing"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// installBoth installs the entities and the chunk at 0, 0.
func installBoth(t testing.TB, s *Store, n int32) error {
	t.Helper()
	pos := at(0, 0).Pos
	entities, chunks := at(0, 0).as(Entities), at(0, 0)
	enc, err := codec.NewEncoder(codec.Zlib, 6)
	if err != nil {
		t.Fatal(err)
	}
	document, err := enc.Append(nil, numberedDocument(t, entities, n))
	if err != nil {
		t.Fatal(err)
	}
	return s.Install(ctx, pos.Region(),
		NewFile{raw(t, s, Entities), func(w *region.Writer) error {
			return w.Put(pos.Slot(), region.Record{Scheme: codec.Zlib, Data: document})
		}},
		NewFile{raw(t, s, Chunks), func(w *region.Writer) error {
			return w.Put(pos.Slot(), encodedStream(t, s, chunks, n))
		}})
}

func TestInstallExchangesAllFilesOrNone(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	if err := installBoth(t, s, 1); err != nil {
		t.Fatal(err)
	}
	want := func(n int32) {
		t.Helper()
		if a, b := get(t, s, at(0, 0).as(Entities)), get(t, s, at(0, 0)); a != n || b != n {
			t.Errorf("%d and %d are served, want %d", a, b, n)
		}
	}
	want(1)
	h, err := s.Load(ctx, 0, at(0, 0).Pos, Normal)
	if err != nil {
		t.Fatal(err)
	}
	if err := installBoth(t, s, 2); !errors.Is(err, ErrHeld) {
		t.Errorf("installed beside what is in use: %v", err)
	}
	h.Release()
	want(1)
	if err := installBoth(t, s, 3); err != nil {
		t.Fatal(err)
	}
	want(3)
	for _, dir := range []string{w.Dimensions[0].Region, w.Dimensions[0].Entities} {
		if entries, err := m.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("%v is left in the folder, %v", entries, err)
		}
	}
}

// A load that comes while the files are filled makes the last of them one that
// must not be exchanged: the first is not either.
func TestInstallLooksAtAllFilesBeforeTheFirstIsExchanged(t *testing.T) {
	w := makeWorld(t, mem(), "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	if err := installBoth(t, s, 1); err != nil {
		t.Fatal(err)
	}
	var h *Hold
	err := s.Install(ctx, at(0, 0).Pos.Region(),
		NewFile{raw(t, s, Entities), func(*region.Writer) error { return nil }},
		NewFile{raw(t, s, Chunks), func(*region.Writer) (err error) {
			h, err = s.Load(ctx, 0, at(0, 0).Pos, Normal)
			return err
		}})
	if !errors.Is(err, ErrHeld) {
		t.Errorf("installed over what is in use: %v", err)
	}
	h.Release()
	if n := get(t, s, at(0, 0).as(Entities)); n != 1 {
		t.Errorf("the entities are those of %d", n)
	}
}

// After a crash a later file is new only if those before it are.
func TestInstalledFilesKeepTheirOrderInACrash(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	f := vfs.NewFault(m)
	w.FS = f
	s := openStore(t, w, small())
	if err := installBoth(t, s, 1); err != nil {
		t.Fatal(err)
	}
	var crashes []*vfs.Mem
	f.Add(vfs.Rule{Ops: vfs.OpMutating, Forever: true, Hook: func(vfs.OpInfo) {
		crashes = append(crashes, m.CrashClone(vfs.CrashOptions{}), m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll}))
	}})
	if err := installBoth(t, s, 2); err != nil {
		t.Fatal(err)
	}
	f.Clear()
	closeStore(t, s)
	seen := map[[2]int32]bool{}
	for i, c := range crashes {
		s := openStore(t, worldAt(c, "w"), small())
		a, b := get(t, s, at(0, 0).as(Entities)), get(t, s, at(0, 0))
		if a != 1 && a != 2 || b != 1 && b != 2 || b > a {
			t.Errorf("crash %d: entities of %d, the chunk of %d", i, a, b)
		}
		seen[[2]int32{a, b}] = true
		closeStore(t, s)
	}
	if len(seen) != 3 {
		t.Errorf("only %v were seen", seen)
	}
}
