package store

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func TestRepairMendsBehindTheStore(t *testing.T) {
	w := makeWorld(t, mem(), "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	raw, err := s.Raw(0, Chunks)
	if err != nil {
		t.Fatal(err)
	}
	pos := region.ChunkPos{X: 3, Z: 4}
	payload := bytes.Repeat([]byte("chunk"), 2000)
	write := RawWrite{Record: region.Record{Scheme: codec.None, Data: payload}}
	if err := raw.Replace(t.Context(), pos, write); err != nil {
		t.Fatal(err)
	}
	// A count that is too large is what Repair mends.
	path := raw.f.path(pos.Region())
	file, err := vfs.ReadFile(w.FS, path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	file[4*int(pos.Slot())+3] = 9
	if err := vfs.WriteFileSync(w.FS, path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	plan, err := raw.Repair(t.Context(), pos.Region(), region.RepairOptions{DryRun: true})
	if err != nil || len(plan.Actions) != 1 || plan.Changed {
		t.Fatalf("plan %+v, %v", plan, err)
	}
	done, err := raw.Repair(t.Context(), pos.Region(), region.RepairOptions{})
	if err != nil || !done.Changed || filepath.Dir(done.Kept) != raw.asideDir() {
		t.Fatalf("report %+v, %v", done, err)
	}
	kept, err := vfs.ReadFile(w.FS, done.Kept, 1<<20)
	if err != nil || !bytes.Equal(kept, file) {
		t.Errorf("the raw copy differs: %v", err)
	}
	got, err := raw.Read(pos, nil)
	if err != nil || !bytes.Equal(got.Data, payload) || got.Entry.Location.Count() != 3 {
		t.Errorf("after the repair: %v, %v", got.Entry, err)
	}
}

func TestSetAsideMovesAFileByteForByte(t *testing.T) {
	w := makeWorld(t, mem(), "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	raw, err := s.Raw(0, Chunks)
	if err != nil {
		t.Fatal(err)
	}
	if err := vfs.MkdirAllSync(w.FS, raw.f.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	name := region.ChunkPos{X: 1, Z: 1}.ExternalName()
	for i, text := range []string{"one", "two"} {
		if err := vfs.WriteFileSync(w.FS, filepath.Join(raw.f.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		to, err := raw.SetAside(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := vfs.ReadFile(w.FS, to, 100)
		if err != nil || string(got) != text {
			t.Errorf("file %d is %q, %v", i, got, err)
		}
		if _, err := w.FS.Stat(filepath.Join(raw.f.dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("file %d is still there: %v", i, err)
		}
	}
	if _, err := raw.SetAside(t.Context(), "../../level.dat"); !errors.Is(err, ErrPath) {
		t.Errorf("a file of another folder: %v", err)
	}
}
