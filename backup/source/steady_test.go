package source

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"strata/region"
	"strata/region/vfs"
)

// moving opens a world beside a writer that is told of each read of its files.
func moving(t *testing.T, dir string, before func(name string, at int64)) *World {
	t.Helper()
	foreign(t, dir)
	w := open(t, dir, Options{FS: watched{vfs.OS(), before}})
	if w.State != Moving {
		t.Fatalf("state %d", w.State)
	}
	return w
}

// TestARecordThatIsReplacedWhileItIsReadIsReadAgain: the writer puts another one
// there between the header and the sectors, and the old sectors are used anew.
func TestARecordThatIsReplacedWhileItIsReadIsReadAgain(t *testing.T) {
	t.Parallel()
	dir := newWorld(t, 2)
	path := filepath.Join(dir, filepath.FromSlash(overworld), "region", "r.0.0.mca")
	replaced := 0
	w := moving(t, dir, func(name string, at int64) {
		if name != path || at < region.HeaderBytes || replaced > 0 {
			return
		}
		replaced++
		f, err := region.Open(path, region.Options{})
		must(t, err)
		next := record(t, region.ChunkPos{}, 2)
		must(t, f.Write(ctx, region.Write{Scheme: next.Scheme, Data: next.Data}))
		must(t, f.Close())
		// What was there is overwritten.
		raw, err := os.OpenFile(path, os.O_WRONLY, 0)
		must(t, err)
		_, err = raw.WriteAt(bytes.Repeat([]byte{0xAA}, 64), at)
		must(t, err)
		must(t, raw.Close())
	})
	got := read(t, w, 0)
	if want := record(t, region.ChunkPos{}, 2); got.Err != nil || !bytes.Equal(got.Content[1:], want.Data) {
		t.Errorf("record %v, %d bytes", got.Err, len(got.Content))
	}
	if replaced != 1 {
		t.Error("the writer had no chance")
	}
}

// TestDamageThatStaysIsDamage: it is not somebody's writing.
func TestDamageThatStaysIsDamage(t *testing.T) {
	t.Parallel()
	dir := newWorld(t, 2)
	path := filepath.Join(dir, filepath.FromSlash(overworld), "region", "r.0.0.mca")
	data, err := os.ReadFile(path)
	must(t, err)
	copy(data[2*region.SectorBytes+8:], []byte{1, 2, 3, 4, 5, 6})
	must(t, os.WriteFile(path, data, 0o644))
	w := moving(t, dir, func(string, int64) {})
	if got := read(t, w, 0); errors.Is(got.Err, ErrUnstable) || got.Content == nil {
		t.Errorf("%v, %d bytes", got.Err, len(got.Content))
	}
}

// TestWhatNeverHoldsStillIsUnstable: the entry is another one at each look.
func TestWhatNeverHoldsStillIsUnstable(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for four seconds")
	}
	t.Parallel()
	dir := newWorld(t, 1)
	path := filepath.Join(dir, filepath.FromSlash(overworld), "region", "r.0.0.mca")
	notes := filepath.Join(dir, "notes.txt")
	must(t, os.WriteFile(notes, []byte("begin"), 0o644))
	stamp := byte(0)
	w := moving(t, dir, func(name string, at int64) {
		stamp++
		switch {
		case name == path && at >= region.HeaderBytes:
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			must(t, err)
			_, err = f.WriteAt([]byte{stamp}, region.SectorBytes+3)
			must(t, err)
			must(t, f.Close())
		case name == notes:
			must(t, os.WriteFile(notes, bytes.Repeat([]byte{stamp}, 5+int(stamp)), 0o644))
		}
	})
	if got := read(t, w, 0); !errors.Is(got.Err, ErrUnstable) || got.Content != nil {
		t.Errorf("a record: %v, %d bytes", got.Err, len(got.Content))
	}
	begun := 0
	_, err := w.ReadFile(ctx, files(t, w)["world/notes.txt"], 1<<20, func() error { begun++; return nil }, func([]byte) error { return nil })
	if !errors.Is(err, ErrUnstable) || begun != attempts+1 {
		t.Errorf("a file: %v after %d times", err, begun)
	}
}

// TestAFileThatIsReplacedIsReadAsOne: the pieces are those of the last attempt.
func TestAFileThatIsReplacedIsReadAsOne(t *testing.T) {
	t.Parallel()
	dir := newWorld(t, 1)
	notes := filepath.Join(dir, "notes.txt")
	must(t, os.WriteFile(notes, bytes.Repeat([]byte("a"), 100), 0o644))
	reads := 0
	w := moving(t, dir, func(name string, _ int64) {
		if name != notes {
			return
		}
		if reads++; reads == 2 {
			must(t, os.WriteFile(notes, bytes.Repeat([]byte("b"), 200), 0o644))
		}
	})
	var got []byte
	info, err := w.ReadFile(ctx, files(t, w)["world/notes.txt"], 40,
		func() error { got = got[:0]; return nil },
		func(b []byte) error {
			if len(b) > 40 {
				t.Errorf("a piece of %d bytes", len(b))
			}
			got = append(got, b...)
			return nil
		})
	if err != nil || info.Size != 200 || string(got) != string(bytes.Repeat([]byte("b"), 200)) {
		t.Errorf("%v, size %d: %q", err, info.Size, got)
	}
}
