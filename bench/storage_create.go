package bench

import (
	"context"
	"io/fs"
	"time"

	"strata/region"
	"strata/region/vfs"
)

// createdFile writes a file that gets its name when all of it is durable.
type createdFile struct {
	*region.Writer
	disk *countedFlushes
}

func createStrata(path string, disk vfs.FS) (createdFile, error) {
	counted := &countedFlushes{FS: disk}
	w, err := region.Create(path, region.Options{FS: counted})
	return createdFile{w, counted}, err
}

// writeAll sets all waits to the same: a chunk is durable when the file is.
func (w createdFile) writeAll(ctx context.Context, records []region.Record, waits []time.Duration) error {
	start := time.Now()
	for i := range records {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.Put(region.Slot(i), records[i]); err != nil {
			return err
		}
	}
	if err := w.Finish(); err != nil {
		return err
	}
	took := time.Since(start)
	for i := range waits {
		waits[i] = took
	}
	return nil
}

func (w createdFile) flushes() int64 { return w.disk.flushes }

// Close removes what is unfinished.
func (w createdFile) Close() error {
	w.Abort()
	return nil
}

// countedFlushes is a file system that counts how often it is waited for, by one
// goroutine.
type countedFlushes struct {
	vfs.FS
	flushes int64
}

func (c *countedFlushes) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	f, err := c.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return countedFile{f, c}, nil
}

func (c *countedFlushes) SyncDir(dir string) error {
	c.flushes++
	return c.FS.SyncDir(dir)
}

type countedFile struct {
	vfs.File
	disk *countedFlushes
}

func (f countedFile) Sync() error {
	f.disk.flushes++
	return f.File.Sync()
}
