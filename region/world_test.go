package region

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region/codec"
	"strata/region/vfs"
)

// worldCounts are what a world's region files come to.
type worldCounts struct {
	files, chunks  int
	bytes, decoded int64
	zeroByte       int
	unpadded       int
	emptyTimestamp int
	stale          int
	findings       int // of severity warning or worse
}

func (c worldCounts) String() string {
	return fmt.Sprintf("%d files, %d bytes, %d chunks, %d bytes decoded; %d zero-byte, %d unpadded, %d empty slots with a timestamp, %d records with stale bytes",
		c.files, c.bytes, c.chunks, c.decoded, c.zeroByte, c.unpadded, c.emptyTimestamp, c.stale)
}

// world goes through all region files below dir: region, entities and poi of
// every dimension.
type world struct {
	t               *testing.T
	dec             codec.Decoder
	buf, raw, again []byte
}

func (w *world) count(dir string) (c worldCounts) {
	w.t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".mca") {
			w.file(path, &c)
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) file(path string, c *worldCounts) {
	var opts CheckOptions
	if !strings.Contains(path, "entities") && !strings.Contains(path, "poi") {
		opts.Inspect = inspectNBT // chunks proper say where they are
	}
	r, err := Check(path, opts)
	if err != nil {
		w.t.Fatal(err)
	}
	c.files++
	c.bytes += r.SizeBytes
	c.chunks += r.Chunks
	for _, f := range r.Findings {
		switch f.Class {
		case ZeroByte:
			c.zeroByte++
		case Unpadded:
			c.unpadded++
		case EmptyTimestamp:
			c.emptyTimestamp++
		case StaleBytes:
			c.stale++
		}
		if f.Severity >= SeverityWarning {
			c.findings++
			w.t.Errorf("finding: %v", f)
		}
	}
	c.decoded += w.rewrite(path)
}

