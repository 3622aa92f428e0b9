package source

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/anvil"
	"strata/anvil/session"
	"strata/anvil/store"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func TestAWorldThatNobodyHasIsHeld(t *testing.T) {
	dir := newWorld(t, 3)
	w := open(t, dir, Options{})
	if w.State != Held || w.Moves() || w.DataVersion != 4903 || len(w.Dimensions) != 3 || len(w.Notes) > 0 {
		t.Errorf("%+v", w)
	}
	if held, err := session.Held(vfs.OS(), dir); err != nil || !held {
		t.Errorf("held %v, %v", held, err)
	}
	must(t, w.Check(ctx))
	must(t, w.Close())
	if held, err := session.Held(vfs.OS(), dir); err != nil || held {
		t.Errorf("held %v after it was closed, %v", held, err)
	}
	// Somebody who removes the lock file may write: what was read is doubtful.
	w = open(t, dir, Options{})
	must(t, os.Rename(filepath.Join(dir, session.FileName), filepath.Join(dir, "gone")))
	if err := w.Check(ctx); !errors.Is(err, session.ErrLost) {
		t.Errorf("with its lock gone: %v", err)
	}
}

func TestALockThatTheCallerHasIsUsed(t *testing.T) {
	dir := newWorld(t, 1)
	lock, err := session.Acquire(vfs.OS(), dir)
	must(t, err)
	w, err := Open(ctx, dir, Options{Lock: lock})
	must(t, err)
	if w.State != Held {
		t.Errorf("state %d", w.State)
	}
	must(t, w.Close())
	must(t, lock.Check()) // still the caller's
	must(t, lock.Release())
}

func TestAWorldThatStrataHasIsPinned(t *testing.T) {
	dir := newWorld(t, 3)
	a, err := anvil.Open(dir, anvil.Options{})
	must(t, err)
	where, err := store.WorldOf(a)
	must(t, err)
	s, err := store.Open(where, store.Options{Memory: 16 << 20})
	must(t, err)
	defer s.Close()
	w, err := Open(ctx, dir, Options{})
	must(t, err)
	if w.State != Pinned || w.Moves() {
		t.Fatalf("state %d", w.State)
	}
	must(t, w.Check(ctx))
	raw, err := s.Raw(0, store.Chunks)
	must(t, err)
	next := record(t, region.ChunkPos{}, 9)
	must(t, raw.Replace(ctx, region.ChunkPos{}, store.RawWrite{Old: entryOf(t, raw), Record: next}))
	got := read(t, w, 0)
	if old := record(t, region.ChunkPos{}, 1); got.Err != nil || !bytes.Equal(got.Content[1:], old.Data) {
		t.Error("a pinned world has changed")
	}
	must(t, s.Close())
	if err := w.Check(ctx); err == nil {
		t.Error("what was read from a holder that has gone counts as good")
	}
	must(t, w.Close())
}

func entryOf(t *testing.T, raw *store.Raw) region.Entry {
	t.Helper()
	h, err := raw.Header(region.Pos{})
	must(t, err)
	return h.Entry(0)
}

// read reads one record of the world's region file.
func read(t *testing.T, w *World, slot region.Slot) (got Record) {
	t.Helper()
	f := files(t, w)["world/"+overworld+"/region/r.0.0.mca"]
	r, err := w.OpenRegion(f)
	must(t, err)
	defer r.Close()
	found := 0
	must(t, r.Read(ctx, []region.Slot{slot}, func(rec *Record) error {
		found++
		got = *rec
		got.Content = bytes.Clone(rec.Content)
		return nil
	}))
	if found != 1 {
		t.Fatalf("slot %d was visited %d times", slot, found)
	}
	return got
}

func TestAForeignWorldIsReadOnlyAsTheCallerWants(t *testing.T) {
	dir := newWorld(t, 1)
	foreign(t, dir)
	if w := open(t, dir, Options{}); w.State != Moving || !w.Moves() {
		t.Errorf("state %d", w.State)
	}
	if _, err := Open(ctx, dir, Options{RefuseForeign: true}); !errors.Is(err, ErrForeign) {
		t.Errorf("refused: %v", err)
	}
	asked, resumed := 0, 0
	w, err := Open(ctx, dir, Options{RefuseForeign: true, Quiesce: func(context.Context) (func() error, error) {
		asked++
		return func() error { resumed++; return nil }, nil
	}})
	must(t, err)
	if w.State != Quiet || w.Moves() || asked != 1 || resumed != 0 {
		t.Errorf("state %d, asked %d times, resumed %d", w.State, asked, resumed)
	}
	must(t, w.Close())
	must(t, w.Close())
	if resumed != 1 {
		t.Errorf("resumed %d times", resumed)
	}
	no := errors.New("no answer")
	if _, err := Open(ctx, dir, Options{Quiesce: func(context.Context) (func() error, error) { return nil, no }}); !errors.Is(err, no) {
		t.Errorf("a program that does not stop: %v", err)
	}
}

