package shrink

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// Compacted counts what Compact did, or would do.
type Compacted struct {
	Files   int   `json:"files"`
	Records int64 `json:"records"`
	// Rewritten are files with free sectors, Linked those of them that other names
	// lead to as well: those keep the old file.
	Rewritten   int       `json:"rewritten"`
	Linked      int       `json:"linked"`
	BytesBefore int64     `json:"bytes_before"` // of all region files
	BytesAfter  int64     `json:"bytes_after"`
	Failed      []Failure `json:"failed"`
}

// CompactOptions say how a world is compacted.
type CompactOptions struct {
	// Workers is how many files are rewritten at the same time, by default one for
	// each processor.
	Workers int
	// Progress is called with the size of every file that is through.
	Progress func(bytes int64)
}

// Estimate is what Compact would do, as headers tell.
func (v *Survey) Estimate() *Compacted {
	c := &Compacted{Files: len(v.Files), Records: v.Records, BytesBefore: v.Bytes, BytesAfter: v.Bytes, Failed: append([]Failure{}, v.Failed...)}
	for i := range v.Files {
		f := &v.Files[i]
		switch {
		case f.damaged():
			c.Failed = append(c.Failed, failure(f.Path, region.ErrNeedsRepair))
		case f.Free() > 0:
			c.rewritten(f, f.Dense)
		}
	}
	return c
}

func (c *Compacted) rewritten(f *File, bytes int64) {
	c.Rewritten++
	c.BytesAfter += bytes - f.Bytes
	if f.Links > 1 {
		c.Linked++
	}
}

func workersOr(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Compact takes the free sectors out of the files of a survey. What cannot be
// compacted is listed and the rest goes on; a full disk and the end of ctx end it.
func Compact(ctx context.Context, s *store.Store, v *Survey, o CompactOptions) (*Compacted, error) {
	c := &Compacted{Files: len(v.Files), Records: v.Records, BytesBefore: v.Bytes, BytesAfter: v.Bytes, Failed: append([]Failure{}, v.Failed...)}
	var mu sync.Mutex // guards c
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workersOr(o.Workers))
	for i := range v.Files {
		f := &v.Files[i]
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			bytes, err := f.compact(s)
			if o.Progress != nil {
				o.Progress(f.Bytes)
			}
			mu.Lock()
			defer mu.Unlock()
			switch {
			case endsAll(err):
				return err
			case err != nil:
				c.Failed = append(c.Failed, failure(f.Path, err))
			case bytes < f.Bytes:
				c.rewritten(f, bytes)
			}
			return nil
		})
	}
	return c, group.Wait()
}

// compact rewrites the file if that makes it smaller, and returns its size.
func (f *File) compact(s *store.Store) (bytes int64, err error) {
	if f.damaged() {
		return 0, region.ErrNeedsRepair
	}
	if f.Free() == 0 {
		return f.Bytes, nil
	}
	raw, err := s.Raw(f.Dim, f.Kind)
	if err != nil {
		return 0, err
	}
	if err := raw.Compact(f.Pos); err != nil {
		return 0, err
	}
	info, err := fileSystem(s).Stat(f.Path)
	return info.Size, err
}

// endsAll reports whether an error is not about one file alone.
func endsAll(err error) bool {
	return errors.Is(err, vfs.ErrNoSpace) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, store.ErrClosed) || errors.Is(err, store.ErrReadOnly) || errors.Is(err, vfs.ErrCrashed)
}
