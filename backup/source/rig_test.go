package source

import (
	"context"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"strata/anvil"
	"strata/anvil/session"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

var ctx = context.Background()

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const overworld = "dimensions/minecraft/overworld"

// newWorld makes a world with a region file of so many chunks.
func newWorld(t *testing.T, chunks int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "world")
	w, err := anvil.Create(dir, anvil.CreateOptions{Seed: 7})
	must(t, err)
	must(t, w.Close())
	writeRegion(t, filepath.Join(dir, filepath.FromSlash(overworld), "region"), chunks, 1)
	return dir
}

func writeRegion(t *testing.T, dir string, chunks int, version byte) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o755))
	w, err := region.Create(filepath.Join(dir, region.Pos{}.Name()), region.Options{})
	must(t, err)
	defer w.Abort()
	for s := range region.Slot(chunks) {
		must(t, w.Put(s, record(t, region.Pos{}.Chunk(s), version)))
	}
	must(t, w.Finish())
}

// record is a chunk that says where it is.
func record(t *testing.T, c region.ChunkPos, version byte) region.Record {
	t.Helper()
	doc := []byte{10, 0, 0}
	for _, m := range []struct {
		name string
		v    int32
	}{{"xPos", c.X}, {"zPos", c.Z}, {"version", int32(version)}} {
		doc = append(doc, 3, 0, byte(len(m.name)))
		doc = append(doc, m.name...)
		doc = binary.BigEndian.AppendUint32(doc, uint32(m.v))
	}
	e, err := codec.NewEncoder(codec.Zlib, codec.Level(6))
	must(t, err)
	stream, err := e.Append(nil, append(doc, 0))
	must(t, err)
	return region.Record{Scheme: codec.Zlib, Data: stream}
}

// foreign holds a world as another program does.
func foreign(t *testing.T, dir string) {
	t.Helper()
	lock, err := session.Acquire(vfs.OS(), dir)
	must(t, err)
	t.Cleanup(func() { must(t, lock.Release()) })
}

func open(t *testing.T, dir string, o Options) *World {
	t.Helper()
	w, err := Open(ctx, dir, o)
	must(t, err)
	t.Cleanup(func() { must(t, w.Close()) })
	return w
}

// files lists a world by paths below it.
func files(t *testing.T, w *World) map[string]File {
	t.Helper()
	list, skipped, err := w.Files(ctx)
	must(t, err)
	for _, s := range skipped {
		t.Errorf("skipped %s: %v", s.Path, s.Err)
	}
	if !slices.IsSortedFunc(list, func(a, b File) int { return compare(a.Path, b.Path) }) {
		t.Error("the files are not sorted")
	}
	byPath := map[string]File{}
	for _, f := range list {
		byPath[f.Path] = f
	}
	return byPath
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// watched is a file system that tells of reads before they are made.
type watched struct {
	vfs.FS
	read func(name string, at int64)
}

func (w watched) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	f, err := w.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return watchedFile{f, w, name}, nil
}

type watchedFile struct {
	vfs.File
	w    watched
	name string
}

func (f watchedFile) ReadAt(b []byte, at int64) (int, error) {
	f.w.read(f.name, at)
	return f.File.ReadAt(b, at)
}
