package scan

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// job is a file to read, and where its outcome goes.
type job[T any] struct {
	file File
	done chan outcome[T]
}

type outcome[T any] struct {
	result T
	err    error
}

// Run reads every file with read, in up to workers goroutines (0: one for each
// processor), and calls deliver with the results in the order of files, one at
// a time. An error that read returns is the file's and is delivered with it;
// one that deliver returns, or the end of ctx, ends the run. Run returns after
// its goroutines have ended.
func Run[T any](ctx context.Context, files []File, workers int, read func(ctx context.Context, r *Reader, f File) (T, error), deliver func(f File, result T, err error) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(files))
	group, ctx := errgroup.WithContext(ctx)
	jobs := make(chan job[T])
	// The files that have been begun, in their order: two for each worker.
	begun := make(chan job[T], 2*workers)
	group.Go(func() error {
		defer close(begun)
		defer close(jobs)
		for _, f := range files {
			j := job[T]{f, make(chan outcome[T], 1)}
			if !send(ctx, begun, j) || !send(ctx, jobs, j) {
				return ctx.Err()
			}
		}
		return nil
	})
	for range workers {
		group.Go(func() error {
			var r Reader
			for j := range jobs {
				result, err := read(ctx, &r, j.file)
				j.done <- outcome[T]{result, err}
			}
			return nil
		})
	}
	group.Go(func() error {
		for j := range begun {
			select {
			case o := <-j.done:
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err := deliver(j.file, o.result, o.err); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return group.Wait()
}

// send reports whether v was sent before ctx ended.
func send[T any](ctx context.Context, to chan<- T, v T) bool {
	select {
	case to <- v:
		return true
	case <-ctx.Done():
		return false
	}
}
