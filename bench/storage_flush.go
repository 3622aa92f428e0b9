package bench

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"strata/region"
	"strata/region/vfs"
)

// readUnderFlush measures reads that begin while a flush of the same file is
// in flight. A writer rewrites all slots meanwhile, over and over.
func (r *storageRun) readUnderFlush(ctx context.Context) error {
	watch := &flushWatch{FS: r.fs}
	path := filepath.Join(r.dir, region.Pos{}.Name())
	w, err := openStrata(path, region.Options{FS: watch, MaxGroup: r.MaxGroup})
	if err != nil {
		return err
	}
	records := [][]region.Record{durableRecords(r.Chunks, 4), durableRecords(r.Chunks, 5)}
	waits := make([]time.Duration, r.Chunks)
	reads := max(1, r.Reads/r.Passes)
	s := newSeries("strata", "read_under_flush", clockWall, reads, int64(reads)*durableStream)
	r.begin("", s)
	if err = w.writeAll(ctx, records[0], waits); err == nil {
		err = r.readBeside(ctx, s, w, watch, records)
	}
	if err == nil {
		err = w.writeAll(ctx, records[0], waits)
	}
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = r.verify(path, records[0])
	}
	if err == nil {
		err = r.settle(path)
	}
	if err != nil {
		return err
	}
	r.add("", s)
	return nil
}

// errEnough ends the writer.
var errEnough = errors.New("reads are done")

func (r *storageRun) readBeside(ctx context.Context, s *series, w strataFile, watch *flushWatch, records [][]region.Record) error {
	ctx, enough := context.WithCancelCause(ctx)
	defer enough(nil)
	var g errgroup.Group
	g.Go(func() error {
		waits := make([]time.Duration, r.Chunks)
		for i := 1; ; i++ {
			if err := w.writeAll(ctx, records[i%2], waits); err != nil {
				if context.Cause(ctx) == errEnough { //nolint:errorlint // set below, bare
					return nil
				}
				return err
			}
		}
	})
	err := r.readPasses(ctx, s, w.File, watch)
	enough(errEnough)
	if werr := g.Wait(); err == nil {
		err = werr
	}
	return err
}

// readPasses measures reads that begin under a flush.
func (r *storageRun) readPasses(ctx context.Context, s *series, f *region.File, watch *flushWatch) error {
	var buf []byte
	slot := 0
	for range r.Passes {
		single, before := make([]time.Duration, s.row.Chunks), watch.seen
		var sum time.Duration
		for i := range single {
			if err := watch.await(ctx); err != nil {
				return err
			}
			slot = (slot + 619) % r.Chunks // no neighbour of the last one
			start := time.Now()
			rec, err := f.Read(region.Slot(slot), buf)
			single[i] = time.Since(start)
			if err != nil {
				return err
			}
			buf = rec.Buffer()
			sum += single[i]
		}
		s.pass(sum, single)
		s.row.Flushes = watch.seen - before
		r.step()
	}
	return nil
}

// readsPerFlush spreads the reads over many flushes.
const readsPerFlush = 20

// flushWatch is a file system that knows when a flush is in flight.
type flushWatch struct {
	vfs.FS
	flushing atomic.Int64 // number of the flush in flight, 0 between them
	begun    atomic.Int64

	// Of the goroutine that calls await.
	last  int64 // number of the flush that was seen last
	seen  int64 // different flushes that were seen
	reads int   // awaited for under the last one
}

// await returns when a flush is in flight under which there were less than
// readsPerFlush reads so far.
func (w *flushWatch) await(ctx context.Context) error {
	for {
		switch n := w.flushing.Load(); {
		case n != 0 && n != w.last:
			w.last, w.reads = n, 1
			w.seen++
			return nil
		case n != 0 && w.reads < readsPerFlush:
			w.reads++
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		runtime.Gosched()
	}
}

// OpenFile opens a file whose flushes are seen.
func (w *flushWatch) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	f, err := w.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &watchedFile{f, w}, nil
}

type watchedFile struct {
	vfs.File
	watch *flushWatch
}

func (f *watchedFile) Sync() error {
	f.watch.flushing.Store(f.watch.begun.Add(1))
	defer f.watch.flushing.Store(0)
	return f.File.Sync()
}