func TestFilesAreListedWithWhatTheyAre(t *testing.T) {
	dir := newWorld(t, 2)
	put := func(name string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte("x"), 0o644))
	}
	kept := []string{
		"notes.txt", overworld + "/region/c.33.-1.mcc", "elsewhere/r.0.0.mca", "strata/pregen/run.json", "strata/rescue/a.nbt",
		"strata.txt", "mods/session.lock.txt",
	}
	gone := []string{
		vfs.TempPrefix + "x", "mods/" + vfs.TempPrefix + "y", "strata/control", "strata/restore/1/level.dat", "strata/pregen/minecraft/overworld/r.0.0.spool",
		"mods/session.lock", "repo/packs/a", "cache/x.tmp", "mods/b.bak", "deep/skip/me",
	}
	for _, name := range append(kept, gone...) {
		put(name)
	}
	w := open(t, dir, Options{Leave: filepath.Join(dir, "repo"), Exclude: []string{"*.tmp", "*.bak", "deep/skip"}})
	got := files(t, w)
	for _, name := range kept {
		if _, ok := got["world/"+name]; !ok {
			t.Errorf("%s is left out", name)
		}
	}
	for _, name := range gone {
		if _, ok := got["world/"+name]; ok {
			t.Errorf("%s is listed", name)
		}
	}
	if f := got["world/"+overworld+"/region/r.0.0.mca"]; f.Kind != RegionFile || f.Dimension != anvil.Overworld || f.Record != store.Chunks || f.Pos != (region.Pos{}) {
		t.Errorf("the region file: %+v", f)
	}
	if f := got["world/"+overworld+"/region/c.33.-1.mcc"]; f.Kind != External || f.Chunk != (region.ChunkPos{X: 33, Z: -1}) || f.Dimension != anvil.Overworld {
		t.Errorf("the external file: %+v", f)
	}
	// A region file outside of all dimensions is one of no dimension.
	if f := got["world/elsewhere/r.0.0.mca"]; f.Kind != RegionFile || f.Dimension != "" {
		t.Errorf("the stray region file: %+v", f)
	}
	if f := got["world/mods"]; f.Kind != Folder {
		t.Errorf("the folder: %+v", f)
	}
}

func TestFoldersThatLeadBackAreSkipped(t *testing.T) {
	dir := newWorld(t, 1)
	must(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
	if err := os.Symlink(dir, filepath.Join(dir, "a", "b", "up")); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	must(t, os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling")))
	deep := filepath.Join(dir, filepath.FromSlash(strings.Repeat("d/", 40)))
	must(t, os.MkdirAll(deep, 0o755))
	w := open(t, dir, Options{})
	list, skipped, err := w.Files(ctx)
	must(t, err)
	var names []string
	for _, s := range skipped {
		names = append(names, s.Path)
	}
	// The root itself is entered once more by the link, and then known.
	if text := strings.Join(names, "\n"); !strings.Contains(text, "a/b/up") || !strings.Contains(text, "world/dangling") || !strings.Contains(text, strings.Repeat("d/", 32)) {
		t.Errorf("skipped\n%s", text)
	}
	if len(list) > 500 {
		t.Errorf("%d files", len(list))
	}
}

func TestRecordsThatAreDamagedSayHow(t *testing.T) {
	dir := newWorld(t, 4)
	path := filepath.Join(dir, filepath.FromSlash(overworld), "region", "r.0.0.mca")
	data, err := os.ReadFile(path)
	must(t, err)
	at := func(slot int) int {
		return (int(data[4*slot])<<16 | int(data[4*slot+1])<<8 | int(data[4*slot+2])) * region.SectorBytes
	}
	copy(data[at(1):], []byte{0x7f, 0xff, 0xff, 0xff}) // longer than its sectors
	copy(data[8:], []byte{0, 0, 1, 1})                 // inside of the header
	copy(data[12:], []byte{0, 0xff, 0xff, 1})          // behind the end
	must(t, os.WriteFile(path, data, 0o644))
	w := open(t, dir, Options{})
	for slot, want := range map[region.Slot]error{0: nil, 1: region.BadLength, 2: region.InHeader, 3: region.OutOfRange} {
		got := read(t, w, slot)
		if !errors.Is(got.Err, want) || (want == nil) != (got.Content != nil) {
			t.Errorf("slot %d: %v, %d bytes", slot, got.Err, len(got.Content))
		}
	}
	if got := read(t, w, 0); Scheme(got.Content) != codec.Zlib || got.External || got.Odd {
		t.Errorf("a sound record: %+v", got)
	}
	must(t, os.Truncate(path, 100))
	if _, err := w.OpenRegion(files(t, w)["world/"+overworld+"/region/r.0.0.mca"]); !errors.Is(err, ErrShort) {
		t.Errorf("a short file: %v", err)
	}
}