// rewrite writes the file's records into a new file, and every fourth once
// more into that one, and wants the same from it. It returns how many bytes
// the records decode to.
func (w *world) rewrite(path string) (decoded int64) {
	src := w.open(path, Options{ReadOnly: true})
	defer src.Close()
	// What is rewritten does not depend on the disk, so it goes to memory.
	mem := vfs.NewMem(vfs.MemOptions{})
	target := src.pos.Name()
	wr, err := Create(target, Options{FS: mem})
	if err != nil {
		w.t.Fatal(err)
	}
	var some []Write
	for s := range Slot(Slots) {
		e := src.Entry(s)
		if e.Empty() {
			wr.SetTimestamp(s, e.Timestamp)
			continue
		}
		rec, err := src.Read(s, w.buf)
		if err != nil {
			w.t.Fatal(err)
		}
		if err := wr.Put(s, rec); err != nil {
			w.t.Fatal(err)
		}
		if s%4 == 0 {
			some = append(some, Write{Slot: s, Scheme: rec.Scheme, Data: bytes.Clone(rec.Data)})
		}
	}
	if err := wr.Finish(); err != nil {
		w.t.Fatal(err)
	}
	dst := w.open(target, Options{FS: mem})
	commits := make([]*Commit, len(some))
	for i := range some {
		commits[i] = dst.Submit(some[i])
	}
	for _, c := range commits {
		if err := c.Wait(context.Background()); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := dst.Close(); err != nil {
		w.t.Fatal(err)
	}
	if r, err := Check(target, CheckOptions{FS: mem, SkipDecode: true}); err != nil || r.Worst() >= SeverityWarning {
		w.t.Errorf("%s: rewritten: %v, %v", path, r, err)
	}
	dst = w.open(target, Options{FS: mem, ReadOnly: true})
	defer dst.Close()
	for s := range Slot(Slots) {
		decoded += w.compare(path, s, src, dst)
	}
	return decoded
}

func (w *world) open(path string, opts Options) *File {
	f, err := Open(path, opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

// compare wants slot s to hold the same stream and the same bytes in both.
func (w *world) compare(path string, s Slot, src, dst *File) int64 {
	e, got := src.Entry(s), dst.Entry(s)
	if e.Empty() != got.Empty() || e.Empty() && e != got ||
		!e.Empty() && (s%4 == 0 && got.Timestamp <= e.Timestamp || s%4 != 0 && e.Timestamp != got.Timestamp) {
		w.t.Errorf("%s: slot %d: entry %v became %v", path, s, e, got)
		return 0
	}
	if e.Empty() {
		return 0
	}
	var a, b Record
	var errA, errB error
	w.raw, a, errA = src.Decode(s, &w.dec, nil, w.raw[:0])
	w.again, b, errB = dst.Decode(s, &w.dec, w.buf, w.again[:0])
	if errA != nil || errB != nil {
		w.t.Errorf("%s: slot %d: %v, %v", path, s, errA, errB)
		return 0
	}
	if a.Scheme != b.Scheme || !bytes.Equal(a.Data, b.Data) || !bytes.Equal(w.raw, w.again) {
		w.t.Errorf("%s: slot %d has changed", path, s)
	}
	return int64(len(w.raw))
}

func unpackWorlds(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("unpacks and reads real worlds")
	}
	archive := testbed.Shared(t, "worlds", name)
	dir := t.TempDir()
	if err := corpus.Unpack(archive, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSampleWorldsReadAndRewriteUnchanged(t *testing.T) {
	dir := unpackWorlds(t, "sample-worlds.tar.zst")
	for _, want := range []struct {
		world                              string
		zeroByte, unpadded, emptyTimestamp int // emptyTimestamp -1: not known beforehand
	}{
		{"vanilla-26.1.2-fresh", 8, 4, -1},
		{"world-26.2", 5, 0, -1},
		{"paper-26.1.2", 0, 2, -1},
		{"layout-1.21.3", 7, 0, 263},
	} {
		w := &world{t: t, buf: make([]byte, countByLength*SectorBytes)}
		got := w.count(filepath.Join(dir, "sample", want.world))
		t.Logf("%s: %v", want.world, got)
		if got.zeroByte != want.zeroByte || got.unpadded != want.unpadded {
			t.Errorf("%s: %d zero-byte, %d unpadded; want %d, %d", want.world, got.zeroByte, got.unpadded, want.zeroByte, want.unpadded)
		}
		if want.emptyTimestamp >= 0 && got.emptyTimestamp != want.emptyTimestamp {
			t.Errorf("%s: %d empty slots with a timestamp, want %d", want.world, got.emptyTimestamp, want.emptyTimestamp)
		}
		if got.chunks == 0 {
			t.Errorf("%s has no chunks", want.world)
		}
	}
}

func TestSavesOfAWorldReadAndRewriteUnchanged(t *testing.T) {
	dir := unpackWorlds(t, "history-6-saves.tar.zst")
	for i := range 6 {
		w := &world{t: t, buf: make([]byte, countByLength*SectorBytes)}
		name := fmt.Sprintf("save-%d", i+1)
		got := w.count(filepath.Join(dir, "history", name))
		t.Logf("%s: %v", name, got)
		if got.zeroByte < 53 || got.zeroByte > 55 {
			t.Errorf("%s: %d zero-byte files, want 53 to 55", name, got.zeroByte)
		}
		if got.chunks == 0 {
			t.Errorf("%s has no chunks", name)
		}
	}
}

func TestOracleRegionsReadAndRewriteUnchanged(t *testing.T) {
	dir := testbed.Shared(t, "oracle")
	w := &world{t: t, buf: make([]byte, countByLength*SectorBytes)}
	got := w.count(dir)
	t.Logf("oracle: %v", got)
	if got.chunks < 451+355 {
		t.Errorf("%d chunks, want the 806 that are listed", got.chunks)
	}
}

func TestRealRegionFilesAreNotTouchedByReading(t *testing.T) {
	dir := testbed.Shared(t, "oracle")
	before, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := CheckFolder(context.Background(), filepath.Join(dir, "vanilla-a", "overworld", "full"), CheckOptions{Inspect: inspectNBT, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if total := r.Totals(); r.Worst() >= SeverityWarning || total.Files != 9 || total.Chunks != 100 {
		t.Errorf("%+v, worst %v", total, r.Worst())
	}
	if after, err := os.Stat(dir); err != nil || after.ModTime() != before.ModTime() {
		t.Errorf("the folder has changed: %v", err)
	}
}
