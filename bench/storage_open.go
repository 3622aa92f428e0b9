package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"strata/region"
	"strata/region/vfs"
)

// opener opens and closes a file once.
type opener struct {
	name string
	open func() error
}

// open measures opening the sample's file, as often as it has chunks. It is read
// from the page cache. A file is opened for writing as a copy, so that nothing
// happens to the one that the other ops read.
func (r *storageRun) open(ctx context.Context) error {
	path := filepath.Join(r.dir, region.Pos{}.Name())
	if err := copyFile(r.fs, r.sample.path, path); err != nil {
		return fmt.Errorf("open: %w", err)
	}
	openers := []opener{
		{"strata", func() error { return openAndClose(r.sample.path, region.Options{FS: r.fs, ReadOnly: true}) }},
		{"strata-write", func() error { return openAndClose(path, region.Options{FS: r.fs}) }},
		{"pread", bareOpen(r.sample.path)},
	}
	n := len(r.sample.raw)
	var all []*series
	for _, o := range openers {
		all = append(all, newSeries(o.name, "open", threadClockKind, n, int64(n)*region.HeaderSectors*region.SectorBytes))
		if err := o.open(); err != nil { // warms the page cache
			return fmt.Errorf("open: %s: %w", o.name, err)
		}
	}
	peers, err := r.peers(ctx, "", "open", "storage/open")
	if err != nil {
		return err
	}
	for _, peer := range peers {
		peer.row.Bytes = all[0].row.Bytes
	}
	r.begin("pread", peers.behind(all...)...)
	for pass := range r.Passes {
		for turn := range openers {
			i := (pass + turn) % len(openers)
			if err := openPass(all[i], openers[i]); err != nil {
				return fmt.Errorf("open: %s: %w", openers[i].name, err)
			}
		}
		if err := peers.turn(ctx); err != nil {
			return err
		}
		r.step()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	r.add("pread", peers.behind(all...)...)
	return r.settle(path)
}

// openPass opens for the time of the pass, and again for those of single opens.
func openPass(s *series, o opener) error {
	clock := startThreadClock()
	defer clock.stop()
	for range s.row.Chunks {
		if err := o.open(); err != nil {
			return err
		}
	}
	took := clock.elapsed()
	single := make([]time.Duration, s.row.Chunks)
	for i := range single {
		before := clock.elapsed()
		if err := o.open(); err != nil {
			return err
		}
		single[i] = clock.elapsed() - before
	}
	s.pass(took, single)
	return nil
}

func openAndClose(path string, o region.Options) error {
	file, err := region.Open(path, o)
	if err != nil {
		return err
	}
	return file.Close()
}

// bareOpen reads a header and checks nothing.
func bareOpen(path string) func() error {
	header := make([]byte, region.HeaderSectors*region.SectorBytes)
	return func() error {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		_, err = file.ReadAt(header, 0)
		return errors.Join(err, file.Close())
	}
}

// copyFile copies a file of some megabytes.
func copyFile(disk vfs.FS, from, to string) error {
	in, err := disk.OpenFile(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	info, err := in.Stat()
	if err != nil {
		return errors.Join(err, in.Close())
	}
	out, err := disk.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return errors.Join(err, in.Close())
	}
	_, err = io.Copy(io.NewOffsetWriter(out, 0), io.NewSectionReader(in, 0, info.Size))
	return errors.Join(err, in.Close(), out.Close())
}
