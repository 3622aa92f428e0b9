package journal

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// BenchmarkEpoch commits the chunks of several region files, two player files
// and level.dat on the machine's disk: as one epoch, and one after the other
// as it would be done without a journal. It reports the median, flushes of
// files and of folders, and the bytes of the journal and of everything.
func BenchmarkEpoch(b *testing.B) {
	for _, files := range []int{1, 4, 16} {
		for _, joint := range []bool{true, false} {
			b.Run(fmt.Sprintf("regions=%d/chunks=12/joint=%v", files, joint), func(b *testing.B) { benchmarkEpoch(b, files, joint) })
		}
	}
}

func benchmarkEpoch(b *testing.B, files int, joint bool) {
	dir := b.TempDir()
	fault := vfs.NewFault(vfs.OS())
	var journalBytes, allBytes int64
	fault.Add(vfs.Rule{Ops: vfs.OpWrite, Forever: true, Hook: func(in vfs.OpInfo) {
		if allBytes += in.Len; filepath.Base(in.Name) == "journal" {
			journalBytes += in.Len
		}
	}})
	w := &benchWorld{fs: fault, dir: dir, data: made("bench", 1, 7000)}
	var err error
	if w.journal, err = Open(Options{FS: fault, Roots: []Root{{Dir: dir}}}); err != nil {
		b.Fatal(err)
	}
	defer w.journal.Close()
	for i := range files {
		if err := vfs.MkdirAll(fault, filepath.Join(dir, "region"), 0o755); err != nil {
			b.Fatal(err)
		}
		f, err := region.Open(filepath.Join(dir, "region", region.Pos{X: int32(i)}.Name()), region.Options{FS: fault})
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		w.files = append(w.files, f)
	}
	save := w.separate
	if joint {
		save = w.epoch
	}
	for range 2 { // files and names are there
		if err := save(); err != nil {
			b.Fatal(err)
		}
	}
	journalBytes, allBytes = 0, 0
	syncs, dirs := fault.Count(vfs.OpSync), fault.Count(vfs.OpSyncDir)
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if err := save(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	n := float64(len(took))
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
	b.ReportMetric(float64(fault.Count(vfs.OpSync)-syncs)/n, "flushes")
	b.ReportMetric(float64(fault.Count(vfs.OpSyncDir)-dirs)/n, "dirflushes")
	b.ReportMetric(float64(journalBytes)/n, "journal-B")
	b.ReportMetric(float64(allBytes)/n, "written-B")
}

type benchWorld struct {
	fs      vfs.FS
	dir     string
	journal *Journal
	files   []*region.File
	data    []byte
}

func (w *benchWorld) writes() []region.Write {
	writes := make([]region.Write, 12)
	for i := range writes {
		writes[i] = region.Write{Slot: region.Slot(i * 40), Scheme: codec.None, Data: w.data, Journaled: true}
	}
	return writes
}

func (w *benchWorld) dataFiles() []string {
	return []string{filepath.Join(w.dir, "a.dat"), filepath.Join(w.dir, "b.dat"), filepath.Join(w.dir, "level.dat")}
}

func (w *benchWorld) epoch() error {
	e, err := w.journal.Begin()
	if err != nil {
		return err
	}
	for _, f := range w.files {
		g, err := f.Stage(w.writes()...)
		if err != nil {
			return err
		}
		if err := e.Add(g); err != nil {
			return err
		}
	}
	for _, path := range w.dataFiles() {
		if err := e.Write(path, w.data[:3000], 0o644); err != nil {
			return err
		}
	}
	return e.Commit(context.Background())
}

func (w *benchWorld) separate() error {
	for _, f := range w.files {
		g, err := f.Stage(w.writes()...)
		if err != nil {
			return err
		}
		if err := g.Publish(); err != nil {
			return err
		}
		g.Release()
	}
	for _, path := range w.dataFiles() {
		if err := vfs.WriteFileSync(w.fs, path, w.data[:3000], 0o644); err != nil {
			return err
		}
	}
	return nil
}
